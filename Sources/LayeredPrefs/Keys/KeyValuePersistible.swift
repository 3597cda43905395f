/// A type that knows how it is stored, whatever key holds it.
///
/// ```swift
/// extension Theme: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Theme> {
///         RawRepresentablePersistentKeyValueRepresentation()
///     }
/// }
/// ```
///
/// `Date` is left for programs to conform, since two ways of storing it are in use; a key of `Date` needs no
/// conformance, for it has a stored form of its own.
public protocol KeyValuePersistible: SendableMetatype {
    /// The type of ``persistentKeyValueRepresentation``.
    associatedtype DefaultRepresentation: PersistentKeyValueRepresentation<Self>

    /// How values of this type are stored.
    static var persistentKeyValueRepresentation: DefaultRepresentation { get }
}

/// A type that is stored as itself.
public protocol PrimitiveKeyValuePersistible: KeyValuePersistible, PrefsStorageValue {}

extension PrimitiveKeyValuePersistible {
    @inlinable
    public static var persistentKeyValueRepresentation: PrimitivePersistentKeyValueRepresentation<Self> {
        PrimitivePersistentKeyValueRepresentation()
    }
}

/// How values that are stored as themselves are stored.
public typealias PrimitivePersistentKeyValueRepresentation<Value: PrefsStorageValue> = AtomicPrefsCoding<
    Value
>
