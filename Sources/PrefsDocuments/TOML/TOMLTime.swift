/// Dates and times in the notation of RFC 3339, as TOML restricts it.
enum TOMLTime {
    /// Parses a date-time with an offset, or recognizes a local date, time or date-time.
    static func parse(_ text: ArraySlice<UInt8>) -> TOMLScalar? {
        var rest = text
        guard text.dropFirst(2).first != UInt8(ascii: ":") else {
            return rest.readTime(lastSecond: 60) != nil && rest.isEmpty ? .local : nil
        }
        guard let date = rest.readDate(yearDigits: 4...4) else { return nil }
        guard let separator = rest.popFirst() else { return .local }
        guard separator | 0x20 == UInt8(ascii: "t") || separator == 0x20,
            let time = rest.readTime(lastSecond: 60)
        else {
            return nil
        }
        guard !rest.isEmpty else { return .local }
        guard let offset = readOffset(&rest), rest.isEmpty else { return nil }
        return .date(Double(date.daysSince2001 * 86400 + time.seconds - offset) + time.fraction)
    }

    /// Reads `Z` or `-07:00`, and returns the offset in seconds.
    private static func readOffset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let sign = rest.popFirst() else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return 0 }
        guard "+-".utf8.contains(sign), let hour = rest.readNumber(digits: 2...2), rest.readMark(":"),
            let minute = rest.readNumber(digits: 2...2), hour < 24, minute < 60
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hour * 60 + minute) * 60
    }
}
