/// Numbers in the notation of property lists, and the parts that other formats share with it.
enum ScalarText {
    /// Parses a decimal number with an optional sign, or a hexadecimal one with `0x`, from `Int64.min` to
    /// `UInt64.max`.
    static func integer(_ text: ArraySlice<UInt8>) -> IntegerBits? {
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits.removeFirst(2) }
        guard let magnitude = magnitude(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
        return IntegerBits(magnitude: magnitude, isNegative: isNegative)
    }

    /// Returns the number that some digits represent; `nil` if there are no digits, or if it exceeds `UInt64.max`.
    static func magnitude(_ digits: ArraySlice<UInt8>, radix: UInt64) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard let digit = digit.hexadecimalValue, UInt64(digit) < radix else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: radix)
            let (sum, isTooLargeNow) = product.addingReportingOverflow(UInt64(digit))
            guard !isTooLarge, !isTooLargeNow else { return nil }
            value = sum
        }
        return value
    }

    /// Parses a decimal number with an optional exponent, or one of Apple's words for infinity and NaN.
    /// Returns `nil` for a number too large for a `Double`.
    static func real(_ text: ArraySlice<UInt8>) -> Double? {
        if isDecimal(text) {
            let value = Double(String(decoding: text, as: UTF8.self))
            return value.flatMap { $0.isFinite ? $0 : nil }
        }
        guard text.count <= 9 else { return nil }
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: return nil
        }
    }

    private static func isDecimal(_ text: ArraySlice<UInt8>) -> Bool {
        let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
        return isUnsignedDecimal(isSigned ? text.dropFirst() : text)
    }

    /// Returns true for digits with at most one point among or beside them, and perhaps an exponent.
    static func isUnsignedDecimal(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        var digits = rest.dropDigits()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            digits += rest.dropDigits()
        }
        guard digits > 0 else { return false }
        guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return rest.isEmpty }
        rest.removeFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        return rest.dropDigits() > 0 && rest.isEmpty
    }
}

extension ArraySlice<UInt8> {
    /// Removes the leading digits; returns their number.
    mutating func dropDigits() -> Int {
        let rest = drop { $0.isDigit }
        defer { self = rest }
        return count - rest.count
    }
}
