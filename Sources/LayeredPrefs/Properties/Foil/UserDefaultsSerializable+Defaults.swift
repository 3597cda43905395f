public import FoundationEssentials

extension UserDefaultsSerializable where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
    public var storedValue: RawValue.StoredValue { rawValue.storedValue }

    public init?(storedValue: RawValue.StoredValue) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension UserDefaultsSerializable where Self: Codable {
    /// The bytes of the value's JSON; `nil` when it cannot be encoded, and nothing is then stored.
    public var storedValue: Data? { try? JSONCoders.encoder.encode(self) }

    public init?(storedValue: Data?) {
        guard let storedValue, let value = try? JSONCoders.decoder.decode(Self.self, from: storedValue) else {
            return nil
        }
        self = value
    }
}

// A type that is both is stored by its raw value; without this the two defaults above would be ambiguous.
extension UserDefaultsSerializable
where Self: RawRepresentable & Codable, RawValue: UserDefaultsSerializable {
    public var storedValue: RawValue.StoredValue { rawValue.storedValue }

    public init?(storedValue: RawValue.StoredValue) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
