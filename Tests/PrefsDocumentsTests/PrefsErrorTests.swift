import Foundation
import PrefsDocuments
import Testing

struct PrefsErrorTests {
    @Test(
        arguments: [
            (nil, nil, "bad"), ("k", nil, "k: bad"),
            ("k", PrefsOrigin(file: "/f", position: .line(3, column: 4)), "/f:3:4: k: bad"),
            (nil, PrefsOrigin(layer: "user", file: "/f", position: .line(3, column: nil)), "user /f:3: bad"),
            (nil, PrefsOrigin(file: "/f", position: .byte(9)), "/f:byte 9: bad"), (nil, PrefsOrigin(), "bad"),
        ] as [(String?, PrefsOrigin?, String)])
    func `a description is place, key and reason`(key: String?, origin: PrefsOrigin?, text: String) {
        #expect(PrefsError(.invalid, key: key, origin: origin, reason: "bad").description == text)
    }

    @Test func `Foundation shows the description and a stable code`() {
        let origin = PrefsOrigin(file: "/f", position: .line(3, column: 4))
        let error: any Error = PrefsError(.wrongType, key: "k", origin: origin, reason: "bad")
        #expect(error.localizedDescription == "/f:3:4: k: bad")
        #expect((error as NSError).code == 6)
        #expect((error as NSError).domain == "LayeredPrefs.PrefsError")
    }

    @Test func `no two codes have one number`() {
        let codes: [PrefsError.Code] = [
            .syntax, .tooLarge, .unreadable, .notARegularFile, .untrusted, .wrongType, .invalid,
            .notEncodable, .unwritable, .notWritable, .broken, .locked, .busy, .missing, .unsupported,
            .cancelled, .unknownKey, .ambiguous, .usage, .notDurable, .unconfirmed, .undecided,
        ]
        #expect(codes.map(\.number) == Array(1...22))
    }
}
