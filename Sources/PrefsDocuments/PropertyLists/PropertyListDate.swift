/// Dates in the notation of XML property lists, `2001-12-31T23:59:59Z`, in the proleptic Gregorian calendar,
/// converted to and from seconds since 2001.
enum PropertyListDate {
    /// Parses a date. Years have four to six digits and an optional sign; a fraction of a second is
    /// preserved.
    static func parse(_ text: ArraySlice<UInt8>) -> Double? {
        var rest = text
        let isBefore = rest.first == UInt8(ascii: "-")
        if isBefore { rest.removeFirst() }
        guard let year = rest.readNumber(digits: 4...6), rest.readMark("-"),
            let month = rest.readNumber(digits: 2...2), rest.readMark("-"),
            let day = rest.readNumber(digits: 2...2), rest.readMark("T"),
            let hour = rest.readNumber(digits: 2...2), rest.readMark(":"),
            let minute = rest.readNumber(digits: 2...2), rest.readMark(":"),
            let second = rest.readNumber(digits: 2...2),
            let fraction = rest.readFraction(), rest.readMark("Z"), rest.isEmpty
        else { return nil }
        let date = CivilDate(year: isBefore ? -year : year, month: month, day: day)
        guard date.isPossible, hour < 24, minute < 60, second < 60 else { return nil }
        let seconds = (date.daysSince2001 * 24 + hour) * 3600 + minute * 60 + second
        return Double(seconds) + fraction
    }

    /// Returns the date in whole seconds, rounded down; `nil` for a date beyond any calendar.
    static func text(_ secondsSince2001: Double) -> String? {
        guard abs(secondsSince2001) < 3e13 else { return nil }
        let total = Int(secondsSince2001.rounded(.down))
        let (days, second) = total.dividedDown(by: 86400)
        let date = CivilDate(daysSince2001: days)
        guard abs(date.year) <= 999_999 else { return nil }
        let year = (date.year < 0 ? "-" : "") + padded(abs(date.year), 4)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
        return "\(year)-\(padded(date.month, 2))-\(padded(date.day, 2))T\(time.joined(separator: ":"))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A day of the proleptic Gregorian calendar.
///
/// The conversions count days in eras of 400 years that begin in March, so that leap days come last in a
/// year.
struct CivilDate {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    private static let daysPerEra = 146_097
    /// From 1 March of year 0 to 1 January 2001.
    private static let daysTo2001 = 730_791

    init(daysSince2001: Int) {
        let (era, dayOfEra) = (daysSince2001 + Self.daysTo2001).dividedDown(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince2001: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysTo2001
    }

    var isPossible: Bool {
        (1...12).contains(month) && day >= 1 && day <= daysInMonth
    }

    private var daysInMonth: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

extension Int {
    /// Divides rounding down, so that the remainder is never negative.
    fileprivate func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
        let number = prefix { $0.isDigit }
        guard digits.contains(number.count) else { return nil }
        self = self[number.endIndex...]
        return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    fileprivate mutating func readMark(_ mark: Unicode.Scalar) -> Bool {
        popFirst() == UInt8(ascii: mark)
    }

    /// Reads `.25` as a quarter, and an absent fraction as zero.
    fileprivate mutating func readFraction() -> Double? {
        guard first == UInt8(ascii: ".") else { return 0 }
        let digits = dropFirst().prefix { $0.isDigit }
        guard (1...9).contains(digits.count) else { return nil }
        self = self[digits.endIndex...]
        return Double("0." + String(decoding: digits, as: UTF8.self))
    }
}
