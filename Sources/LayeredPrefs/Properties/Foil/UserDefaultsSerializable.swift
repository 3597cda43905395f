public import PrefsDocuments

/// A type that Foil's property wrappers accept: it converts to a type with a stored form, and back.
///
/// Enums, other `RawRepresentable` types and `Codable` types only need to declare the conformance:
///
/// ```swift
/// enum Theme: String, UserDefaultsSerializable { case light, dark }
/// ```
public protocol UserDefaultsSerializable: SendableMetatype {
    /// The type that is stored.
    associatedtype StoredValue: UserDefaultsStorable

    /// The value to store for this one.
    var storedValue: StoredValue { get }

    /// Creates a value from a stored one, or returns `nil` if the stored one is not valid.
    init?(storedValue: StoredValue)
}

/// A type whose values have a stored form or are absent; ``UserDefaultsSerializable`` types convert to one.
public protocol UserDefaultsStorable: SendableMetatype {
    /// The stored form; `nil` if there is none.
    var storedForm: PrefsValue? { get }

    /// Creates a value from a stored form, or returns `nil` if the form has another type.
    init?(storedForm: PrefsValue)

    /// Returns the stored form of the text of an environment variable, or `nil` if the text does not parse.
    static func storableForm(ofText text: String) -> PrefsValue?

    /// A description of the expected form for messages, with its article, such as “an integer”.
    static var storableExpectation: String { get }
}

extension UserDefaultsStorable where Self: PrefsStorageValue {
    /// The stored form of the type's ``PrefsStorageValue`` conformance.
    public var storedForm: PrefsValue? { prefsValue }

    /// Creates a value as the type's ``PrefsStorageValue`` conformance does.
    public init?(storedForm: PrefsValue) { self.init(prefsValue: storedForm) }

    /// Returns the stored form that the type's ``PrefsStorageValue`` conformance parses.
    public static func storableForm(ofText text: String) -> PrefsValue? { storedForm(ofText: text) }

    /// The expectation of the type's ``PrefsStorageValue`` conformance.
    public static var storableExpectation: String { prefsExpectation }
}

/// The coding of a ``UserDefaultsSerializable`` type as a key's stored form.
public struct UserDefaultsSerializableRepresentation<Value: UserDefaultsSerializable>:
    PrefsValueCoding
{
    /// Creates the coding.
    public init() {}

    /// Returns the stored form of a value.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if the value has none.
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let form = value.storedValue.storedForm else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored")
        }
        return form
    }

    /// Returns the value of a stored form, or `nil` if the form is not valid.
    public func decode(_ stored: PrefsValue) -> Value? {
        Value.StoredValue(storedForm: stored).flatMap(Value.init(storedValue:))
    }

    /// Returns the stored form of the text of an environment variable, or `nil` if the text does not parse.
    public func storedForm(ofText text: String) -> PrefsValue? {
        Value.StoredValue.storableForm(ofText: text)
    }

    /// A description of the expected form for messages, with its article.
    public var expectation: String { Value.StoredValue.storableExpectation }
}
