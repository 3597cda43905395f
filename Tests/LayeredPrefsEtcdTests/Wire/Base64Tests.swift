#if Etcd
    import Foundation
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct Base64Tests {
        @Test func `agrees with Foundation for every length and byte`() {
            for length in 0...260 {
                let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ length) }
                #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
                #expect(Base64.decode(Array(Base64.encode(bytes).utf8)[...]) == bytes)
            }
        }

        @Test(arguments: ["a", "ab", "abc", "ab=c", "a===", "====", "ab-_", "ab c", "abcd="])
        func `rejects what is not base64`(_ text: String) {
            #expect(Base64.decode(Array(text.utf8)[...]) == nil)
        }
    }
#endif
