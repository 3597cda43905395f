/// Reads a text that consists of numbers and units, such as `1h30m` or `1.5 GiB`.
struct QuantityText {
    /// A decimal number without an exponent: its digits, and how many of them follow the point.
    struct Number {
        var digits: Int128
        var decimals: Int

        /// Returns the number times a factor, plus an addend; `nil` if the result is not whole or does not fit.
        func times(_ factor: Int128, plus addend: Int128 = 0) -> Int128? {
            let (product, overflows) = digits.multipliedReportingOverflow(by: factor)
            var divisor: Int128 = 1
            for _ in 0..<decimals { divisor *= 10 }
            guard !overflows, product % divisor == 0 else { return nil }
            let (sum, sumOverflows) = (product / divisor).addingReportingOverflow(addend)
            return sumOverflows ? nil : sum
        }
    }

    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) {
        rest = Substring(text).utf8
        skipSpaces()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a character if it is the next one, and otherwise returns false.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number such as `90` or `1.5`. Returns `nil` if there is none, or if it has more than 19 digits
    /// before the point or 18 after it. No quantity needs more, and an `Int128` holds every number within these
    /// limits.
    mutating func number() -> Number? {
        guard let whole = digits(atMost: 19), !whole.isEmpty else { return nil }
        var number = Number(digits: whole.reduce(0, Self.append), decimals: 0)
        if skip(".") {
            guard let fraction = digits(atMost: 18), !fraction.isEmpty else { return nil }
            number.digits = fraction.reduce(number.digits, Self.append)
            number.decimals = fraction.count
        }
        return number
    }

    /// Reads letters, and the spaces before and after them.
    mutating func unit() -> String {
        skipSpaces()
        let letters = rest.prefix { !$0.isDigit && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".") }
        rest = rest.dropFirst(letters.count)
        skipSpaces()
        return String(Substring(letters))
    }

    private mutating func digits(atMost count: Int) -> Substring.UTF8View? {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest.dropFirst(digits.count)
        return digits.count <= count ? digits : nil
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    private static func append(_ number: Int128, _ digit: UInt8) -> Int128 {
        number * 10 + Int128(digit - UInt8(ascii: "0"))
    }
}
