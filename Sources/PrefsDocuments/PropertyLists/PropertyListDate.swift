/// Dates in the notation of XML property lists, `2001-12-31T23:59:59Z`, in the proleptic Gregorian calendar,
/// converted to and from seconds since 2001.
enum PropertyListDate {
    /// Parses a date. Years have four to six digits and an optional sign; a fraction of a second is
    /// preserved.
    static func parse(_ text: ArraySlice<UInt8>) -> Double? {
        var rest = text
        let isBefore = rest.first == UInt8(ascii: "-")
        if isBefore { rest.removeFirst() }
        guard var date = rest.readDate(yearDigits: 4...6), rest.readMark("T"),
            let time = rest.readTime(lastSecond: 59, fractionDigits: 9), rest.readMark("Z"), rest.isEmpty
        else { return nil }
        if isBefore { date.year.negate() }
        return Double(date.daysSince2001 * 86400 + time.seconds) + time.fraction
    }

    /// Returns the date in whole seconds, rounded down; `nil` for a date more than about 950,000 years from 2001.
    static func text(_ secondsSince2001: Double) -> String? {
        guard abs(secondsSince2001) < 3e13 else { return nil }
        let total = Int(secondsSince2001.rounded(.down))
        let (days, second) = total.dividedDown(by: 86400)
        let date = CivilDate(daysSince2001: days)
        guard abs(date.year) <= 999_999 else { return nil }
        let year = (date.year < 0 ? "-" : "") + abs(date.year).digits(width: 4)
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0.digits(width: 2) }
        return
            "\(year)-\(date.month.digits(width: 2))-\(date.day.digits(width: 2))T\(time.joined(separator: ":"))Z"
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
}

extension CivilDate {
    private static let daysPerEra = 146_097
    /// The number of days from 1 March of year 0 to 1 January 2001.
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
    /// Reads `2001-12-31`. Returns `nil` for an impossible day, such as 30 February.
    mutating func readDate(yearDigits: ClosedRange<Int>) -> CivilDate? {
        guard let year = readNumber(digits: yearDigits), readMark("-"),
            let month = readNumber(digits: 2...2), readMark("-"), let day = readNumber(digits: 2...2)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        return date.isPossible ? date : nil
    }

    /// Reads `07:32:00.5`.
    ///
    /// - Parameters:
    ///   - lastSecond: The largest number of seconds; 60 if the format has leap seconds.
    ///   - fractionDigits: The largest number of digits of the fraction.
    mutating func readTime(
        lastSecond: Int, fractionDigits: Int = .max
    ) -> (seconds: Int, fraction: Double)? {
        guard let hour = readNumber(digits: 2...2), readMark(":"), let minute = readNumber(digits: 2...2),
            readMark(":"), let second = readNumber(digits: 2...2), hour < 24, minute < 60,
            second <= lastSecond
        else { return nil }
        var fraction = 0.0
        if first == UInt8(ascii: ".") {
            let digits = dropFirst().prefix { $0.isDigit }
            guard !digits.isEmpty, digits.count <= fractionDigits else { return nil }
            fraction = Double("0." + String(decoding: digits.prefix(18), as: UTF8.self)) ?? 0
            self = self[digits.endIndex...]
        }
        return ((hour * 60 + minute) * 60 + second, fraction)
    }

    mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
        let number = prefix { $0.isDigit }
        guard digits.contains(number.count) else { return nil }
        self = self[number.endIndex...]
        return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    mutating func readMark(_ mark: Unicode.Scalar) -> Bool {
        popFirst() == UInt8(ascii: mark)
    }
}
