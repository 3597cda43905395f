/// Dates and times in the notation of RFC 3339, as TOML restricts it.
enum TOMLTime {
    /// Parses a date-time with an offset, or recognizes a local date, time or date-time.
    static func parse(_ text: ArraySlice<UInt8>) -> TOMLScalar? {
        var rest = text
        guard text.dropFirst(2).first != UInt8(ascii: ":") else {
            return readTime(&rest) != nil && rest.isEmpty ? .local : nil
        }
        guard let year = rest.readDigits(4), rest.readByte("-"), let month = rest.readDigits(2),
            rest.readByte("-"), let day = rest.readDigits(2)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isPossible else { return nil }
        guard let separator = rest.popFirst() else { return .local }
        guard separator | 0x20 == UInt8(ascii: "t") || separator == 0x20, let time = readTime(&rest) else {
            return nil
        }
        guard !rest.isEmpty else { return .local }
        guard let offset = readOffset(&rest), rest.isEmpty else { return nil }
        return .date(Double(date.daysSince2001 * 86400 + time.seconds - offset) + time.fraction)
    }

    /// Reads `07:32:00.5`.
    private static func readTime(_ rest: inout ArraySlice<UInt8>) -> (seconds: Int, fraction: Double)? {
        guard let hour = rest.readDigits(2), rest.readByte(":"), let minute = rest.readDigits(2),
            rest.readByte(":"), let second = rest.readDigits(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { $0.isDigit }
            guard !digits.isEmpty else { return nil }
            fraction = Double("0." + String(decoding: digits.prefix(18), as: UTF8.self)) ?? 0
            rest = rest[digits.endIndex...]
        }
        return ((hour * 60 + minute) * 60 + second, fraction)
    }

    /// Reads `Z` or `-07:00`, in seconds.
    private static func readOffset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let sign = rest.popFirst() else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return 0 }
        guard "+-".utf8.contains(sign), let hour = rest.readDigits(2), rest.readByte(":"),
            let minute = rest.readDigits(2), hour < 24, minute < 60
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hour * 60 + minute) * 60
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func readDigits(_ count: Int) -> Int? {
        let digits = prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        self = dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    fileprivate mutating func readByte(_ byte: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: byte) else { return false }
        removeFirst()
        return true
    }
}
