import FoundationEssentials
import Testing

@testable import LayeredPrefs

@Suite struct PrefsTextTests {
    @Test(arguments: [
        ("true", true), ("YES", true), (" on ", true), ("1", true), ("false", false), ("No", false),
        ("off", false), ("0", false), ("", nil), ("2", nil), ("y", nil),
    ])
    func `Booleans have eight words`(text: String, expected: Bool?) {
        #expect(PrefsText.bool(text) == expected)
    }

    @Test(arguments: [
        ("42", 42), (" -7 ", -7), ("+3", 3), ("3.0", nil), ("0x10", nil), ("", nil), ("1e3", nil),
    ])
    func `integers are decimal`(text: String, expected: Int?) {
        #expect(Int.storedForm(ofText: text).flatMap(Int.init(prefsValue:)) == expected)
    }

    @Test(arguments: [
        ("1", 1.0), ("1.5", 1.5), ("-1e3", -1000), ("inf", .infinity), ("-Infinity", -.infinity),
        ("one", nil), ("1e400", nil), (" -1e400 ", nil), ("0x1p9999", nil),
    ])
    func `reals are parsed as Swift parses them, if they are not too large`(text: String, expected: Double?) {
        #expect(Double.storedForm(ofText: text).flatMap(Double.init(prefsValue:)) == expected)
    }

    @Test(arguments: [
        ("a, b", ["a", "b"]), ("", []), (#"["a,b", "c"]"#, ["a,b", "c"]), (" [ ] ", []),
        ("[::1]:80,[::2]:80", ["[::1]:80", "[::2]:80"]), ("[::1]", ["[::1]"]), ("[", ["["]),
        (#"["a","#, nil), (#"["a""#, nil), (#"[ "a"] x"#, nil), ("[a, b]", nil), ("[a, b", ["[a", "b"]),
        ("[1, 2]", nil),
    ])
    func `a list that is meant as JSON is not split at its commas`(text: String, expected: [String]?) {
        #expect([String].storedForm(ofText: text).flatMap([String].init(prefsValue:)) == expected)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:10Z", 10.0), ("1970-01-01T01:00:10+01:00", 10),
        ("1970-01-01T00:00:10.250Z", 10.25),
        ("1970-01-02", 86400), ("1000-01-01", -30_610_224_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("1970-01-01T01:00:10+0100", 10), ("1970-02-30", nil), ("1970-01-01T00:00:10", nil),
        ("yesterday", nil), ("1970-01-01T00:00:10Z and more", nil),
    ])
    func `dates are ISO 8601`(text: String, expected: Double?) {
        #expect(PrefsText.date(text)?.timeIntervalSince1970 == expected)
    }

    @Test(arguments: [
        ("1,2,3", [1, 2, 3]), (" 1 , 2 ", [1, 2]), ("", []), ("[1, 2]", [1, 2]), ("1,,2", nil), ("1,x", nil),
        ("[1,\"2\"]", [1, 2]),
    ])
    func `lists are separated by commas`(text: String, expected: [Int]?) {
        #expect([Int].storedForm(ofText: text).flatMap([Int].init(prefsValue:)) == expected)
    }

    @Test func `strings in JSON lists may contain commas`() {
        #expect([String].storedForm(ofText: #"["a,b", "c"]"#) == ["a,b", "c"])
        #expect([String].storedForm(ofText: "[broken, list") == ["[broken", "list"])
        #expect([String].storedForm(ofText: "a,,b") == ["a", "", "b"])
    }

    @Test func `dictionaries are JSON`() {
        #expect([String: Int].storedForm(ofText: #"{"a": 1, "b": 2}"#) == ["a": 1, "b": 2])
        #expect([String: Int].storedForm(ofText: "a=1") == nil)
        #expect(
            [String: Date].storedForm(ofText: #"{"a": "1970-01-01T00:00:00Z"}"#)
                == ["a": .date(Date(timeIntervalSince1970: 0))])
        #expect([String: [Double]].storedForm(ofText: #"{"a": [1, 2.5]}"#) == ["a": [1, 2.5]])
        #expect([String: Bool].storedForm(ofText: #"{"a": true}"#) == ["a": true])
    }

    @Test(arguments: [
        (#"{"a": 1.0}"#, nil), (#"{"a": 1e0}"#, nil), (#"{"a": 1}"#, 1), (#"{"a": -0}"#, 0),
        (#"{"a": 01}"#, nil),
        (#"{"a": true}"#, nil), (#"{"a": 1,}"#, nil), (#"{"a": 1} x"#, nil), (#"{"a": 2, "a": 1}"#, 1),
        (#"{"\u0061": 1}"#, 1), ("{\n\t\"a\" :1 }", 1), (#"{"a": "1"}"#, 1), (#"{"a": 0x1}"#, nil),
        ("{", nil), (#"{"a": 170141183460469231731687303715884105728}"#, nil), (#"{"a": null}"#, nil),
        ("{\u{B}}", nil),
    ])
    func `an integer in JSON must be written as an integer`(text: String, expected: Int?) {
        #expect([String: Int].storedForm(ofText: text) == expected.map { ["a": .integer(Int128($0))] })
    }

    @Test func `a list of integers rejects reals`() {
        #expect([Int].storedForm(ofText: "[1, 2.0]") == nil)
        #expect([Int].storedForm(ofText: "[1, 2]") == [1, 2])
    }

    @Test(arguments: [("1", 1.0), ("1.0", 1), ("-2.5e1", -25), ("1e999", nil), ("1.", nil), (".5", nil)])
    func `a real in JSON may be written as an integer`(text: String, expected: Double?) {
        let stored = [String: Double].storedForm(ofText: "{\"a\": \(text)}")
        #expect(stored.flatMap([String: Double].init(prefsValue:)) == expected.map { ["a": $0] })
    }

    @Test func `text with excessive nesting is rejected`() {
        let text = #"{"a": "# + String(repeating: "[", count: 1_000_000)
        #expect([String: [Int]].storedForm(ofText: text) == nil)
    }

    @Test func `data is base64`() {
        #expect(Data.storedForm(ofText: "AAH/") == .data(Data([0, 1, 255])))
        #expect(Data.storedForm(ofText: "not base64!") == nil)
    }
}
