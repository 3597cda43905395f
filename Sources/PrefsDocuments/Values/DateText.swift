package import FoundationEssentials

/// Dates as text in ISO 8601, in the proleptic Gregorian calendar and in UTC: `2026-01-31T12:00:00Z`.
///
/// `Date`'s own formatter switches to the Julian calendar before 1582. It traps on dates beyond any calendar,
/// and a hostile binary file may hold one.
package enum DateText {
    /// Parses a date-time with an offset (`Z`, `+01:00` or `+0100`), or a date, which means its midnight in
    /// UTC.
    package static func parse(_ text: String) -> Date? {
        var bytes = Array(text.utf8)
        let zone = bytes.count - 5
        if bytes.count > 19, "+-".utf8.contains(bytes[zone]) { bytes.insert(UInt8(ascii: ":"), at: zone + 3) }
        if bytes.count == 10 { bytes += Array("T00:00:00Z".utf8) }
        guard case .date(let seconds) = TOMLTime.parse(bytes[...]) else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Returns the text of a date, with as many digits of the fraction of a second as are necessary to read the
    /// same date back; `nil` for a date outside the years 0 to 9999.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard let whole = wholeSeconds(of: date) else { return nil }
        let fraction = seconds - seconds.rounded(.down)
        guard fraction > 0 else { return whole }
        for digits in 1...15 {
            let scaled = (fraction * power(of: digits)).rounded()
            guard scaled < power(of: digits) else { continue }
            let text = "\(whole.dropLast()).\(Int(scaled).digits(width: digits))Z"
            if parse(text)?.timeIntervalSinceReferenceDate == seconds { return text }
        }
        return whole
    }

    /// Returns the text of a date without its fraction of a second; `nil` for a date outside the years 0 to
    /// 9999.
    package static func wholeSeconds(of date: Date) -> String? {
        guard let text = PropertyListDate.text(date.timeIntervalSinceReferenceDate), text.utf8.count == 20,
            text.utf8.first?.isDigit == true
        else { return nil }
        return text
    }

    private static func power(of exponent: Int) -> Double {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
