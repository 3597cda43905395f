import Testing

@testable import PrefsDocuments

struct ScalarTextTests {
    @Test(
        arguments: [
            ("0", 0), ("-1", -1), ("+7", 7), ("0x1F", 31), ("-0x10", -16), ("0X0a", 10),
            ("9223372036854775808", Int128(Int64.max) + 1), ("18446744073709551615", Int128(UInt64.max)),
            ("-9223372036854775808", Int128(Int64.min)), ("18446744073709551616", nil),
            ("-9223372036854775809", nil), ("", nil), ("-", nil), ("0x", nil), ("1.0", nil), (" 1", nil),
        ] as [(String, Int128?)])
    func `parses integers`(text: String, value: Int128?) {
        #expect(ScalarText.integer(Array(text.utf8)[...])?.value == value)
    }

    @Test(
        arguments: [
            ("1", 1), ("-1.5e3", -1500), (".5", 0.5), ("5.", 5), ("+1E-2", 0.01), ("inf", .infinity),
            ("-Infinity", -.infinity), ("1e999", nil), ("", nil), (".", nil), ("1e", nil), ("0x1p3", nil),
            ("infinite", nil), ("1 ", nil),
        ] as [(String, Double?)])
    func `parses reals`(text: String, value: Double?) {
        #expect(ScalarText.real(Array(text.utf8)[...]) == value)
    }

    @Test func `parses NaN`() {
        #expect(ScalarText.real(Array("NaN".utf8)[...])?.isNaN == true)
    }
}
