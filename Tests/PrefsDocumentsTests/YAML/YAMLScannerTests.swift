#if YAML
    import Foundation
    import Testing

    @testable import PrefsDocuments

    @Suite struct YAMLScannerTests {
        private func content(_ text: String) throws -> [String: PrefsValue] {
            try PrefsDocument(parsing: text, as: .yaml).content
        }

        @Test(arguments: YAMLRules.valid) func `valid YAML has the content of the core schema`(
            yaml: String, json: String
        ) throws {
            #expect(try content(yaml) == PrefsDocument(parsing: json, as: .json).content)
        }

        @Test(arguments: YAMLRules.invalid) func `an error names the place, and what to do`(
            yaml: String, description: String
        ) throws {
            let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: yaml, path: "f.yaml") }
            #expect(error?.description == "f.yaml:" + description)
            #expect(error?.code == .syntax)
        }

        @Test(arguments: [
            "tls:\n  # port: 443\nlog: 1", "tls: # TLS\n\n    # port: 443\n\nlog: 1",
            "tls:\n#  port: 443\n#  host: a\nlog: 1", "log: 1\ntls:\n  # port: 443",
            "log: 1\r\ntls:\r\n  # a\r\n",
            "\u{FEFF}tls:\n # port: 443\nlog: 1", "l: &l 1\nlog: *l\ntls:\n  # port: 443",
        ])
        func `a section all of whose keys are commented out is empty`(text: String) throws {
            let content = try content(text)
            #expect(content["tls"] == [:] && content["log"] == 1)
            let document = try PrefsDocument(parsing: text, as: .yaml)
            let edited = try document.editing([.set(["tls", "port"], to: 1), .set(["log"], to: 2)])
            let result = try PrefsDocument(parsing: edited, as: .yaml)
            #expect(result.content["tls"] == ["port": 1] && result.content["log"] == 2)
            #expect(
                result.text.bytes.count(where: { $0 == UInt8(ascii: "#") })
                    == text.utf8.count { $0 == UInt8(ascii: "#") })
        }

        static let specials: [(text: String, bits: UInt64)] = [
            (".inf", Double.infinity.bitPattern), ("+.Inf", Double.infinity.bitPattern),
            ("-.INF", (-Double.infinity).bitPattern), (".nan", Double.nan.bitPattern),
            (".NaN", Double.nan.bitPattern), (".NAN", Double.nan.bitPattern), ("-0.0", (-0.0).bitPattern),
        ]

        @Test(arguments: specials) func `infinities, NaN and negative zero are reals`(
            text: String, bits: UInt64
        )
            throws
        {
            guard case .real(let real)? = try content("a: \(text)")["a"] else {
                Issue.record("\(text) is no real")
                return
            }
            #expect(real.bitPattern == bits)
        }

        @Test func `values know their position, those of an alias that of their text`() throws {
            let text = """
                \u{FEFF}# é
                top: é
                a:
                  "b": &base
                    c: 1
                  list:
                    - x: 1
                    - [y, 'z']
                "d\\u0065": |
                  text
                copy: *base
                merged: {<<: *base, own: 2}
                """
            let root = try PrefsDocument(parsing: text, as: .yaml).root
            #expect(root["top"]?.position == .line(2, column: 1))
            #expect(root["a"]?["b"]?.position == .line(4, column: 3))
            #expect(root["a"]?["b"]?["c"]?.position == .line(5, column: 5))
            let elements = root["a"]?["list"].map { Array($0.elements) } ?? []
            #expect(elements.map(\.position) == [.line(7, column: 7), .line(8, column: 7)])
            #expect(elements[0]["x"]?.position == .line(7, column: 7))
            #expect(elements[1].elements.map(\.position) == [.line(8, column: 8), .line(8, column: 11)])
            #expect(root["de"]?.position == .line(9, column: 1))
            #expect(root["copy"]?.position == .line(11, column: 1))
            #expect(root["copy"]?["c"]?.position == .line(5, column: 5))
            #expect(root["merged"]?["c"]?.position == .line(5, column: 5))
            #expect(root["merged"]?["own"]?.position == .line(12, column: 21))
        }

        @Test func `bytes that are not UTF-8 are rejected at their position`() {
            let rows: [([UInt8], Int)] = [
                (Array("a: ".utf8) + [0xFF], 4), (Array("a: x".utf8) + [0xC3], 5),
                (Array("a: ".utf8) + [0xED, 0xA0, 0x80], 4), ([0xFF, 0xFE, 0x61, 0], 1),
            ]
            for (bytes, column) in rows {
                let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: bytes, as: .yaml) }
                #expect(error?.code == .syntax && error?.origin?.position == .line(1, column: column))
            }
        }

        @Test func `limits hold for brackets, indentation, values and keys`() {
            let limits = PrefsLimits(depth: 8, values: 50, keyLength: 100)
            let rows = [
                "a: " + String(repeating: "[", count: 9), "a: " + String(repeating: "{a: ", count: 9),
                (0..<9).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
                "a:\n" + String(repeating: "- ", count: 9) + "1", (0..<60).map { "k\($0): 1\n" }.joined(),
                "a: [\((0..<60).map(String.init).joined(separator: ","))]",
                String(repeating: "k", count: 101) + ": 1",
                "a: &a [1,1,1,1,1,1,1,1,1]\nb: [*a,*a,*a,*a,*a]",
                "a: &a [[[[1]]]]\nb: &b [[*a]]\nc: [[*b]]", "a: x" + String(repeating: "\u{301}", count: 40),
                "\"\\u0061" + String(repeating: "\u{301}", count: 40) + "\": 1",
            ]
            for text in rows {
                let error = #expect(throws: PrefsError.self, "\(text.prefix(60))") {
                    try PrefsDocument(parsing: text, as: .yaml, limits: limits)
                }
                #expect(error?.code == .tooLarge && error?.origin?.position != nil, "\(text.prefix(60))")
            }
        }

        /// Files of a few hundred bytes that stand for billions of values.
        static let bombs = [
            "a0: &a0 x\n" + (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined(),
            "a0: &a0 {k: \(String(repeating: "x", count: 200))}\n"
                + (1...30).map { "a\($0): &a\($0) {l: *a\($0 - 1), r: *a\($0 - 1)}\n" }.joined(),
            "a0: &a0 {k: x}\n"
                + (1...40).map { "a\($0): &a\($0) {<<: [*a\($0 - 1), *a\($0 - 1)]}\n" }.joined(),
            "a0: &a0 []\n" + (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined(),
        ]

        @Test(arguments: bombs) func `aliases cannot expand a file without bound`(bomb: String) {
            let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: bomb, as: .yaml) }
            #expect(error?.code == .tooLarge && error?.reason.contains("aliases expand the file") == true)
            #expect(error?.origin?.position != nil)
        }

        @Test func `an alias stands for the last value of its name, which may be in an earlier one`() throws {
            let root = try PrefsDocument(
                parsing: "a: &x\n  b: &x 1\n  c: *x\nd: *x\ne: &x {f: 2}\ng: *x\n", as: .yaml
            ).content
            #expect(root == ["a": ["b": 1, "c": 1], "d": 1, "e": ["f": 2], "g": ["f": 2]])
        }

        @Test func `values that aliases repeat within the limit are accepted`() throws {
            let merges = (0..<500).map { "m\($0): {<<: [*a, *b], own: 1}\n" }.joined()
            let aliases = (0..<500).map { "k\($0): *a\n" }.joined()
            let text = "a: &a {x: 1, y: [1, 2]}\nb: &b {<<: *a, z: 3}\n" + merges + aliases
            let root = try PrefsDocument(parsing: text, as: .yaml).root
            #expect(root.count == 1002)
            #expect(root["m499"]?.value == ["own": 1, "x": 1, "y": [1, 2], "z": 3])
            #expect(root["k499"]?.value == ["x": 1, "y": [1, 2]])
        }

        @Test func `nesting far beyond every limit is an error, not a crash`() {
            let rows = ["[", "{a: ", "- ", "? "].map { String(repeating: $0, count: 200_000) }
            for text in rows {
                let error = #expect(throws: PrefsError.self) {
                    try PrefsDocument(parsing: text, as: .yaml, root: nil)
                }
                #expect(error?.origin?.position != nil)
            }
        }

        @Test func `a changed anchor changes what its aliases stand for`() throws {
            let old = try PrefsDocument(parsing: "a: &x 1\nb: [*x]\nc: {d: 1, <<: {e: 2}}\n", as: .yaml)
            let new = try PrefsDocument(parsing: "a: &x 2\nb: [*x]\nc: {d: 1, <<: {e: 2}}\n", as: .yaml)
            var paths: [String] = []
            new.root.forEachDifference(from: old.root, at: nil) { paths.append($0.description) }
            #expect(paths.sorted() == ["a", "b"])
            #expect(new.root["c"]?.hasSameContent(as: try #require(old.root["c"])) == true)
        }
    }
#else
    import Testing

    @testable import PrefsDocuments

    @Suite struct YAMLScannerTests {
        @Test func `without the trait a YAML file is rejected with the reason`() {
            let error = #expect(throws: PrefsError.self) {
                try PrefsDocument(parsing: "a: 1", path: "f.yaml")
            }
            #expect(error?.code == .unsupported && error?.reason.contains("trait YAML") == true)
        }
    }
#endif
