public import Foundation
public import LayeredPrefs

/// A representation that stores an optional value. A `nil` removes the key.
public struct OptionalPersistentKeyValueRepresentation<Base: PersistentKeyValueRepresentation>:
    PersistentKeyValueRepresentation
{
    public typealias Value = Base.Value?

    /// The representation of values that are not `nil`.
    public let base: Base

    /// Creates a representation of optional values.
    public init(_ base: Base) { self.base = base }

    public func get(from propertyListArray: [Any]) -> [Value]? {
        base.get(from: propertyListArray).map { $0.map(Optional.some) }
    }

    /// Replaces the contents of an array by the values that are not `nil`.
    public func set(_ values: [Value], to propertyListArray: inout [Any]) {
        base.set(values.compactMap(\.self), to: &propertyListArray)
    }

    public func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Value? {
        base.get(dictionaryKey, from: propertyListDictionary).map(Optional.some)
    }

    public func set(
        _ dictionaryKey: String, to value: Value, in propertyListDictionary: inout [String: Any]
    ) {
        guard let value else {
            propertyListDictionary[dictionaryKey] = nil
            return
        }
        base.set(dictionaryKey, to: value, in: &propertyListDictionary)
    }

    public func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Value? {
        base.get(userDefaultsKey, from: userDefaults).map(Optional.some)
    }

    public func set(_ userDefaultsKey: String, to value: Value, in userDefaults: UserDefaults) {
        guard let value else { return userDefaults.store(nil, forKey: userDefaultsKey) }
        base.set(userDefaultsKey, to: value, in: userDefaults)
    }

    public func encode(_ value: Value) throws -> PrefsValue? { try value.flatMap(base.encode) }

    public func decode(_ stored: PrefsValue) -> Value? { base.decode(stored).map(Optional.some) }

    public func storedForm(ofText text: String) -> PrefsValue? { base.storedForm(ofText: text) }

    public var expectation: String { base.expectation }

    public var storedType: PrefsStoredType { base.storedType }
}
