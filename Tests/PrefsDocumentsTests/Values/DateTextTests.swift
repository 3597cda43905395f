import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct DateTextTests {
    static let days = [
        "0001-01-01", "1000-01-01", "1582-10-04", "1582-10-15", "1900-02-28", "2000-02-29", "9999-12-31",
    ]

    @Test(arguments: days, ["T00:00:00Z", "T23:59:59Z", "T12:00:00.25Z"])
    func `dates of every year are shown as they are written`(day: String, time: String) throws {
        let date = try #require(DateText.parse(day + time))
        #expect(DateText.text(of: date) == day + time)
        #expect(PrefsValue.date(date).description == day + time)
        #expect(OrderedJSON.text(of: date) == day + time)
    }

    @Test(arguments: days, [PrefsFileFormat.toml, .xmlPropertyList, .binaryPropertyList])
    func `dates of every year pass through every format that has dates`(
        day: String, format: PrefsFileFormat
    ) throws {
        let content: [String: PrefsValue] = ["a": .date(try #require(DateText.parse(day)))]
        let bytes = try format.serialize(content)
        #expect(try PrefsDocument(parsing: bytes, as: format).content == content)
        guard format != .binaryPropertyList else { return }
        #expect(String(decoding: bytes, as: UTF8.self).contains(day + "T00:00:00Z"))
    }

    @Test func `every 37th day from year 1 to year 9999 is read as it is shown`() throws {
        for days in stride(from: -730_485, through: 2_921_573, by: 37) {
            let date = Date(timeIntervalSinceReferenceDate: Double(days) * 86400)
            let text = try #require(DateText.text(of: date))
            #expect(DateText.parse(text) == date)
        }
    }

    @Test(arguments: [
        "-0001-01-01", "10000-01-01", "1999-02-29", "2001-01-01T00:00:00", "2001-01-01T10:00Z", "",
    ])
    func `what is no date of these years has no value`(text: String) {
        #expect(DateText.parse(text) == nil)
    }
}
