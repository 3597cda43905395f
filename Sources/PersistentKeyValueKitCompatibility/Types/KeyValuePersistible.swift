public import LayeredPrefs

/// A type with a default representation for all keys.
///
/// ```swift
/// extension Theme: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Theme> {
///         RawRepresentablePersistentKeyValueRepresentation()
///     }
/// }
/// ```
///
/// `Date` does not conform, because there are two common ways to store dates. You may conform it in your program. A
/// key of type `Date` needs no conformance, because `Date` has a stored form of its own.
public protocol KeyValuePersistible: PrefsStorable {
    /// The type of ``persistentKeyValueRepresentation``.
    associatedtype
        PersistentKeyValueRepresentation: PersistentKeyValueKitCompatibility
                .PersistentKeyValueRepresentation<Self>

    /// The default representation of this type's values.
    static var persistentKeyValueRepresentation: PersistentKeyValueRepresentation { get }
}

extension KeyValuePersistible {
    /// The default coding of keys that are declared without this module: the same representation.
    public static var defaultPrefsCoding: PersistentKeyValueRepresentation {
        persistentKeyValueRepresentation
    }
}

extension Optional: KeyValuePersistible where Wrapped: KeyValuePersistible {
    /// The representation that stores a value in the wrapped type's representation, and `nil` as absence.
    public static var persistentKeyValueRepresentation:
        OptionalPersistentKeyValueRepresentation<Wrapped.PersistentKeyValueRepresentation>
    {
        OptionalPersistentKeyValueRepresentation(Wrapped.persistentKeyValueRepresentation)
    }
}
