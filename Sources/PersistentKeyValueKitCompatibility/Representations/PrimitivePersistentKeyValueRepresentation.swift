public import Foundation
public import LayeredPrefs

/// A representation that stores values as themselves, with the static functions of their type.
public struct PrimitivePersistentKeyValueRepresentation<Value: PrimitiveKeyValuePersistible>:
    PersistentKeyValueRepresentation
{
    /// Creates the representation.
    public init() {}

    public func get(from propertyListArray: [Any]) -> [Value]? { Value.get(from: propertyListArray) }

    public func set(_ values: [Value], to propertyListArray: inout [Any]) {
        Value.set(values, to: &propertyListArray)
    }

    public func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Value? {
        Value.get(dictionaryKey, from: propertyListDictionary)
    }

    public func set(
        _ dictionaryKey: String, to value: Value, in propertyListDictionary: inout [String: Any]
    ) {
        Value.set(dictionaryKey, to: value, in: &propertyListDictionary)
    }

    public func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Value? {
        Value.get(userDefaultsKey, from: userDefaults)
    }

    public func set(_ userDefaultsKey: String, to value: Value, in userDefaults: UserDefaults) {
        Value.set(userDefaultsKey, to: value, in: userDefaults)
    }

    /// Encodes a value with the static functions of its type.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if the type sets nothing for a value.
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let stored = Value._encode(value) else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored")
        }
        return stored
    }

    public func decode(_ stored: PrefsValue) -> Value? { Value._decode(stored) }

    public func storedForm(ofText text: String) -> PrefsValue? { Value._storedForm(ofText: text) }

    public var expectation: String { Value._expectation }

    public var storedType: PrefsStoredType {
        (Value.self as? any PrefsStorageValue.Type).map { $0.defaultPrefsCoding.storedType } ?? .any
    }
}
