import Foundation
import Testing

@testable import PrefsDocuments

@Suite struct TOMLScannerTests {
    private func content(_ text: String) throws -> [String: PrefsValue] {
        try PrefsDocument(parsing: text, as: .toml).content
    }

    @Test(arguments: TOMLRules.valid) func `valid TOML has the content that the specification gives it`(
        toml: String, json: String
    ) throws {
        #expect(try content(toml) == PrefsDocument(parsing: json, as: .json).content)
    }

    @Test(arguments: TOMLRules.invalid) func `invalid TOML is rejected with a position`(toml: String) throws {
        let error = #expect(throws: PrefsError.self) { try content(toml) }
        #expect(error?.code == .syntax)
        guard case .line? = error?.origin?.position else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    static let dates: [(text: String, seconds: Double)] = [
        ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00z", 0), ("2001-01-01t00:00:01Z", 1),
        ("2001-01-01 00:00:01Z", 1), ("2001-01-01T01:30:00+01:30", 0), ("2000-12-31T17:00:00-07:00", 0),
        ("2001-01-01T00:00:00.25Z", 0.25), ("2001-01-01T00:00:00.999999999999999999999Z", 1),
        ("2001-01-01T00:00:00-00:00", 0), ("2000-02-29T00:00:00Z", -307 * 86400),
        ("2000-12-31T23:59:60Z", 0),
    ]

    @Test(arguments: dates) func `a date-time with an offset is an instant`(text: String, seconds: Double)
        throws
    {
        let date = try #require(try content("a = \(text) # x")["a"])
        #expect(date == .date(Date(timeIntervalSinceReferenceDate: seconds)))
    }

    static let specials: [(text: String, bits: UInt64)] = [
        ("inf", Double.infinity.bitPattern), ("+inf", Double.infinity.bitPattern),
        ("-inf", (-Double.infinity).bitPattern), ("nan", Double.nan.bitPattern),
        ("+nan", Double.nan.bitPattern),
        ("-nan", (-Double.nan).bitPattern), ("-0.0", (-0.0).bitPattern),
    ]

    @Test(arguments: specials) func `infinities, NaN and negative zero are reals`(text: String, bits: UInt64)
        throws
    {
        guard case .real(let real)? = try content("a = \(text)")["a"] else {
            Issue.record("\(text) is no real")
            return
        }
        #expect(real.bitPattern == bits)
    }

    static let errors: [(text: String, description: String)] = [
        ("a = 1\nb = tru\n", "f.toml:2:5: expected a value; text needs quotes"),
        ("[a]\n[b]\n[a]", "f.toml:3:2: duplicate key “a” (first defined on line 1); a table is defined once"),
        (
            "a = 1\na = 2",
            "f.toml:2:1: duplicate key “a” (first defined on line 1); a key may appear only once"
        ),
        ("a = \"x\ny\"", "f.toml:1:5: unterminated string"),
        ("a = [1 2]", "f.toml:1:8: expected “,” or “]”, found a digit"),
        ("a = {b = 1,}", "f.toml:1:12: expected a key, found “}”"),
        ("a = 1 b = 2", "f.toml:1:7: expected the end of the line, found a letter"),
        ("a = 9223372036854775808", "f.toml:1:5: integer out of range: it does not fit 64 bits with a sign"),
        ("a = 1979-02-29", "f.toml:1:5: invalid date or time; expected one such as 1979-05-27T07:32:00Z"),
        (
            "a = {b = 1}\na.c = 2",
            "f.toml:2:1: duplicate key “a” (first defined on line 1); a key may appear only once"
        ),
    ]

    /// Texts that define a key twice, in different ways, with the line of the second definition.
    static let conflicts: [(text: String, line: Int)] = [
        ("a = 1\n[a]", 2), ("a = 1\n[[a]]", 2), ("a = 1\n[a.b]", 2), ("a = 1\na.b = 2", 2),
        ("a = []\n[[a]]", 2),
        ("[a]\nb = 1\n[a.b]", 3), ("[a.b]\n[a]\nb = 1", 3), ("[a]\nb = 1\n[x]\n[a.b.c]", 4),
        ("a.b = 1\na = 2", 2), ("a.b = 1\n[a]", 2), ("a.b = 1\na.b.c = 2", 2), ("a.b.c = 1\na.b = 2", 2),
        ("[[a]]\n[a]", 2), ("[a]\n[[a]]", 2), ("[[a]]\nb = 1\n[a.b]", 3), ("[[a]]\n[a.b]\n[[a.b]]", 3),
        ("x = {a = 1, a = 2}", 1), ("x = {a = 1, a.b = 2}", 1), ("x = {a.b = 1, a = 2}", 1),
        ("[x]\n\"é\" = 1\n\n\"e\u{301}\" = 2", 4), ("\"\\u0061\" = 1\n[x]\n[a]", 3),
    ]

    @Test(arguments: conflicts) func `a key cannot be defined twice, in whatever ways`(
        text: String, line: Int
    ) {
        for filler in ["", (0..<20).map { "f\($0) = 1\n" }.joined()] {
            let error = #expect(throws: PrefsError.self) {
                try PrefsDocument(parsing: filler + text, as: .toml)
            }
            #expect(error?.code == .syntax && error?.reason.hasPrefix("duplicate key") == true, "\(text)")
            guard case .line(let found, _)? = error?.origin?.position else {
                Issue.record("\(text) has no line")
                return
            }
            #expect(found == line + filler.count { $0 == "\n" }, "\(text)")
        }
    }

