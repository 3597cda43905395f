import PrefsDocuments
import FoundationEssentials

/// A reader for a short JSON text, such as an environment variable or an argument. Its functions return `nil`
/// for invalid text.
struct JSONTextReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// The maximum nesting depth; no setting needs more.
    private static let maximalDepth = 64

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func wholeText() -> PrefsValue? {
        guard let value = value() else { return nil }
        skipBlanks()
        return offset == bytes.count ? value : nil
    }

    private mutating func value() -> PrefsValue? {
        skipBlanks()
        switch current {
        case UInt8(ascii: "{"): return nested { $0.dictionary() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "\""): return string().map(PrefsValue.string)
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout Self) -> PrefsValue?) -> PrefsValue? {
        guard depth < Self.maximalDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    /// Reads an object; of duplicate keys the last one wins, as in files.
    private mutating func dictionary() -> PrefsValue? {
        var content: [String: PrefsValue] = [:]
        let isWhole = list(from: "{", to: "}") { reader in
            reader.skipBlanks()
            guard let key = reader.string() else { return false }
            reader.skipBlanks()
            guard reader.take(":"), let value = reader.value() else { return false }
            content[key] = value
            return true
        }
        return isWhole ? .dictionary(content) : nil
    }

    private mutating func array() -> PrefsValue? {
        var elements: [PrefsValue] = []
        let isWhole = list(from: "[", to: "]") { reader in
            guard let value = reader.value() else { return false }
            elements.append(value)
            return true
        }
        return isWhole ? .array(elements) : nil
    }

    private mutating func list(
        from opening: String, to closing: String, _ element: (inout Self) -> Bool
    ) -> Bool {
        guard take(opening) else { return false }
        skipBlanks()
        if take(closing) { return true }
        repeat {
            guard element(&self) else { return false }
            skipBlanks()
        } while take(",")
        return take(closing)
    }
}

extension JSONTextReader {
    private mutating func string() -> String? {
        let start = offset
        guard take("\"") else { return nil }
        while offset < bytes.count, current != UInt8(ascii: "\"") {
            offset += current == UInt8(ascii: "\\") ? 2 : 1
        }
        guard take("\"") else { return nil }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[start..<offset]))
    }

    /// Reads `-`, digits without a leading zero, a fraction and an exponent; nothing else is accepted.
    private mutating func number() -> PrefsValue? {
        let start = offset
        _ = take("-")
        let digits = offset
        guard skipDigits(), bytes[digits] != UInt8(ascii: "0") || offset == digits + 1 else { return nil }
        let end = offset
        if take("."), !skipDigits() { return nil }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard skipDigits() else { return nil }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard offset > end else { return Int128(text).map(PrefsValue.integer) }
        return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while UInt8(ascii: "0")...UInt8(ascii: "9") ~= current { offset += 1 }
        return offset > start
    }

    private mutating func skipBlanks() {
        while " \t\n\r".utf8.contains(current) { offset += 1 }
    }

    /// The next byte; after the end, a byte that is not valid anywhere in JSON.
    private var current: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func take(_ word: String) -> Bool {
        guard offset <= bytes.count, bytes[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }
}
