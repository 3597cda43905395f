/// A value of TOML without quotes and brackets: a boolean, a number, or a date or time.
enum TOMLScalar: Equatable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// An offset date-time, in seconds since 2001.
    case date(Double)
    /// A date, time or date-time without an offset.
    case local

    /// Returns true for a byte that such a value may contain.
    static func isPart(_ byte: UInt8) -> Bool {
        TOMLScanner.isBare(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: ":")
    }

    init(_ text: ArraySlice<UInt8>) throws(ScanFailure) {
        if text.spells("true") {
            self = .bool(true)
        } else if text.spells("false") {
            self = .bool(false)
        } else if Self.looksLikeTime(text) {
            guard let time = TOMLTime.parse(text) else {
                throw ScanFailure(
                    text.startIndex, "invalid date or time; expected one such as 1979-05-27T07:32:00Z")
            }
            self = time
        } else {
            self = try Self.number(text)
        }
    }

    private static func looksLikeTime(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.prefix { $0.isDigit }
        let mark = text.dropFirst(digits.count).first
        return digits.count == 4 && mark == UInt8(ascii: "-")
            || digits.count == 2 && mark == UInt8(ascii: ":")
    }

    private static func number(_ text: ArraySlice<UInt8>) throws(ScanFailure) -> TOMLScalar {
        let start = text.startIndex
        var rest = text
        let sign = text.first.flatMap { "+-".utf8.contains($0) ? $0 : nil }
        if sign != nil { rest.removeFirst() }
        let isNegative = sign == UInt8(ascii: "-")
        if rest.spells("inf") { return .real(isNegative ? -.infinity : .infinity) }
        if rest.spells("nan") { return .real(isNegative ? -Double.nan : .nan) }
        guard let first = rest.first, first.isDigit else {
            throw ScanFailure(start, "expected a value; text needs quotes")
        }
        if first == UInt8(ascii: "0"), sign == nil, let radix = rest.dropFirst().first.flatMap(radix) {
            return try integer(rest.dropFirst(2), radix: radix, isNegative: false, from: start)
        }
        let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
        guard first != UInt8(ascii: "0") || digits.count == 1 else {
            throw ScanFailure(start, "invalid number: leading zero")
        }
        if digits.count == rest.count {
            return try integer(rest, radix: 10, isNegative: isNegative, from: start)
        }
        return try real(rest, digits: digits, sign: sign, from: start)
    }

    private static func radix(_ mark: UInt8) -> UInt64? {
        switch mark {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private static func integer(
        _ text: ArraySlice<UInt8>, radix: UInt64, isNegative: Bool, from start: Int
    ) throws(ScanFailure) -> TOMLScalar {
        guard text.areDigits({ $0.hexadecimalValue.map { UInt64($0) < radix } ?? false }) else {
            throw ScanFailure(start, "invalid number")
        }
        guard let magnitude = ScalarText.magnitude(text.withoutUnderscores, radix: radix),
            magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0)
        else { throw outOfRange(start) }
        return .integer(Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude))
    }

    private static func outOfRange(_ start: Int) -> ScanFailure {
        ScanFailure(start, "integer out of range: it does not fit 64 bits with a sign")
    }

    /// Digits, then a fraction, an exponent, or both; underscores only between digits.
    private static func real(
        _ text: ArraySlice<UInt8>, digits: ArraySlice<UInt8>, sign: UInt8?, from start: Int
    ) throws(ScanFailure) -> TOMLScalar {
        let invalid = ScanFailure(start, "invalid number")
        var rest = text[digits.endIndex...]
        guard digits.areDigits(\.isDigit) else { throw invalid }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let fraction = rest.prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
            guard fraction.areDigits(\.isDigit) else { throw invalid }
            rest = rest[fraction.endIndex...]
        }
        if let mark = rest.first {
            guard mark | 0x20 == UInt8(ascii: "e") else { throw invalid }
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard rest.areDigits(\.isDigit) else { throw invalid }
        }
        guard let value = Double(String(decoding: text.withoutUnderscores, as: UTF8.self)) else {
            throw invalid
        }
        guard value.isFinite else { throw ScanFailure(start, "number too large for a real") }
        return .real(sign == UInt8(ascii: "-") ? -value : value)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func spells(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { unsafe span.hasSameBytes(as: $0.span) }
    }

    /// Returns true for one or more digits, with underscores only between two of them.
    fileprivate func areDigits(_ isDigit: (UInt8) -> Bool) -> Bool {
        var mayBeSeparator = false
        for byte in self {
            if isDigit(byte) {
                mayBeSeparator = true
            } else {
                guard byte == UInt8(ascii: "_"), mayBeSeparator else { return false }
                mayBeSeparator = false
            }
        }
        return mayBeSeparator
    }

    fileprivate var withoutUnderscores: ArraySlice<UInt8> {
        contains(UInt8(ascii: "_")) ? filter { $0 != UInt8(ascii: "_") }[...] : self
    }
}
