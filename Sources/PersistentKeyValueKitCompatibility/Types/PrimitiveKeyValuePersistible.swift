public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments

/// A type that property lists contain, or that converts itself to such a type.
///
/// The functions over arrays and dictionaries have defaults, which store values as they are.
public protocol PrimitiveKeyValuePersistible: KeyValuePersistible {
    /// Returns the values in an array, or `nil` if any element has another type.
    static func get(from propertyListArray: [Any]) -> [Self]?

    /// Replaces the contents of an array by values.
    static func set(_ values: [Self], to propertyListArray: inout [Any])

    /// Returns the value for a key of a dictionary, or `nil` if there is no value of this type.
    static func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Self?

    /// Sets the value for a key of a dictionary.
    static func set(_ dictionaryKey: String, to value: Self, in propertyListDictionary: inout [String: Any])

    /// Returns the value for a key, or `nil` if there is no value of this type.
    static func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Self?

    /// Sets the value for a key.
    static func set(_ userDefaultsKey: String, to value: Self, in userDefaults: UserDefaults)

    /// Returns the stored form of a value in LayeredPrefs, or `nil` if there is no such form.
    @_documentation(visibility: internal)
    static func _encode(_ value: Self) -> PrefsValue?

    /// Returns the value of a stored form, or `nil` if the form has another type.
    @_documentation(visibility: internal)
    static func _decode(_ stored: PrefsValue) -> Self?

    /// Parses the text of an environment variable or an argument.
    @_documentation(visibility: internal)
    static func _storedForm(ofText text: String) -> PrefsValue?

    /// A description of the acceptable stored forms, for messages.
    @_documentation(visibility: internal)
    static var _expectation: String { get }
}

extension PrimitiveKeyValuePersistible {
    /// The representation that stores values as themselves.
    public static var persistentKeyValueRepresentation: PrimitivePersistentKeyValueRepresentation<Self> {
        PrimitivePersistentKeyValueRepresentation()
    }

    public static func get(from propertyListArray: [Any]) -> [Self]? { propertyListArray as? [Self] }

    public static func set(_ value: [Self], to propertyListArray: inout [Any]) { propertyListArray = value }

    public static func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Self? {
        propertyListDictionary[dictionaryKey] as? Self
    }

    public static func set(
        _ dictionaryKey: String, to value: Self, in propertyListDictionary: inout [String: Any]
    ) {
        propertyListDictionary[dictionaryKey] = value
    }
}

// The default for a type of the program's own: through the dictionary functions.
extension PrimitiveKeyValuePersistible {
    public static func _encode(_ value: Self) -> PrefsValue? {
        var dictionary: [String: Any] = [:]
        set("value", to: value, in: &dictionary)
        return dictionary["value"].flatMap(PrefsValue.init(bridging:))
    }

    public static func _decode(_ stored: PrefsValue) -> Self? {
        get("value", from: ["value": stored.bridged])
    }

    public static func _storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public static var _expectation: String { "a stored \(Self.self)" }
}

extension PrimitiveKeyValuePersistible where Self: PrefsStorageValue {
    public static func _encode(_ value: Self) -> PrefsValue? { value.prefsValue }

    public static func _decode(_ stored: PrefsValue) -> Self? { Self(prefsValue: stored) }

    public static func _storedForm(ofText text: String) -> PrefsValue? { storedForm(ofText: text) }

    public static var _expectation: String { prefsExpectation }
}

// The default of this library's own types: through the stored form, with the text of an argument parsed.
extension PrimitiveKeyValuePersistible {
    /// Returns the value for a key, or `nil` if there is no value of this type.
    ///
    /// An argument of the command line takes precedence over a stored value, and its text is parsed.
    public static func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Self? {
        userDefaults.candidate(forKey: userDefaultsKey) { _storedForm(ofText: $0) }.flatMap(_decode)
    }

    /// Sets the value for a key, and notifies observers.
    public static func set(_ userDefaultsKey: String, to value: Self, in userDefaults: UserDefaults) {
        var dictionary: [String: Any] = [:]
        set(userDefaultsKey, to: value, in: &dictionary)
        userDefaults.store(_encode(value), of: dictionary[userDefaultsKey], forKey: userDefaultsKey)
    }
}

extension UserDefaults {
    /// Returns the stored form for a key, or the form that `parse` returns for the text of an argument.
    func candidate(forKey key: String, parse: (String) -> PrefsValue?) -> PrefsValue? {
        guard let candidate = UserDefaultsPrefsStorage(suite: self)._candidates(forKey: key).first,
            candidate.rejection == nil
        else { return nil }
        guard candidate.isText, case .string(let text) = candidate.value else { return candidate.value }
        return parse(text)
    }

    /// Stores a value, or removes it if it is `nil`. A failure is reported as a diagnostic.
    ///
    /// - Parameter plain: The value in a property list. Its `Float`s are stored as `Float`s.
    func store(_ value: PrefsValue?, of plain: Any? = nil, forKey key: String) {
        let storage = UserDefaultsPrefsStorage(suite: self)
        storage.reporting(key: key) { try storage.setValue(value, of: plain, forKey: key) }
    }
}
