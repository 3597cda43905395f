import Testing

@testable import PrefsDocuments

struct TextEncodingTests {
    private static let text = "<é 😀>"

    static let encodings: [(encoding: TextEncoding, head: [UInt8])] = [
        (.utf8, []), (.utf8, [0xEF, 0xBB, 0xBF]),
        (.utf16(.little), []), (.utf16(.little), [0xFF, 0xFE]),
        (.utf16(.big), []), (.utf16(.big), [0xFE, 0xFF]),
        (.utf32(.little), []), (.utf32(.little), [0xFF, 0xFE, 0, 0]),
        (.utf32(.big), []), (.utf32(.big), [0, 0, 0xFE, 0xFF]),
    ]

    @Test(arguments: encodings.indices)
    func `detects, decodes and encodes`(index: Int) throws {
        let (encoding, head) = Self.encodings[index]
        let bytes = head + encoding.encode(Array(Self.text.utf8))
        let detected = TextEncoding(detecting: bytes)
        #expect("\(detected)" == "\(encoding)")
        let decoded = try detected.decode(bytes)
        #expect(String(decoding: decoded, as: UTF8.self) == (head.isEmpty ? "" : "\u{FEFF}") + Self.text)
        #expect(detected.encode(decoded) == bytes)
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x3C], 3, "ends inside a UTF-16 character"),
            ([0, 0, 0, 0x3C, 0], 5, "ends inside a UTF-32 character"),
            ([0xFE, 0xFF, 0xD8, 0x00], 0, "not valid UTF-16"),
            ([0, 0, 0, 0x3C, 0, 0x11, 0, 0], 0, "not valid UTF-32"),
        ] as [([UInt8], Int, String)])
    func `rejects malformed text`(bytes: [UInt8], offset: Int, words: String) {
        let failure = #expect(throws: ScanFailure.self) { try TextEncoding(detecting: bytes).decode(bytes) }
        #expect(failure?.offset == offset)
        #expect(failure?.reason.contains(words) == true, "\(failure?.reason ?? "")")
    }
}
