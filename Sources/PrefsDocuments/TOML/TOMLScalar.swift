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
        if text.elementsEqual("true".utf8) {
            self = .bool(true)
        } else if text.elementsEqual("false".utf8) {
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
        if rest.elementsEqual("inf".utf8) { return .real(isNegative ? -.infinity : .infinity) }
        if rest.elementsEqual("nan".utf8) { return .real(isNegative ? -Double.nan : .nan) }
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
        guard let digits = text.withoutSeparators({ $0.hexadecimalValue.map { UInt64($0) < radix } ?? false })
        else { throw ScanFailure(start, "invalid number") }
        guard let magnitude = ScalarText.magnitude(digits[...], radix: radix),
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
        var number = sign.map { [$0] } ?? []
        var rest = text[digits.endIndex...]
        guard let whole = digits.withoutSeparators(\.isDigit) else { throw invalid }
        number += whole
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let fraction = rest.prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
            guard let plain = fraction.withoutSeparators(\.isDigit) else { throw invalid }
            number += [UInt8(ascii: ".")] + plain
            rest = rest[fraction.endIndex...]
        }
        if let mark = rest.first {
            guard mark | 0x20 == UInt8(ascii: "e") else { throw invalid }
            rest.removeFirst()
            number.append(UInt8(ascii: "e"))
            if let sign = rest.first, "+-".utf8.contains(sign) {
                number.append(sign)
                rest.removeFirst()
            }
            guard let plain = rest.withoutSeparators(\.isDigit) else { throw invalid }
            number += plain
        }
        guard let value = Double(String(decoding: number, as: UTF8.self)) else { throw invalid }
        guard value.isFinite else { throw ScanFailure(start, "number too large for a real") }
        return .real(value)
    }
}

extension ArraySlice<UInt8> {
    /// Returns the digits without the underscores between them; `nil` if there are none, if anything else is
    /// among them, or if an underscore is not between two digits.
    fileprivate func withoutSeparators(_ isDigit: (UInt8) -> Bool) -> [UInt8]? {
        var digits: [UInt8] = []
        var mayBeSeparator = false
        for byte in self {
            if isDigit(byte) {
                digits.append(byte)
                mayBeSeparator = true
            } else {
                guard byte == UInt8(ascii: "_"), mayBeSeparator else { return nil }
                mayBeSeparator = false
            }
        }
        return mayBeSeparator ? digits : nil
    }
}
