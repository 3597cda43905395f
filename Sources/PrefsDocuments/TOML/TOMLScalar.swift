/// A value of TOML without quotes and brackets: a boolean, a number, or a date or time.
enum TOMLScalar {
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
        return try real(rest, isNegative: isNegative, from: start)
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
        let digits = text.withoutUnderscores
        guard !digits.isEmpty, digits.allSatisfy({ $0.isDigit(radix: radix) }),
            text.separates(UInt8(ascii: "_"), radix: radix)
        else { throw ScanFailure(start, "invalid number") }
        guard let magnitude = ScalarText.magnitude(digits, radix: radix),
            magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0)
        else {
            throw ScanFailure(start, "integer out of range: it does not fit 64 bits with a sign")
        }
        return .integer(Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude))
    }

    /// Digits, then a fraction, an exponent, or both; underscores and the point only between digits.
    private static func real(
        _ text: ArraySlice<UInt8>, isNegative: Bool, from start: Int
    ) throws(ScanFailure) -> TOMLScalar {
        let number = text.withoutUnderscores
        guard text.separates(UInt8(ascii: "_"), radix: 10), number.separates(UInt8(ascii: "."), radix: 10),
            ScalarText.isUnsignedDecimal(number),
            let value = Double(String(decoding: number, as: UTF8.self))
        else { throw ScanFailure(start, "invalid number") }
        guard value.isFinite else { throw ScanFailure(start, "number too large for a real") }
        return .real(isNegative ? -value : value)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func spells(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { unsafe span.hasSameBytes(as: $0.span) }
    }

    /// Returns true if a byte occurs only between two digits.
    fileprivate func separates(_ byte: UInt8, radix: UInt64) -> Bool {
        indices.allSatisfy { index in
            self[index] != byte
                || index > startIndex && self[index - 1].isDigit(radix: radix)
                    && index + 1 < endIndex && self[index + 1].isDigit(radix: radix)
        }
    }

    fileprivate var withoutUnderscores: ArraySlice<UInt8> {
        contains(UInt8(ascii: "_")) ? filter { $0 != UInt8(ascii: "_") }[...] : self
    }
}
