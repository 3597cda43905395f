import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct JSONScannerTests {
    private static func parse(_ text: String) throws -> PrefsDocument {
        try PrefsDocument(parsing: Array(text.utf8), as: .json, path: "f.json")
    }

    @Test(
        arguments: [
            ("1", .integer(1)), ("-0", .integer(0)), ("1.0", .real(1)), ("1e3", .real(1000)),
            ("-2.5E-2", .real(-0.025)),
            ("18446744073709551615", .integer(Int128(UInt64.max))),
            ("-9223372036854775808", .integer(Int128(Int64.min))),
            ("true", .bool(true)), ("false", .bool(false)), ("\"\"", .string("")),
            (#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00 é""#, .string("\"\\/\u{8}\u{C}\n\r\té😀 é")),
            ("[]", .array([])), ("[1, [2], {}]", .array([1, [2], [:]])),
            ("{ \"a\" : 1 }", .dictionary(["a": 1])),
        ] as [(String, PrefsValue)])
    func `reads every kind of value`(of text: String, as value: PrefsValue) throws {
        #expect(try Self.parse("{\"k\": \(text)}").content == ["k": value])
    }

    /// A text, the column of its error, and part of the message.
    static let faults: [(text: String, column: Int, words: String)] = [
        ("", 1, "the file is empty"), ("  ", 1, "the file is empty"), ("[1]", 1, "expected a dictionary"),
        ("{\"a\": null}", 7, "null"), ("{\"a\": 01}", 7, "leading zero"),
        ("{\"a\": -}", 8, "expected a value"),
        ("{\"a\": 1.}", 9, "digit after the decimal point"), ("{\"a\": 1e}", 9, "digit in the exponent"),
        ("{\"a\": +1}", 7, "expected a value"), ("{\"a\": NaN}", 7, "expected a value"),
        ("{\"a\": 18446744073709551616}", 7, "neither Int64 nor UInt64"), ("{\"a\": 1e999}", 7, "too large"),
        ("{\"a\": tru}", 7, "expected true"), ("{\"a\": \"x}", 7, "unterminated string"),
        ("{\"a\": \"\\x\"}", 8, "invalid escape"), ("{\"a\": \"\\u12G4\"}", 8, "four hexadecimal digits"),
        ("{\"a\": \"\\uD800\"}", 8, "unpaired surrogate"),
        ("{\"a\": \"\\uD800\\u0041\"}", 8, "unpaired surrogate"),
        ("{\"a\": \"\u{1}\"}", 8, "control character"), ("{\"a\": \"\t\"}", 8, "control character"),
        ("{a: 1}", 2, "a key in quotes"), ("{\"a\" 1}", 6, "“:” after the key"),
        ("{\"a\": 1,}", 9, "a key in quotes"),
        ("{\"a\": [1,]}", 10, "expected a value"), ("{\"a\": 1 \"b\": 2}", 9, "expected “,” or “}”"),
        ("{\"a\": [1}", 9, "expected “,” or “]”"), ("{\"a\": 1", 8, "found the end of the file"),
        ("{} x", 4, "content after"), ("{} // x", 4, "content after"),
        ("{\"a\": 'x'}", 7, "expected a value"),
    ]

    @Test(arguments: faults.indices)
    func `an error names the column`(index: Int) {
        let (text, column, words) = Self.faults[index]
        let error = #expect(throws: PrefsError.self) { try Self.parse(text) }
        #expect(error?.origin == PrefsOrigin(file: "f.json", position: .line(1, column: column)), "\(text)")
        #expect(error?.reason.contains(words) == true, "\(text): \(error?.description ?? "")")
    }

    @Test func `an error names the line`() {
        let error = #expect(throws: PrefsError.self) { try Self.parse("{\n  \"a\": 1,\n  \"b\": x\n}") }
        #expect(error?.description == "f.json:3:8: expected a value, found a letter")
    }

    @Test func `writes an indented layout with sorted keys`() throws {
        let content: [String: PrefsValue] = ["b": [1, 1.0, []], "a": ["x": "q\"\n\u{1}", "e": [:]]]
        let text = String(decoding: try PrefsFileFormat.json.serialize(content), as: UTF8.self)
        #expect(
            text == """
                {
                  "a": {
                    "e": {},
                    "x": "q\\"\\n\\u0001"
                  },
                  "b": [
                    1,
                    1.0,
                    []
                  ]
                }

                """)
    }

    @Test(
        arguments: [
            .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 0)), .real(.nan), .real(.infinity),
            .integer(Int128(UInt64.max) + 1),
        ] as [PrefsValue])
    func `a value that JSON cannot represent is rejected with its key`(_ value: PrefsValue) {
        let error = #expect(throws: PrefsError.self) {
            try PrefsFileFormat.json.serialize(["a": ["b": value]])
        }
        #expect(error?.code == .notEncodable)
        #expect(error?.key == "a.b")
    }

    @Test func `a value on one line has no white space, and sorted keys`() throws {
        let value: PrefsValue = ["y": [1, 2.0, true], "x": "a \"b\""]
        #expect(
            String(decoding: try value.compactJSON(), as: UTF8.self) == #"{"x":"a \"b\"","y":[1,2.0,true]}"#)
        #expect(throws: PrefsError.self) { try PrefsValue.array([.real(.nan)]).compactJSON() }
    }
}
