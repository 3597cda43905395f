public import PrefsDocuments

@_documentation(visibility: internal)
extension PrefsByteCount: PrefsStorageValue, PrefsStorable {
    /// The stored form: text such as `64 KiB` if the number is a multiple of a unit, or else an integer.
    public var prefsValue: PrefsValue {
        let text = description
        return text.hasSuffix(" B") ? .integer(Int128(bytes)) : .string(text)
    }

    /// Creates a byte count from an integer that is not negative, in bytes, or from text with a unit.
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
