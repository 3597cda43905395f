import FoundationEssentials
package import LayeredPrefs

extension PrefsValue {
    /// The value as text that `prefs set` accepts.
    ///
    /// Strings stay unchanged. Numbers and Booleans are written as in files, data in base64, dates in ISO 8601,
    /// and arrays and dictionaries in JSON.
    package var plainText: String {
        switch self {
        case .string(let value): value
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .data(let value): value.base64EncodedString()
        case .date(let value): OrderedJSON.text(of: value)
        case .array, .dictionary: OrderedJSON(self).text
        }
    }
}
