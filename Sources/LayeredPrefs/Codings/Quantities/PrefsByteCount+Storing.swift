public import PrefsDocuments

extension PrefsByteCount: PrefsStorageValue, PrefsPersistable {
    /// Text with a unit such as `64 KiB` if the number is a multiple of one, or else an integer.
    public var prefsValue: PrefsValue {
        let text = description
        return text.hasSuffix(" B") ? .integer(Int128(bytes)) : .string(text)
    }

    /// Reads an integer that is not negative, in bytes, or text with a unit.
    public init?(prefsValue: PrefsValue) {
        switch prefsValue {
        case .integer(let count):
            guard let bytes = Int(exactly: count), bytes >= 0 else { return nil }
            self.init(bytes: bytes)
        case .string(let text): self.init(text)
        default: return nil
        }
    }

    public static var prefsExpectation: String { expectation }
}
