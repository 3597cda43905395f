public import LayeredPrefs
import LayeredPrefsUserDefaults
public import PrefsDocuments

/// A type that Foil's property wrappers accept. It converts to a type with a stored form, and back.
///
/// Enums, other `RawRepresentable` types and `Codable` types only need to declare the conformance:
///
/// ```swift
/// enum Theme: String, UserDefaultsSerializable { case light, dark }
/// ```
public protocol UserDefaultsSerializable: SendableMetatype {
    /// The type that is stored: a type with a stored form, an array or dictionary such as `[String: Any]`, or a
    /// number object.
    associatedtype StoredValue

    /// The value to store for this value.
    var storedValue: StoredValue { get }

    /// Creates a value from a stored value, or returns `nil` if the stored value is not valid.
    init?(storedValue: StoredValue)
}

/// A type whose values have a stored form or are absent. A ``UserDefaultsSerializable`` type converts to such a type.
public protocol UserDefaultsStorable: SendableMetatype {
    /// The stored form, or `nil` if there is no stored form.
    var storedForm: PrefsValue? { get }

    /// Creates a value from a stored form, or returns `nil` if the form has another type.
    init?(storedForm: PrefsValue)

    /// Parses the text of an environment variable into a stored form, or returns `nil` if the text does not parse.
    static func storableForm(ofText text: String) -> PrefsValue?

    /// A description of the expected form for messages, with its article, such as “an integer”.
    static var storableExpectation: String { get }
}

extension UserDefaultsStorable where Self: PrefsStorageValue {
    /// The stored form from the type's conformance to LayeredPrefs' `PrefsStorageValue`.
    public var storedForm: PrefsValue? { prefsValue }

    /// Creates a value as the type's conformance to LayeredPrefs' `PrefsStorageValue` does.
    public init?(storedForm: PrefsValue) { self.init(prefsValue: storedForm) }

    /// Parses text as the type's conformance to LayeredPrefs' `PrefsStorageValue` does.
    public static func storableForm(ofText text: String) -> PrefsValue? { storedForm(ofText: text) }

    /// The expectation from the type's conformance to LayeredPrefs' `PrefsStorageValue`.
    public static var storableExpectation: String { prefsExpectation }
}

/// A coding that stores a ``UserDefaultsSerializable`` type as a key's value.
public struct UserDefaultsSerializableRepresentation<Value: UserDefaultsSerializable>:
    PrefsCoding
{
    /// Creates the coding.
    public init() {}

    /// Encodes a value as its stored form.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if the value has no stored form.
    public func encode(_ value: Value) throws -> PrefsValue? { try Self.stored(value).form }

    /// Returns the value that a value converts to, with its stored form.
    static func stored(_ value: Value) throws -> (form: PrefsValue, object: Any) {
        let stored = value.storedValue
        let form = (stored as? any UserDefaultsStorable).map(\.storedForm) ?? PrefsValue(bridging: stored)
        guard let form else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored")
        }
        return (form, stored)
    }

    /// Returns the value of a stored form, or `nil` if the form is not valid.
    public func decode(_ stored: PrefsValue) -> Value? {
        guard let storable else {
            return (stored.bridged as? Value.StoredValue).flatMap(Value.init(storedValue:))
        }
        return (storable.init(storedForm: stored) as? Value.StoredValue).flatMap(Value.init(storedValue:))
    }

    /// Parses the text of an environment variable into a stored form, or returns `nil` if the text does not parse.
    public func storedForm(ofText text: String) -> PrefsValue? {
        storable.map { $0.storableForm(ofText: text) } ?? .string(text)
    }

    /// A description of the expected form for messages, with its article.
    public var expectation: String { storable?.storableExpectation ?? "a stored \(Value.self)" }

    /// The stored type, if it has a conversion of its own. Foundation's casts convert any other type.
    private var storable: (any UserDefaultsStorable.Type)? {
        Value.StoredValue.self as? any UserDefaultsStorable.Type
    }
}
