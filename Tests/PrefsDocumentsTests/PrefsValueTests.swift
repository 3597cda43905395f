import FoundationEssentials
import PrefsDocuments
import Testing

struct PrefsValueTests {
    @Test func `reals and dates compare by bit pattern`() {
        #expect(PrefsValue.real(.nan) == .real(.nan))
        #expect(PrefsValue.real(0) != .real(-0.0))
        let zero = Date(timeIntervalSinceReferenceDate: 0)
        #expect(PrefsValue.date(zero) != .date(Date(timeIntervalSinceReferenceDate: -0.0)))
        #expect(PrefsValue.real(.nan).hashValue == PrefsValue.real(.nan).hashValue)
    }

    @Test func `texts and keys compare by their bytes`() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(PrefsValue.string(composed) != .string(decomposed))
        #expect(PrefsValue.array([.string(composed)]) != .array([.string(decomposed)]))
        #expect(PrefsValue.dictionary([composed: 1]) != .dictionary([decomposed: 1]))
        #expect(PrefsValue.dictionary([composed: 1, "a": 2]) == .dictionary(["a": 2, composed: 1]))
        #expect(PrefsValue.dictionary([composed: 1]) != .dictionary([composed: 2]))
    }

    @Test func `kinds are never confused`() {
        let values: [PrefsValue] = [
            "1", true, 1, 1.0, .data(Data()), .date(Date(timeIntervalSinceReferenceDate: 1)), [], [:],
        ]
        #expect(Set(values).count == values.count)
        #expect(values.map(\.kind) == PrefsValue.Kind.allCases)
    }

    @Test(
        arguments: [
            ("a\"\\\n\t\r\u{7}\u{85}", #""a\"\\\n\t\r\u{7}\u{85}""#), (true, "true"), (1, "1"), (1.0, "1.0"),
            (.data(Data([1])), "<AQ==>"),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01T00:00:00Z"),
            (.date(Date(timeIntervalSinceReferenceDate: 1e300)), "date(1e+300)"),
            (["b": [1, 2], "a": "x"], #"{"a": "x", "b": [1, 2]}"#),
        ] as [(PrefsValue, String)])
    func `a description is one line`(value: PrefsValue, text: String) {
        #expect(value.description == text)
    }
}
