#if YAML
    /// A plain scalar of YAML, resolved by the core schema of YAML 1.2: `no`, `12:30` and `2001-01-01` are text.
    enum YAMLScalar {
        case null
        case bool(Bool)
        case integer(IntegerBits)
        case real(Double)
        case string

        /// - Parameters:
        ///   - text: The scalar without quotes.
        ///   - offset: The offset of the scalar, for errors.
        init(_ text: ArraySlice<UInt8>, at offset: Int) throws(ScanFailure) {
            guard let first = text.first else {
                self = .null
                return
            }
            switch first {
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                self = try Self.number(text, at: offset)
            case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"),
                UInt8(ascii: "T"),
                UInt8(ascii: "f"), UInt8(ascii: "F"):
                self = text.count <= 5 ? Self.word(String(decoding: text, as: UTF8.self)) : .string
            default: self = .string
            }
        }

        private static func word(_ text: String) -> YAMLScalar {
            switch text {
            case "~", "null", "Null", "NULL": .null
            case "true", "True", "TRUE": .bool(true)
            case "false", "False", "FALSE": .bool(false)
            default: .string
            }
        }

        private static func number(_ text: ArraySlice<UInt8>, at offset: Int) throws(ScanFailure)
            -> YAMLScalar
        {
            if text.starts(with: "0o".utf8) || text.starts(with: "0x".utf8) {
                return try based(
                    text.dropFirst(2), radix: text.dropFirst().first == UInt8(ascii: "o") ? 8 : 16, offset)
            }
            var rest = text
            let isNegative = rest.first == UInt8(ascii: "-")
            if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            if let special = special(rest, isSigned: rest.count < text.count, isNegative: isNegative) {
                return special
            }
            guard ScalarText.isUnsignedDecimal(rest) else { return .string }
            guard rest.allSatisfy(\.isDigit) else {
                guard let real = Double(String(decoding: text, as: UTF8.self)), real.isFinite else {
                    throw ScanFailure(offset, "number too large for a real; put a text in quotes")
                }
                return .real(real)
            }
            return try integer(rest, radix: 10, isNegative: isNegative, offset)
        }

        private static func special(_ text: ArraySlice<UInt8>, isSigned: Bool, isNegative: Bool)
            -> YAMLScalar?
        {
            guard text.count == 4, text.first == UInt8(ascii: ".") else { return nil }
            switch String(decoding: text, as: UTF8.self) {
            case ".inf", ".Inf", ".INF": return .real(isNegative ? -.infinity : .infinity)
            case ".nan", ".NaN", ".NAN": return isSigned ? nil : .real(.nan)
            default: return nil
            }
        }

        private static func based(_ digits: ArraySlice<UInt8>, radix: UInt64, _ offset: Int)
            throws(ScanFailure)
            -> YAMLScalar
        {
            guard !digits.isEmpty, digits.allSatisfy({ $0.isDigit(radix: radix) }) else { return .string }
            return try integer(digits, radix: radix, isNegative: false, offset)
        }

        private static func integer(
            _ digits: ArraySlice<UInt8>, radix: UInt64, isNegative: Bool, _ offset: Int
        ) throws(ScanFailure) -> YAMLScalar {
            guard let magnitude = ScalarText.magnitude(digits, radix: radix),
                let integer = IntegerBits(magnitude: magnitude, isNegative: isNegative)
            else {
                throw ScanFailure(
                    offset, "integer out of range: fits neither Int64 nor UInt64; put a text in quotes")
            }
            return .integer(integer)
        }
    }
#endif
