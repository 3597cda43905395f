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
/// `Date` does not conform, because two ways of storing dates are in use; a program may conform it. A key of
/// type `Date` needs no conformance, because `Date` has a stored form of its own.
public protocol KeyValuePersistible: PrefsPersistable {
    /// The type of ``persistentKeyValueRepresentation``.
    associatedtype
        PersistentKeyValueRepresentation: PersistentKeyValueKitCompatibility
                .PersistentKeyValueRepresentation<Self>

    /// The representation in which values of this type are stored.
    static var persistentKeyValueRepresentation: PersistentKeyValueRepresentation { get }
}

extension KeyValuePersistible {
    /// The representation, as the default coding of keys that are declared without this module.
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
