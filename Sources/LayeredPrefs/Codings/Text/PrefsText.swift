package import PrefsDocuments
package import FoundationEssentials

/// Parsers for the text of environment variables and command lines, by the requested type.
package enum PrefsText {
    package static func bool(_ text: String) -> Bool? {
        switch trimmed(text).lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    package static func integer(_ text: String) -> Int128? { Int128(trimmed(text)) }

    /// Parses a real as Swift does, except for a number that is too large: Swift makes it infinity, and this
    /// returns `nil`.
    package static func real(_ text: String) -> Double? {
        let text = trimmed(text)
        guard let value = Double(text) else { return nil }
        return value.isInfinite && text.contains(where: \.isNumber) ? nil : value
    }

    /// Returns the end of a message about a text that is a number, but too large for the expected integer or real.
    /// Returns an empty string for any other text.
    package static func rangeHint(_ text: String, expected: String) -> String {
        let text = trimmed(text)
        guard expected == Int.prefsExpectation || expected == Double.prefsExpectation,
            text.contains(where: \.isNumber), let value = Double(text), value.magnitude >= 0x1p63
        else { return "" }
        return ", which is out of range"
    }

    /// Returns the end of a message about a text if a dictionary is expected: the advice to write JSON. Otherwise,
    /// returns an empty string.
    package static func dictionaryHint(expected: String) -> String {
        let isDictionary = expected.hasPrefix(PrefsValue.Kind.dictionary.description)
        return isDictionary ? #"; write it as JSON, such as {"name": "value"}"# : ""
    }

    package static func data(_ text: String) -> Data? { Data(base64Encoded: trimmed(text)) }

    package static func date(_ text: String) -> Date? { DateText.parse(trimmed(text)) }

    /// Parses a comma-separated list, or a JSON array, whose strings may contain commas.
    ///
    /// A text that is meant as JSON but is not valid JSON is not a list of its pieces.
    package static func list(
        _ text: String, element: (String) -> PrefsValue?, accepts: (PrefsValue) -> Bool
    ) -> PrefsValue? {
        let text = trimmed(text)
        if text.isEmpty { return .array([]) }
        if isMeantAsJSON(text) {
            guard case .array(let elements) = json(text) else { return nil }
            return elements.allOrNone { fitting($0, element, accepts) }.map(PrefsValue.array)
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return parts.allOrNone { element(trimmed(String($0))) }.map(PrefsValue.array)
    }

    /// Returns true for a text that begins with the bracket of a JSON array. This is a guess, because the first
    /// element of a list may also be in brackets, such as in `[::1]:80,[::2]:80`.
    private static func isMeantAsJSON(_ text: String) -> Bool {
        guard text.hasPrefix("[") else { return false }
        if case .array = json(text) { return true }
        let rest = text.utf8.dropFirst()
        if trimmed(String(text.dropFirst())).hasPrefix("\"") { return true }
        // In a list, the bracket is closed within the first element, or not at all.
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
            let comma = rest.firstIndex(of: UInt8(ascii: ","))
        else { return false }
        return comma < end
    }

    package static func dictionary(
        _ text: String, value: (String) -> PrefsValue?, accepts: (PrefsValue) -> Bool
    ) -> PrefsValue? {
        guard case .dictionary(let content) = json(text) else { return nil }
        return content.allOrNone { fitting($0, value, accepts) }.map(PrefsValue.dictionary)
    }

    /// Converts a JSON value for a type. JSON has neither dates nor data, so a string that is not itself
    /// accepted is parsed as the type parses text.
    private static func fitting(
        _ value: PrefsValue, _ parse: (String) -> PrefsValue?, _ accepts: (PrefsValue) -> Bool
    ) -> PrefsValue? {
        if accepts(value) { return value }
        guard case .string(let text) = value else { return nil }
        return parse(text)
    }

    package static func trimmed(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}
