import FoundationEssentials
import Testing

@testable import LayeredPrefs

@Suite struct PrefsTextTests {
    @Test(arguments: [
        ("true", true), ("YES", true), (" on ", true), ("1", true), ("false", false), ("No", false),
        ("off", false), ("0", false), ("", nil), ("2", nil), ("y", nil),
    ])
    func booleansHaveEightWords(text: String, expected: Bool?) {
        #expect(PrefsText.bool(text) == expected)
    }

    @Test(arguments: [
        ("42", 42), (" -7 ", -7), ("+3", 3), ("3.0", nil), ("0x10", nil), ("", nil), ("1e3", nil),
    ])
    func integersAreDecimal(text: String, expected: Int?) {
        #expect(Int.storedForm(ofText: text).flatMap(Int.init(prefsValue:)) == expected)
    }

    @Test(arguments: [("1", 1.0), ("1.5", 1.5), ("-1e3", -1000), ("inf", .infinity), ("one", nil)])
    func realsAreWhatSwiftReads(text: String, expected: Double?) {
        #expect(Double.storedForm(ofText: text).flatMap(Double.init(prefsValue:)) == expected)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:10Z", 10.0), ("1970-01-01T01:00:10+01:00", 10),
        ("1970-01-01T00:00:10.250Z", 10.25),
        ("1970-01-02", 86400), ("yesterday", nil), ("1970-01-01T00:00:10Z and more", nil),
    ])
    func datesAreISO8601(text: String, expected: Double?) {
        #expect(PrefsText.date(text)?.timeIntervalSince1970 == expected)
    }

    @Test(arguments: [
        ("1,2,3", [1, 2, 3]), (" 1 , 2 ", [1, 2]), ("", []), ("[1, 2]", [1, 2]), ("1,,2", nil), ("1,x", nil),
        ("[1,\"2\"]", [1, 2]),
    ])
    func listsAreSeparatedByCommas(text: String, expected: [Int]?) {
        #expect([Int].storedForm(ofText: text).flatMap([Int].init(prefsValue:)) == expected)
    }

    @Test func listsOfStringsMayHoldCommasAsJSON() {
        #expect([String].storedForm(ofText: #"["a,b", "c"]"#) == ["a,b", "c"])
        #expect([String].storedForm(ofText: "[broken, list") == ["[broken", "list"])
        #expect([String].storedForm(ofText: "a,,b") == ["a", "", "b"])
    }

    @Test func dictionariesAreJSON() {
        #expect([String: Int].storedForm(ofText: #"{"a": 1, "b": 2}"#) == ["a": 1, "b": 2])
        #expect([String: Int].storedForm(ofText: "a=1") == nil)
        #expect(
            [String: Date].storedForm(ofText: #"{"a": "1970-01-01T00:00:00Z"}"#)
                == ["a": .date(Date(timeIntervalSince1970: 0))])
        #expect([String: [Double]].storedForm(ofText: #"{"a": [1, 2.5]}"#) == ["a": [1, 2.5]])
        #expect([String: Bool].storedForm(ofText: #"{"a": true}"#) == ["a": true])
    }

    @Test func dataIsBase64() {
        #expect(Data.storedForm(ofText: "AAH/") == .data(Data([0, 1, 255])))
        #expect(Data.storedForm(ofText: "not base64!") == nil)
    }
}
