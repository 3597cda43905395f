import LayeredPrefs

extension PrefsStoredType {
    /// Returns a stored duration or byte count as a number that can be compared; `nil` if it is invalid, and for
    /// any other type.
    func amount(of stored: PrefsValue) -> Int128? {
        switch self {
        case .duration: DurationPrefsCoding().decode(stored)?.attoseconds
        case .byteCount: PrefsByteCount(prefsValue: stored).map { Int128($0.bytes) }
        default: nil
        }
    }

    /// Parses a quantity and keeps its spelling, so that `set` stores the text that the user wrote.
    func quantity(ofText text: String) -> PrefsValue? {
        let forms: [PrefsValue?] = [Int128(text).map(PrefsValue.integer), .string(text)]
        return forms.compactMap(\.self).first { amount(of: $0) != nil }
    }
}
