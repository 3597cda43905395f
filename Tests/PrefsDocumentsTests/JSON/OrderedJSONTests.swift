import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct OrderedJSONTests {
    private static let value = OrderedJSON.object([
        ("z", .array([.number("1"), .null, .array([])])),
        ("a", .object([("b", .bool(true)), ("c", .object([]))])),
        ("list", .array([.object([("x", .string("\"\\\n\t\r\u{1}"))])])),
    ])

    @Test func `members keep their order on one line`() {
        #expect(
            Self.value.text
                == #"{"z": [1, null, []], "a": {"b": true, "c": {}}, "list": [{"x": "\"\\\n\t\r\u0001"}]}"#)
    }

    @Test func `members have lines of their own and arrays have one`() {
        #expect(
            Self.value.indentedText == #"""
                {
                  "z": [1, null, []],
                  "a": {
                    "b": true,
                    "c": {}
                  },
                  "list": [{
                      "x": "\"\\\n\t\r\u0001"
                    }]
                }
                """#)
    }

    @Test(
        arguments: [
            (.data(Data([1, 2])), #""AQI=""#), (.real(1), "1.0"), (.real(.nan), #""nan""#),
            (.integer(Int128(UInt64.max)), "18446744073709551615"),
            (["b": 1, "a": false], #"{"a": false, "b": 1}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), #""2001-01-01T00:00:00Z""#),
            (.date(Date(timeIntervalSinceReferenceDate: 0.5)), #""2001-01-01T00:00:00.5Z""#),
            (.date(Date(timeIntervalSinceReferenceDate: 1e300)), #""1e+300""#),
        ] as [(PrefsValue, String)])
    func `every value has a JSON form`(value: PrefsValue, text: String) {
        #expect(OrderedJSON(value).text == text)
    }
}