    @Test func `tables in any order have their entries in the order of definition`() throws {
        let text = """
            top = 1
            [b.x]
            k = [1, {l = 2}]
            [a]
            k.m = 2
            [b.y]
            [[c.d]]
            n = 1
            [a.z]
            [b]
            k = 4
            [[c.d]]
            n = 2
            [c.d.e]
            """
        let root = try PrefsDocument(parsing: text, as: .toml).root
        #expect(root.entries.map(\.key) == ["top", "b", "a", "c"])
        #expect(root["b"]?.entries.map(\.key) == ["x", "y", "k"])
        #expect(root["a"]?.entries.map(\.key) == ["k", "z"])
        let json = #"""
            {"top": 1, "b": {"x": {"k": [1, {"l": 2}]}, "y": {}, "k": 4}, "a": {"k": {"m": 2}, "z": {}},
             "c": {"d": [{"n": 1}, {"n": 2, "e": {}}]}}
            """#
        let same = try PrefsDocument(parsing: json, as: .json).root
        #expect(root.hasSameContent(as: same) && same.hasSameContent(as: root))
        #expect(root["b"]?["k"]?.position == .line(11, column: 1))
        #expect(root["a"]?["k"]?["m"]?.position == .line(5, column: 3))
    }

    @Test(arguments: [
        ("999999999999999999", PrefsValue.integer(999_999_999_999_999_999)),
        ("-999999999999999999", .integer(-999_999_999_999_999_999)), ("-0", 0), ("-0.0", .real(-0.0)),
        ("0.5", 0.5),
        ("9223372036854775807", .integer(9_223_372_036_854_775_807)),
        ("-9223372036854775808", .integer(-9_223_372_036_854_775_808)),
        ("1234567890123456789.5", .real(1_234_567_890_123_456_789.5)), ("1.5e3", 1500.0), ("1_0.2_5", 10.25),
    ]) func `plain and other numbers have the same values`(text: String, value: PrefsValue) throws {
        for (head, tail) in [("", ""), ("", "\n"), ("", "# c"), ("[", ",]"), ("{b=", "}")] {
            let found = try PrefsDocument(parsing: "a = \(head)\(text)\(tail)", as: .toml).root["a"]
            #expect(
                (found?.elements.first { _ in true } ?? found?["b"] ?? found)?.value == value,
                "\(head)\(text)\(tail)")
        }
    }

    @Test(arguments: errors) func `an error names the place, and what to do`(
        text: String, description: String
    ) {
        let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: text, path: "f.toml") }
        #expect(error?.description == description)
    }

    @Test func `bytes that are not UTF-8 are rejected at their position`() {
        for bytes: [UInt8] in [[0x61, 0x3D, 0x22, 0xFF, 0x22], [0x23, 0xC3], [0xFF, 0xFE, 0x61, 0]] {
            let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: bytes, as: .toml) }
            #expect(error?.code == .syntax)
        }
    }

    @Test func `values know their position`() throws {
        let text = "top = 1\n\n[a.b]\n  c = 1\n\"d\".e = 'x'\n[[list]]\nx = {y = 1}\n"
        let root = try PrefsDocument(parsing: text, as: .toml).root
        #expect(root["top"]?.position == .line(1, column: 1))
        #expect(root["a"]?["b"]?.position == .line(3, column: 4))
        #expect(root["a"]?["b"]?["c"]?.position == .line(4, column: 3))
        #expect(root["a"]?["b"]?["d"]?["e"]?.position == .line(5, column: 5))
        #expect(root["a"]?["b"]?["d"]?.position == .line(5, column: 1))
        #expect(root["list"]?.elements.first { _ in true }?["x"]?["y"]?.position == .line(7, column: 6))
    }

    @Test func `limits hold for brackets, braces, dots and headers`() {
        let limits = PrefsLimits(depth: 8, values: 50)
        let deep = [
            "a = " + String(repeating: "[", count: 9), "a = " + String(repeating: "{a = ", count: 9),
            Array(repeating: "a", count: 10).joined(separator: ".") + " = 1",
            "[\(Array(repeating: "a", count: 10).joined(separator: "."))]",
            "[a.b.c.d]\ne.f.g.h.i = 1", (0..<60).map { "k\($0) = 1\n" }.joined(),
            "a = [\((0..<60).map(String.init).joined(separator: ","))]",
            String(repeating: "[[a]]\n", count: 60),
        ]
        for text in deep {
            let error = #expect(throws: PrefsError.self) {
                try PrefsDocument(parsing: text, as: .toml, limits: limits)
            }
            #expect(error?.code == .tooLarge, "\(text.prefix(60))")
        }
    }

    @Test func `a file written from any values reads back the same`() throws {
        let content: [String: PrefsValue] = [
            "": "", "a.b": "é\u{7F}\u{1}\n\"\\", "b": true, "i": .integer(-9_223_372_036_854_775_808),
            "r": 1e300,
            "n": .real(.nan), "m": .real(-.infinity), "z": .real(-0.0),
            "d": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
            "e": .date(Date(timeIntervalSinceReferenceDate: 123_456_789.123456)),
            "list": [1, "x", [true], ["k": 1]], "empty": [],
            "table": ["x": ["y": [:]], "z": 1, "q r": ["s": 2]],
            "tables": [["a": 1, "b": ["c": 2]], [:], ["l": [["m": 1]]]], "nothing": [:],
        ]
        let bytes = try PrefsFileFormat.toml.serialize(content)
        #expect(try PrefsDocument(parsing: bytes, as: .toml).content == content)
    }

    static let unwritable: [PrefsValue] = [
        .integer(1 << 63), .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 1e12)),
        [[.data(Data())]],
    ]

    @Test(arguments: unwritable) func `what TOML cannot represent names its key`(value: PrefsValue) {
        let error = #expect(throws: PrefsError.self) {
            try PrefsFileFormat.toml.serialize(["a": ["b": value]])
        }
        #expect(error?.code == .notEncodable && error?.key?.hasPrefix("a.b") == true)
    }
}
