public import PrefsDocuments
/// A type that Foil's property wrappers take: it turns into something that has a stored form, and back.
///
/// Enums, other `RawRepresentable` types and `Codable` types conform by saying so:
///
/// ```swift
/// enum Theme: String, UserDefaultsSerializable { case light, dark }
/// ```
public protocol UserDefaultsSerializable: SendableMetatype {
    /// What is stored.
    associatedtype StoredValue: UserDefaultsStorable

    /// What to store for this value.
    var storedValue: StoredValue { get }

    /// The value of what was stored, or `nil` when it is the form of none.
    init?(storedValue: StoredValue)
}

/// A type that has a stored form, or may be absent: what a ``UserDefaultsSerializable`` type turns into.
public protocol UserDefaultsStorable: SendableMetatype {
    /// The stored form; `nil` when there is none.
    var storedForm: PrefsValue? { get }

    /// The value of a stored form, or `nil` when it is another type's.
    init?(storedForm: PrefsValue)

    /// What a text from an environment variable stands for; `nil` when it does not parse.
    static func storableForm(ofText text: String) -> PrefsValue?

    /// What is expected, with its article, for messages.
    static var storableExpectation: String { get }
}

extension UserDefaultsStorable where Self: PrefsStorageValue {
    public var storedForm: PrefsValue? { prefsValue }

    public init?(storedForm: PrefsValue) { self.init(prefsValue: storedForm) }

    public static func storableForm(ofText text: String) -> PrefsValue? { storedForm(ofText: text) }

    public static var storableExpectation: String { prefsExpectation }
}

/// The one coding that a ``UserDefaultsSerializable`` type amounts to.
public struct UserDefaultsSerializableRepresentation<Value: UserDefaultsSerializable>:
    PersistentKeyValueRepresentation
{
    public init() {}

    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let form = value.storedValue.storedForm else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored")
        }
        return form
    }

    public func decode(_ stored: PrefsValue) -> Value? {
        Value.StoredValue(storedForm: stored).flatMap(Value.init(storedValue:))
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        Value.StoredValue.storableForm(ofText: text)
    }

    public var expectation: String { Value.StoredValue.storableExpectation }
}
