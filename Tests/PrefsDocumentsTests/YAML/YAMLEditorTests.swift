#if YAML
    import Testing

    @testable import PrefsDocuments

    @Suite struct YAMLEditorTests {
        typealias Edit = PrefsDocument.Edit

        static let rows: [(before: String, edits: [Edit], after: String)] =
            values + texts + newKeys + flow + removals + anchors

        private static let values: [(before: String, edits: [Edit], after: String)] = [
            ("a: 0x10 # keep\nb: 0o7\n", [.set(["a"], to: 2)], "a: 2 # keep\nb: 0o7\n"),
            ("a: 1", [.set(["a"], to: true)], "a: true"),
            ("a: 1", [.set(["a"], to: 1.5)], "a: 1.5"),
            ("a: x # c\n", [.set(["a"], to: "y z")], "a: y z # c\n"),
            ("a: 'x'\n", [.set(["a"], to: "it's")], "a: 'it''s'\n"),
            ("a: 'x'\n", [.set(["a"], to: "l\n")], "a: \"l\\n\"\n"),
            ("a: \"x\"\n", [.set(["a"], to: "y")], "a: \"y\"\n"),
            ("a: 'x'\n", [.set(["a"], to: 3)], "a: 3\n"),
            ("a: x\n", [.set(["a"], to: "no")], "a: \"no\"\n"),
            ("a: x\n", [.set(["a"], to: "12:30")], "a: \"12:30\"\n"),
            ("a: x\n", [.set(["a"], to: "30s")], "a: 30s\n"),
            ("a: x\n", [.set(["a"], to: "http://h:1/#f")], "a: http://h:1/#f\n"),
            ("a: x\n", [.set(["a"], to: "b: c")], "a: \"b: c\"\n"),
            ("a: x\n", [.set(["a"], to: "")], "a: \"\"\n"),
            ("a: one\n  two # c\nb: 1\n", [.set(["a"], to: "x")], "a: x # c\nb: 1\n"),
            ("a: \"one\n  two\" # c\n", [.set(["a"], to: "x")], "a: \"x\" # c\n"),
            ("a: [1, # one\n  2]\n", [.set(["a"], to: [1, 2])], "a: [1, # one\n  2]\n"),
            ("a: [1, 2] # c\n", [.set(["a"], to: ["x", "y, z"])], "a: [x, \"y, z\"] # c\n"),
            ("a: 1\n", [.set(["a"], to: ["x": 1, "z": [:]])], "a: { x: 1, z: {} }\n"),
            (
                "l:\n  # first\n  - a\n  - b # last\nx: 1\n", [.set(["l"], to: ["c", ["k": 1, "m": 2]])],
                "l:\n  # first\n  - c\n  - k: 1\n    m: 2 # last\nx: 1\n"
            ),
            (
                "l:\n  # first\n  - h: 'a' # 1\n    # w: 1\n\n  # second\n  - h: b\n    # w: 2\n# about x\nx: 1\n",
                [.set(["l"], to: [["h": "a"], ["h": "b"], ["h": "c", "w": 3]])],
                "l:\n  # first\n  - h: 'a' # 1\n    # w: 1\n\n  # second\n  - h: b\n    # w: 2\n  - h: c\n    w: 3\n# about x\nx: 1\n"
            ),
            (
                "l:\n  # first\n  - h: 'a' # 1\n    # w: 1\n  # second\n  - h: b\nx: 1\n",
                [.set(["l"], to: [["h": "b", "w": 2]])], "l:\n  # second\n  - h: b\n    w: 2\nx: 1\n"
            ),
            ("l:\n- 0x1 # one\n- 2\n", [.set(["l"], to: [0, 1, 2])], "l:\n- 0\n- 0x1 # one\n- 2\n"),
            ("l: [0x1, 2] # c\n", [.set(["l"], to: [1, 2, "x"])], "l: [0x1, 2, x] # c\n"),
            (
                "l: [\n  0x1, # one\n  2 # two\n]\n", [.set(["l"], to: [1, 2, 3])],
                "l: [\n  0x1, # one\n  2, # two\n  3\n]\n"
            ),
            ("l:\n- |\n  x\n- b\n", [.set(["l"], to: ["x\n", "b", "c"])], "l:\n- |\n  x\n- b\n- c\n"),
            ("l:\n- a\n", [.set(["l"], to: [[1, 2], "x"])], "l:\n- - 1\n  - 2\n- x\n"),
            ("l:\n  - a\nx: 1\n", [.set(["l"], to: [])], "l: []\nx: 1\n"),
            ("h: # c\n  p: 1\nx: 1\n", [.set(["h"], to: 5)], "h: 5 # c\nx: 1\n"),
            ("é: ü\nb: 1\n", [.set(["b"], to: "ß")], "é: ü\nb: ß\n"),
            ("\u{FEFF}a: 1\r\nb: 2\r\n", [.set(["a"], to: 3)], "\u{FEFF}a: 3\r\nb: 2\r\n"),
        ]

        private static let texts: [(before: String, edits: [Edit], after: String)] = [
            ("a: |\n  x\nb: 1\n", [.set(["a"], to: "y\nz\n")], "a: |\n  y\n  z\nb: 1\n"),
            ("a: | # c\n  x\n\nb: 1\n", [.set(["a"], to: "y\nz")], "a: |- # c\n  y\n  z\n\nb: 1\n"),
            ("a: >\n  x\n  y\nb: 1\n", [.set(["a"], to: "y\n\nz\n")], "a: |\n  y\n\n  z\nb: 1\n"),
            ("a: | # c\n  x\n  y\nb: 1\n", [.set(["a"], to: "one")], "a: one # c\nb: 1\n"),
            ("a: |\n  x", [.set(["a"], to: 1)], "a: 1\n"),
            (
                "h:\n  a: |+\n    x\n\n  b: 1\n", [.set(["h", "a"], to: "y\nz")],
                "h:\n  a: |-\n    y\n    z\n  b: 1\n"
            ),
            ("a: |\n  x\nb: 1\n", [.set(["a"], to: " y\nz\n")], "a: \" y\\nz\\n\"\nb: 1\n"),
            ("a: 1\n", [.set(["b"], to: "x\ny\n")], "a: 1\nb: |\n  x\n  y\n"),
            ("a: 1\n", [.set(["b"], to: "x\n\n")], "a: 1\nb: \"x\\n\\n\"\n"),
            ("a: 1\n", [.set(["b"], to: ["x\ny"])], "a: 1\nb:\n  - |-\n    x\n    y\n"),
        ]

        private static let newKeys: [(before: String, edits: [Edit], after: String)] = [
            ("", [.set(["a"], to: 1)], "a: 1\n"), ("# c", [.set(["a"], to: 1)], "# c\na: 1\n"),
            ("---\n", [.set(["a"], to: 1)], "---\na: 1\n"),
            ("{}\n", [.set(["a", "b"], to: 1)], "a:\n  b: 1\n"),
            ("a: 1", [.set(["b"], to: 2)], "a: 1\nb: 2\n"),
            ("a: 1\n# end\n", [.set(["b"], to: 2)], "a: 1\nb: 2\n# end\n"),
            ("a: 1\n...\n", [.set(["b"], to: 2)], "a: 1\nb: 2\n...\n"),
            (
                "h:\n    p: 1 # c\n\nx: 1\n", [.set(["h", "q"], to: ["r": 2])],
                "h:\n    p: 1 # c\n    q:\n        r: 2\n\nx: 1\n"
            ),
            (
                "a:\n  b:\n    c: 1\n  d: |\n    x\n\ne: 1\n", [.set(["a", "f"], to: 2)],
                "a:\n  b:\n    c: 1\n  d: |\n    x\n  f: 2\n\ne: 1\n"
            ),
            (
                "a:\n  d: |+\n    x\n\ne: 1\n", [.set(["a", "f"], to: 2)],
                "a:\n  d: |+\n    x\n\n  f: 2\ne: 1\n"
            ),
            ("a:\n  d: one\n    two\n", [.set(["a", "f"], to: 2)], "a:\n  d: one\n    two\n  f: 2\n"),
            ("a:\n- 1\n", [.set(["b"], to: 2)], "a:\n- 1\nb: 2\n"),
            ("a: 1\r\n", [.set(["b"], to: ["c": 2])], "a: 1\r\nb:\r\n  c: 2\r\n"),
            ("\u{FEFF}a: 1\n", [.set(["b"], to: 2)], "\u{FEFF}a: 1\nb: 2\n"),
            ("\u{FEFF}a:\n  b: 1\nc: 2\n", [.set(["a", "d"], to: 2)], "\u{FEFF}a:\n  b: 1\n  d: 2\nc: 2\n"),
            ("a:\n  # b: 1\nc: 2\n", [.set(["a", "d"], to: 2)], "a:\n  # b: 1\n  d: 2\nc: 2\n"),
            (
                "x:\n    a: # c\n#      b: 1\n", [.set(["x", "a", "d"], to: 2)],
                "x:\n    a: # c\n        d: 2\n#      b: 1\n"
            ),
            ("a:\n  # b: 1\nc: 2\n", [.set(["a"], to: 2)], "a: 2\n  # b: 1\nc: 2\n"),
            ("a: 1\n", [.set(["odd: key", "no"], to: 2)], "a: 1\n\"odd: key\":\n  \"no\": 2\n"),
            ("a: 1\n", [.set(["b"], to: [:]), .set(["c"], to: [])], "a: 1\nb: {}\nc: []\n"),
            (
                "a: 1\n", [.set(["b"], to: [["x": 1, "z": [2]], [], [:]])],
                "a: 1\nb:\n  - x: 1\n    z:\n      - 2\n  - []\n  - {}\n"
            ),
        ]

        private static let flow: [(before: String, edits: [Edit], after: String)] = [
            ("a: {b: 1} # c\n", [.set(["a", "c"], to: 2)], "a: {b: 1, c: 2} # c\n"),
            ("a: {b: 1,}\n", [.set(["a", "c"], to: "x:y")], "a: {b: 1, c: \"x:y\",}\n"),
            ("a: {}\n", [.set(["a", "c"], to: 2)], "a: { c: 2 }\n"),
            ("a: {b: x}\n", [.set(["a", "b"], to: "y, z")], "a: {b: \"y, z\"}\n"),
            ("a: {b: 1, c: 2, d: 3}\n", [.remove(["a", "b"])], "a: {c: 2, d: 3}\n"),
            ("a: {b: 1, c: 2, d: 3}\n", [.remove(["a", "c"])], "a: {b: 1, d: 3}\n"),
            ("a: {b: 1, c: 2, d: 3}\n", [.remove(["a", "d"])], "a: {b: 1, c: 2}\n"),
            ("a: {b: 1}\n", [.remove(["a", "b"])], "a: {}\n"),
            ("a: {b: 1}\n", [.remove(["a", "b"]), .set(["a", "d"], to: 3)], "a: {d: 3}\n"),
            ("{\n  \"a\": 1\n}\n", [.set(["b"], to: 2)], "{\n  \"a\": 1,\n  b: 2\n}\n"),
            (
                "{\n  a: {x: 1},\n  b: 2\n}\n", [.set(["a", "z"], to: 2)],
                "{\n  a: {x: 1, z: 2},\n  b: 2\n}\n"
            ),
        ]

        private static let removals: [(before: String, edits: [Edit], after: String)] = [
            ("a: 1\nb: 2 # x\nc: 3\n", [.remove(["b"])], "a: 1\nc: 3\n"),
            (
                "a: 1\nb:\n  c: 1\n  # in b\n  d: 2\n# about e\ne: 3\n", [.remove(["b"])],
                "a: 1\n# about e\ne: 3\n"
            ),
            ("a: |\n  x\n\nb: 1\n", [.remove(["a"])], "b: 1\n"),
            ("a: |+\n  x\nb: |\n  y\n\nc: 1\n", [.remove(["b"])], "a: |+\n  x\nc: 1\n"),
            ("a:\n  b: 1\n", [.remove(["a", "b"])], "a: {}\n"),
            (
                "a: # 1\n  # 2\n  b: 1 # 3\n  # 4\n  c: 2\n  # 5\nd: 3\n",
                [.remove(["a", "b"]), .remove(["a", "c"])],
                "a: {} # 1\n  # 2\n  # 4\n  # 5\nd: 3\n"
            ),
            ("\u{FEFF}a: 1\nb: 2\n", [.remove(["a"])], "\u{FEFF}b: 2\n"), ("a: 1\n", [.remove(["a"])], ""),
            ("# c\na: 1\n", [.remove(["a"])], "# c\n"),
            ("a: 1\n", [.remove(["a"]), .set(["b"], to: 2)], "b: 2\n"),
            ("a:\n  b: 1\n", [.remove(["a", "b"]), .set(["a", "c"], to: 2)], "a:\n  c: 2\n"),
        ]

        private static let anchors: [(before: String, edits: [Edit], after: String)] = [
            ("a: &x 1\nb: *x\nc: 2\n", [.set(["c"], to: 3)], "a: &x 1\nb: *x\nc: 3\n"),
            ("a: &x 1\nb: *x\n", [.set(["b"], to: 3)], "a: &x 1\nb: 3\n"),
            ("a: &x 1\nb: *x\n", [.remove(["b"])], "a: &x 1\n"),
            ("a: &x 1\nb: [*x, 0x2]\n", [.set(["b"], to: [1, 2, 3])], "a: &x 1\nb: [*x, 0x2, 3]\n"),
            ("a: &x\n  y: 1\n", [.set(["a", "y"], to: 2)], "a: &x\n  y: 2\n"),
            (
                "b: &b\n  t: 1\nd:\n  <<: *b\n  o: 2\n", [.set(["d", "t"], to: 5)],
                "b: &b\n  t: 1\nd:\n  <<: *b\n  o: 2\n  t: 5\n"
            ),
            ("b: &b {t: 1}\nd: {<<: *b}\n", [.set(["d", "t"], to: 5)], "b: &b {t: 1}\nd: {<<: *b, t: 5}\n"),
        ]

        @Test(arguments: rows) func `an edit changes what it names, where a person would`(
            before: String, edits: [Edit], after: String
        ) throws {
            let document = try PrefsDocument(parsing: before, as: .yaml)
            let edited = String(decoding: try document.editing(edits), as: UTF8.self)
            #expect(edited == after)
            var content = document.content
            try EditTree(edits).apply(to: &content)
            #expect(try PrefsDocument(parsing: edited, as: .yaml).content == content)
        }

        static let rejections: [(text: String, edit: Edit, line: Int, reason: String)] = [
            ("x: 0\na: &x 1\nb: *x\n", .set(["a"], to: 2), 2, "the value has an anchor"),
            ("a: &x 1\nb: *x\n", .remove(["a"]), 1, "the value has an anchor"),
            ("a:\n  b: &x 1\nc: *x\n", .set(["a"], to: 2), 2, "the value has an anchor"),
            ("a: &x\n  y: 1\nb: *x\n", .set(["a", "y"], to: 2), 1, "whose alias on line 3 would change"),
            ("a: &x\n  y: 1\nb: *x\n", .set(["a", "z"], to: 2), 1, "whose alias on line 3 would change"),
            ("a: &x\n  y: 1\nb: *x\n", .set(["b", "y"], to: 2), 3, "comes from an anchor"),
            ("a: &x\n  y: 1\nb: *x\n", .remove(["b", "y"]), 3, "comes from an anchor"),
            ("a: &x {y: {z: 1}}\nb:\n  <<: *x\n", .set(["b", "y", "z"], to: 2), 1, "comes from an anchor"),
            ("a: &x\n  y: 1\nb:\n  <<: *x\n", .remove(["b", "y"]), 2, "comes from a merge key"),
            ("a: {b: 1, # c\n  d: 2}\n", .remove(["a", "b"]), 1, "may be a comment"),
            ("x: 0\n? a\n: b: 1\n", .remove(["a"]), 2, "not at the start of a line"),
        ]

        @Test(arguments: rejections)
        func `what cannot be changed alone is rejected with the line and the reason`(
            text: String, edit: Edit, line: Int, reason: String
        ) throws {
            let document = try PrefsDocument(parsing: text, as: .yaml)
            let error = #expect(throws: PrefsError.self) { try document.editing([edit]) }
            #expect(error?.code == .unsupported && error?.reason.contains(reason) == true, "\(error as Any)")
            guard case .line(line, _)? = error?.origin?.position else {
                Issue.record("\(error as Any)")
                return
            }
        }

        @Test func `an edit that exceeds a limit is rejected as too large`() throws {
            let limits = PrefsLimits(values: 3)
            let document = try PrefsDocument(parsing: "a: 1\nb: 2\n", as: .yaml, limits: limits)
            let error = #expect(throws: PrefsError.self) { try document.editing([.set(["c"], to: 3)]) }
            #expect(error?.code == .tooLarge)
        }

        @Test func `a key below a value that is not a mapping is rejected`() throws {
            let document = try PrefsDocument(parsing: "a: 1", as: .yaml)
            let error = #expect(throws: PrefsError.self) { try document.editing([.set(["a", "b"], to: 1)]) }
            #expect(error?.code == .wrongType && error?.key == "a")
        }
    }
#endif
