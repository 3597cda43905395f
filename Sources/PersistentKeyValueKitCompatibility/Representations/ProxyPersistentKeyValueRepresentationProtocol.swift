public import Foundation
public import LayeredPrefs

/// A representation that converts a value to another type and stores it in that type's representation.
public protocol ProxyPersistentKeyValueRepresentationProtocol<Value, Proxy>: PersistentKeyValueRepresentation
{
    associatedtype Value
    /// The type that is stored instead of the value.
    associatedtype Proxy: KeyValuePersistible

    /// Returns the proxy for a value. If you return `nil`, the store stays unchanged.
    func to(_ value: Value) -> Proxy?

    /// Returns the value for a proxy, or `nil` if there is no value.
    func from(_ proxy: Proxy) -> Value?
}

extension ProxyPersistentKeyValueRepresentationProtocol {
    private var representation: Proxy.PersistentKeyValueRepresentation {
        Proxy.persistentKeyValueRepresentation
    }

    public func get(from propertyListArray: [Any]) -> [Value]? {
        representation.get(from: propertyListArray)?.allOrNone { from($0) }
    }

    /// Replaces the contents of an array by the values that have a proxy.
    public func set(_ values: [Value], to propertyListArray: inout [Any]) {
        representation.set(values.compactMap { to($0) }, to: &propertyListArray)
    }

    public func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Value? {
        representation.get(dictionaryKey, from: propertyListDictionary).flatMap { from($0) }
    }

    public func set(
        _ dictionaryKey: String, to value: Value, in propertyListDictionary: inout [String: Any]
    ) {
        guard let proxy = to(value) else { return }
        representation.set(dictionaryKey, to: proxy, in: &propertyListDictionary)
    }

    public func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Value? {
        representation.get(userDefaultsKey, from: userDefaults).flatMap { from($0) }
    }

    public func set(_ userDefaultsKey: String, to value: Value, in userDefaults: UserDefaults) {
        guard let proxy = to(value) else { return }
        representation.set(userDefaultsKey, to: proxy, in: userDefaults)
    }

    /// Encodes the proxy of a value.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if the value has no proxy.
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let proxy = to(value) else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored as \(Proxy.self)")
        }
        return try representation.encode(proxy)
    }

    public func decode(_ stored: PrefsValue) -> Value? { representation.decode(stored).flatMap { from($0) } }

    public func storedForm(ofText text: String) -> PrefsValue? { representation.storedForm(ofText: text) }

    public var expectation: String { representation.expectation }

    public var storedType: PrefsStoredType { representation.storedType }
}
