public import Foundation
public import LayeredPrefs

/// A type with a default stored representation for all keys.
///
/// ```swift
/// extension Theme: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Theme> {
///         RawRepresentablePersistentKeyValueRepresentation()
///     }
/// }
/// ```
///
/// `Date` does not conform, because two ways of storing dates are in use; a program may conform it. A key of
/// type `Date` needs no conformance, because `Date` has a stored form of its own.
public protocol KeyValuePersistible: PrefsPersistable {
    /// The type of ``persistentKeyValueRepresentation``.
    associatedtype DefaultRepresentation: PrefsValueCoding<Self>

    /// The representation in which values of this type are stored.
    static var persistentKeyValueRepresentation: DefaultRepresentation { get }
}

extension KeyValuePersistible {
    /// The representation, as the default coding of keys that are declared without this module.
    public static var defaultPrefsCoding: DefaultRepresentation { persistentKeyValueRepresentation }
}

/// A type whose values are stored as themselves.
public protocol PrimitiveKeyValuePersistible: KeyValuePersistible, PrefsStorageValue {}

extension PrimitiveKeyValuePersistible {
    /// The representation that stores values as themselves.
    @inlinable
    public static var persistentKeyValueRepresentation: AtomicPrefsCoding<Self> { AtomicPrefsCoding() }

    /// The coding that stores values as themselves.
    @inlinable
    public static var defaultPrefsCoding: AtomicPrefsCoding<Self> { AtomicPrefsCoding() }
}

extension Bool: PrimitiveKeyValuePersistible {}
extension Data: PrimitiveKeyValuePersistible {}
extension Double: PrimitiveKeyValuePersistible {}
extension Float: PrimitiveKeyValuePersistible {}
extension Int: PrimitiveKeyValuePersistible {}
extension String: PrimitiveKeyValuePersistible {}

extension Array: KeyValuePersistible where Element: KeyValuePersistible {
    /// The representation that stores each element in the element type's representation.
    public static var persistentKeyValueRepresentation: ArrayPrefsCoding<Element.DefaultRepresentation> {
        ArrayPrefsCoding(element: Element.persistentKeyValueRepresentation)
    }
}

extension Dictionary: KeyValuePersistible where Key == String, Value: KeyValuePersistible {
    /// The representation that stores each value in the value type's representation.
    public static var persistentKeyValueRepresentation: DictionaryPrefsCoding<Value.DefaultRepresentation> {
        DictionaryPrefsCoding(element: Value.persistentKeyValueRepresentation)
    }
}

extension Optional: KeyValuePersistible where Wrapped: KeyValuePersistible {
    /// The representation that stores a value in the wrapped type's representation, and `nil` as absence.
    public static var persistentKeyValueRepresentation: OptionalPrefsCoding<Wrapped.DefaultRepresentation> {
        Wrapped.persistentKeyValueRepresentation.optionalPrefsCoding
    }
}

extension URL: KeyValuePersistible {
    /// The representation that stores a URL as a string.
    public static var persistentKeyValueRepresentation: URLStringPrefsCoding { URLStringPrefsCoding() }
}
