public import Foundation
import LayeredPrefs

extension UserDefaultsSerializable where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
    /// The stored value of the raw value.
    public var storedValue: RawValue.StoredValue { rawValue.storedValue }

    /// Creates a value from the stored value of its raw value, or returns `nil` if the raw value is not valid.
    public init?(storedValue: RawValue.StoredValue) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension UserDefaultsSerializable where Self: Codable {
    /// The value encoded as JSON. If it cannot be encoded, it is `nil`, and nothing is stored.
    public var storedValue: Data? { try? JSONCoders.encoder.encode(self) }

    /// Creates a value from its JSON, or returns `nil` if the JSON cannot be decoded.
    public init?(storedValue: Data?) {
        guard let storedValue, let value = try? JSONCoders.decoder.decode(Self.self, from: storedValue) else {
            return nil
        }
        self = value
    }
}

// A type that is both `RawRepresentable` and `Codable` is stored as its raw value. Without this extension the
// two defaults above would be ambiguous.
extension UserDefaultsSerializable
where Self: RawRepresentable & Codable, RawValue: UserDefaultsSerializable {
    /// The stored value of the raw value.
    public var storedValue: RawValue.StoredValue { rawValue.storedValue }

    /// Creates a value from the stored value of its raw value, or returns `nil` if the raw value is not valid.
    public init?(storedValue: RawValue.StoredValue) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
