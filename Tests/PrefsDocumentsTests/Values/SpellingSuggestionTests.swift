import Testing

@testable import PrefsDocuments

struct SpellingSuggestionTests {
    @Test(arguments: [("prot", "port", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0)])
    func `the distance is the fewest edits`(_ lhs: String, _ rhs: String, _ distance: Int) {
        #expect(SpellingSuggestion.distance(lhs, rhs) == distance)
    }

    @Test(
        arguments: [
            ("prot", "port"), ("HTTP.PORT", "http.port"), ("http.prt", "http.port"), ("zzz", nil), ("", nil),
        ] as [(String, String?)])
    func `suggests the nearest name if it is near enough`(name: String, suggestion: String?) {
        #expect(SpellingSuggestion.nearest(to: name, among: ["port", "http.port", "log"]) == suggestion)
    }

    @Test func `suggests nothing for a text longer than any name`() {
        let text = String(repeating: "a", count: 100_000)
        #expect(SpellingSuggestion.nearest(to: text, among: [text + "b"]) == nil)
    }
}
