import Testing

@testable import PrefsDocuments

struct PropertyListDateTests {
    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", -978_307_200),
        ("0001-01-01T00:00:00Z", -63_113_904_000),
    ])
    func `converts to seconds since 2001 and back`(text: String, seconds: Double) {
        #expect(PropertyListDate.parse(Array(text.utf8)[...]) == seconds)
        #expect(PropertyListDate.text(seconds) == text)
    }

    @Test(arguments: [
        "2001-02-29T00:00:00Z", "2001-13-01T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:60Z",
        "2001-01-01 00:00:00Z", "2001-01-01T00:00:00", "01-01-01T00:00:00Z", "",
    ])
    func `rejects what is no date`(_ text: String) {
        #expect(PropertyListDate.parse(Array(text.utf8)[...]) == nil)
    }

    @Test func `a fraction is read and rounded down when written`() {
        #expect(PropertyListDate.parse(Array("2001-01-01T00:00:01.75Z".utf8)[...]) == 1.75)
        #expect(PropertyListDate.text(1.75) == "2001-01-01T00:00:01Z")
        #expect(PropertyListDate.text(-0.25) == "2000-12-31T23:59:59Z")
    }

    @Test(arguments: [3e13, -3e13, .infinity, .nan])
    func `a date beyond any calendar has no text`(_ seconds: Double) {
        #expect(PropertyListDate.text(seconds) == nil)
    }
}
