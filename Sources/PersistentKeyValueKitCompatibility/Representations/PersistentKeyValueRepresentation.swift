public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments

/// A representation of a type's values in property lists and stores.
///
/// Your own representation implements the functions of PersistentKeyValueKit. It is also a coding of LayeredPrefs, so
/// a key with this representation can be read from any storage. The coding uses the functions over dictionaries.
public protocol PersistentKeyValueRepresentation<Value>: PrefsCoding {
    associatedtype Value

    /// Returns the values in an array, or `nil` if an element is not valid.
    func get(from propertyListArray: [Any]) -> [Value]?

    /// Replaces the contents of an array by values.
    func set(_ values: [Value], to propertyListArray: inout [Any])

    /// Returns the value for a key of a dictionary, or `nil` if there is no valid value.
    func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Value?

    /// Sets the value for a key of a dictionary. A value that cannot be represented changes nothing.
    func set(_ dictionaryKey: String, to value: Value, in propertyListDictionary: inout [String: Any])

    /// Returns the value for a key, or `nil` if there is no valid value.
    func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Value?

    /// Sets the value for a key. A value that cannot be represented changes nothing.
    func set(_ userDefaultsKey: String, to value: Value, in userDefaults: UserDefaults)
}

extension PersistentKeyValueRepresentation {
    /// Encodes a value as the representation sets it in a dictionary. Returns `nil` if the representation does not
    /// set a `nil`.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if the representation sets nothing for a value.
    public func encode(_ value: Value) throws -> PrefsValue? {
        var dictionary: [String: Any] = [:]
        set("value", to: value, in: &dictionary)
        if let plain = dictionary["value"], let stored = PrefsValue(bridging: plain) { return stored }
        if case Optional<Any>.none = value as Any? { return nil }
        throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored")
    }

    /// Decodes a value as the representation gets it from a dictionary.
    public func decode(_ stored: PrefsValue) -> Value? { get("value", from: ["value": stored.bridged]) }

    /// This representation for optional values.
    public var optionalRepresentation: OptionalPersistentKeyValueRepresentation<Self> {
        OptionalPersistentKeyValueRepresentation(self)
    }
}

/// A coding of LayeredPrefs as a representation.
struct CodingRepresentation<Value>: PersistentKeyValueRepresentation {
    let coding: any PrefsCoding<Value>

    func encode(_ value: Value) throws -> PrefsValue? { try coding.encode(value) }

    func decode(_ stored: PrefsValue) -> Value? { coding.decode(stored) }

    func storedForm(ofText text: String) -> PrefsValue? { coding.storedForm(ofText: text) }

    var expectation: String { coding.expectation }

    func get(from propertyListArray: [Any]) -> [Value]? { propertyListArray.allOrNone(value) }

    func set(_ values: [Value], to propertyListArray: inout [Any]) {
        propertyListArray = values.compactMap { (try? encode($0))??.bridged }
    }

    func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Value? {
        propertyListDictionary[dictionaryKey].flatMap(value)
    }

    func set(_ dictionaryKey: String, to value: Value, in propertyListDictionary: inout [String: Any]) {
        guard let stored = try? encode(value) else { return }
        propertyListDictionary[dictionaryKey] = stored.bridged
    }

    private func value(of plain: Any) -> Value? { PrefsValue(bridging: plain).flatMap(decode) }

    func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Value? {
        userDefaults.candidate(forKey: userDefaultsKey, parse: storedForm(ofText:)).flatMap(decode)
    }

    func set(_ userDefaultsKey: String, to value: Value, in userDefaults: UserDefaults) {
        guard let stored = try? encode(value) else { return }
        userDefaults.store(stored, forKey: userDefaultsKey)
    }
}
