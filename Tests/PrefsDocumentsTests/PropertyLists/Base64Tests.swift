import Testing

@testable import PrefsDocuments

struct Base64Tests {
    @Test(
        arguments: [
            ("", []), ("AQ==", [1]), ("AQI=", [1, 2]), ("AQID", [1, 2, 3]), (" A\tQ\nI\rD ", [1, 2, 3]),
            ("+/+/", [0xFB, 0xFF, 0xBF]),
        ] as [(String, [UInt8])])
    func `decodes text with white space`(text: String, bytes: [UInt8]) {
        #expect(Base64.fault(in: Array(text.utf8)[...]) == nil)
        #expect(Base64.decoded(Array(text.utf8)[...]) == bytes)
    }

    @Test(arguments: [
        ("AQ", 2), ("A===", 3), ("AQ=", 3), ("=", 0), ("AQ==A", 4), ("A-Q=", 1), ("AQID====", 4),
    ])
    func `names the first fault`(text: String, offset: Int) {
        #expect(Base64.fault(in: Array(text.utf8)[...]) == offset)
    }
}
