/// Reads JSON (RFC 8259) in one pass over its bytes.
///
/// A number without a fraction and an exponent is an integer, and any other number is a real: `1.0` stays a
/// real. `null` has no counterpart among preferences, so it is rejected. So is everything that is not in RFC
/// 8259, such as comments and trailing commas.
struct JSONScanner {
    let bytes: [UInt8]
    var offset = 0
    var builder: DocumentBuilder

    /// The token that may come next.
    private enum Expectation {
        case value, firstElement, firstKey, key, commaOrEnd
    }

    init(_ builder: DocumentBuilder) {
        bytes = builder.text.bytes
        self.builder = builder
    }

    mutating func scan() throws(ScanFailure) -> DocumentBuilder {
        offset = TextEncoding.start(of: bytes)
        skipBlanks()
        guard offset < bytes.count else { throw ScanFailure(0, "the file is empty; expected a JSON object") }
        var next = Expectation.value
        repeat { next = try scanItem(next) } while builder.container != nil
        skipBlanks()
        guard offset == bytes.count else {
            throw ScanFailure(offset, "unexpected content after the outermost value: \(found)")
        }
        return builder
    }
}

extension JSONScanner: ValueScanner {
    mutating func scanValue(at start: Int) throws(ScanFailure) {
        offset = start
        _ = try scanItem(.value)
    }
}

extension JSONScanner {
    private mutating func scanItem(_ expectation: Expectation) throws(ScanFailure) -> Expectation {
        skipBlanks()
        switch expectation {
        case .firstElement where current == UInt8(ascii: "]"), .firstKey where current == UInt8(ascii: "}"):
            return try closeContainer()
        case .value, .firstElement: return try scanValue()
        case .firstKey, .key: return try scanKey()
        case .commaOrEnd: return try scanCommaOrEnd()
        }
    }

    private mutating func scanKey() throws(ScanFailure) -> Expectation {
        guard current == UInt8(ascii: "\"") else {
            throw ScanFailure(offset, "expected a key in quotes, found \(found)")
        }
        let run = try readString()
        try builder.setKey(run)
        skipBlanks()
        try skip(UInt8(ascii: ":"), "“:” after the key")
        return .value
    }

    private mutating func scanCommaOrEnd() throws(ScanFailure) -> Expectation {
        let isDictionary = builder.container == .dictionary
        if current == UInt8(ascii: ",") {
            offset += 1
            return isDictionary ? .key : .value
        }
        guard current == (isDictionary ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw ScanFailure(offset, "expected “,” or \(isDictionary ? "“}”" : "“]”"), found \(found)")
        }
        return try closeContainer()
    }

    private mutating func closeContainer() throws(ScanFailure) -> Expectation {
        offset += 1
        try builder.closeContainer(at: offset)
        return .commaOrEnd
    }

    private mutating func scanValue() throws(ScanFailure) -> Expectation {
        let start = offset
        switch current {
        case UInt8(ascii: "{"):
            offset += 1
            try builder.openContainer(.dictionary, at: start)
            return .firstKey
        case UInt8(ascii: "["):
            offset += 1
            try builder.openContainer(.array, at: start)
            return .firstElement
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "t"): try scanBool(true)
        case UInt8(ascii: "f"): try scanBool(false)
        case UInt8(ascii: "n"):
            throw ScanFailure(offset, "null is not supported; remove the key")
        default: try scanNumber()
        }
        return .commaOrEnd
    }

    private mutating func scanString() throws(ScanFailure) {
        let start = offset
        let run = try readString()
        try builder.add(.string, run, range: start..<offset)
    }

    private mutating func scanBool(_ value: Bool) throws(ScanFailure) {
        let start = offset
        let word = value ? "true" : "false"
        guard bytes[offset...].starts(with: word.utf8) else { throw ScanFailure(start, "expected \(word)") }
        offset += word.utf8.count
        try builder.add(.bool, payload: value ? 1 : 0, range: start..<offset)
    }

    /// `-`, digits without a leading zero, a fraction, an exponent; nothing else.
    private mutating func scanNumber() throws(ScanFailure) {
        let start = offset
        if current == UInt8(ascii: "-") { offset += 1 }
        let digits = offset
        try skipDigits("a value")
        guard bytes[digits] != UInt8(ascii: "0") || offset == digits + 1 else {
            throw ScanFailure(digits, "invalid number: leading zero")
        }
        let isInteger = try !skipFraction()
        let text = bytes[start..<offset]
        guard isInteger else {
            guard let real = ScalarText.real(text) else {
                throw ScanFailure(start, "number too large for a real")
            }
            return try builder.add(.real, payload: real.bitPattern, range: start..<offset)
        }
        guard let integer = ScalarText.integer(text) else {
            throw ScanFailure(start, "integer out of range: fits neither Int64 nor UInt64")
        }
        try builder.add(integer, range: start..<offset)
    }

    /// Skips a fraction and an exponent; returns true if there was either.
    private mutating func skipFraction() throws(ScanFailure) -> Bool {
        let start = offset
        if current == UInt8(ascii: ".") {
            offset += 1
            try skipDigits("a digit after the decimal point")
        }
        if current | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { offset += 1 }
            try skipDigits("a digit in the exponent")
        }
        return offset > start
    }

    private mutating func skipDigits(_ expected: String) throws(ScanFailure) {
        guard current.isDigit else { throw ScanFailure(offset, "expected \(expected), found \(found)") }
        while current.isDigit { offset += 1 }
    }
}
