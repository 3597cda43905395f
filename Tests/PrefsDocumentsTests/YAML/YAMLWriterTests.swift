#if YAML
    import Foundation
    import Testing

    @testable import PrefsDocuments

    @Suite struct YAMLWriterTests {
        @Test func `a file is written by indentation, with sorted keys`() throws {
            let content: [String: PrefsValue] = [
                "http": ["port": 8080, "host": "localhost"], "list": ["a", ["x": 1, "z": 2], [1, 2]],
                "text": "one\ntwo\n", "empty": [:], "none": [], "no": "off",
            ]
            let text = String(decoding: try PrefsFileFormat.yaml.serialize(content), as: UTF8.self)
            #expect(
                text == """
                    empty: {}
                    http:
                      host: localhost
                      port: 8080
                    list:
                      - a
                      - x: 1
                        z: 2
                      - - 1
                        - 2
                    "no": "off"
                    none: []
                    text: |
                      one
                      two

                    """)
            #expect(try PrefsFileFormat.yaml.serialize([:]) == Array("{}\n".utf8))
        }

        static let quoted = [
            "", " ", " a", "a ", "true", "No", "~", "null", "1", "1.5", "0x1F", "1_000", "12:30",
            "2001-01-01",
            ".inf",
            "-x", "- x", "?", ":", "a:", "a: b", "a #b", "#a", "&a", "*a", "!a", "|", ">", "'a'", "\"a\"",
            "%a",
            "@a",
            "`a", "[a", "{a", "<<", "=", "a\tb", "a\u{85}", "\u{FEFF}", "a\u{2028}b", "\u{7F}", "\0", ",",
            "]",
            "---",
        ]

        @Test(arguments: quoted) func `text that might be taken for something else is in quotes`(text: String)
            throws
        {
            let written = String(
                decoding: try PrefsFileFormat.yaml.serialize(["a": .string(text)]), as: UTF8.self)
            #expect(written.hasPrefix("a: \"") && written.hasSuffix("\"\n"))
        }

        @Test(arguments: ["\u{202E}", "\u{2066}", "\u{1B}", "\u{9B}"])
        func `a character that controls a terminal is written as an escape`(control: String) throws {
            let digits = String(control.unicodeScalars.map(\.value).reduce(0, +), radix: 16, uppercase: true)
            let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            for text in ["x\(control)y", "x\ny\(control)\n"] {
                let written = String(
                    decoding: try PrefsFileFormat.yaml.serialize([text: .string(text)]), as: UTF8.self)
                #expect(!written.contains(control))
                #expect(written.components(separatedBy: escape).count == 3, "\(written)")
            }
        }

        static let plain = [
            "a", "a b", "30s", "a:b", "http://x/#y", "it's", "é", "a,b", "v1", "x - y", "/usr/bin", "1st",
        ]

        @Test(arguments: plain) func `text that is only text is not in quotes`(text: String) throws {
            let written = try PrefsFileFormat.yaml.serialize(["a": .string(text)])
            #expect(String(decoding: written, as: UTF8.self) == "a: \(text)\n")
        }

        static let unwritable: [PrefsValue] = [
            .integer(1 << 64), .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 0)),
            [[.data(Data())]],
            .dictionary([String(repeating: "k", count: 1001): 1]),
        ]

        @Test(arguments: unwritable) func `what YAML cannot represent names its key`(value: PrefsValue) {
            let error = #expect(throws: PrefsError.self) {
                try PrefsFileFormat.yaml.serialize(["a": ["b": value]])
            }
            #expect(error?.code == .notEncodable && error?.key?.hasPrefix("a.b") == true)
        }

        @Test func `a file written from any values reads back the same`() throws {
            let texts =
                Self.quoted + Self.plain + [
                    "a\nb", "a\n", "\n", "a\n\n", " a\nb", "a\n b", "a\n\nb\n", "#\n#",
                ]
            let content: [String: PrefsValue] = [
                "": "", "a.b": "é\u{7F}\u{1}\n\"\\", "b": true, "i": .integer(-9_223_372_036_854_775_808),
                "u": .integer(18_446_744_073_709_551_615), "r": 1e300, "s": .real(.leastNonzeroMagnitude),
                "one": 1.0,
                "n": .real(.nan), "m": .real(-.infinity), "z": .real(-0.0),
                "texts": .array(texts.map(PrefsValue.string)),
                "keys": .dictionary(Dictionary(uniqueKeysWithValues: texts.map { ($0, .string($0)) })),
                "deep": [[["x": [["y": [[:], []]]]], [[[1]]], ["t": "a\nb"]]], "nothing": [:],
                "flow": ["x": ["y": [1, ["z": "a\nb"]]]],
            ]
            let bytes = try PrefsFileFormat.yaml.serialize(content)
            #expect(try PrefsDocument(parsing: bytes, as: .yaml).content == content)
        }
    }
#endif
