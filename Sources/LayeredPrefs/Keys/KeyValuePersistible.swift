/// A type with a default stored representation for all keys.
///
/// ```swift
/// extension Theme: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PrefsValueCoding<Theme> {
///         RawRepresentablePersistentKeyValueRepresentation()
///     }
/// }
/// ```
///
/// `Date` does not conform, because two ways of storing dates are in use; a program may conform it. A key of
/// type `Date` needs no conformance, because `Date` has a stored form of its own.
public protocol KeyValuePersistible: SendableMetatype {
    /// The type of ``persistentKeyValueRepresentation``.
    associatedtype DefaultRepresentation: PrefsValueCoding<Self>

    /// The representation in which values of this type are stored.
    static var persistentKeyValueRepresentation: DefaultRepresentation { get }
}

/// A type whose values are stored as themselves.
public protocol PrimitiveKeyValuePersistible: KeyValuePersistible, PrefsStorageValue {}

extension PrimitiveKeyValuePersistible {
    /// The representation that stores values as themselves.
    @inlinable
    public static var persistentKeyValueRepresentation: PrimitivePersistentKeyValueRepresentation<Self> {
        PrimitivePersistentKeyValueRepresentation()
    }
}

/// The representation of values that are stored as themselves.
public typealias PrimitivePersistentKeyValueRepresentation<Value: PrefsStorageValue> = AtomicPrefsCoding<
    Value
>
