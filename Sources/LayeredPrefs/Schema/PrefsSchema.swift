@_exported public import Observation

/// A class whose properties are preferences in a storage.
///
/// Apply `@PrefsSchema` to a class rather than conform by hand:
///
/// ```swift
/// @PrefsSchema final class Prefs {
///     @Storage var storage = .dictionary
///     @StorageMode var storageMode = .cachedReadStorageWrite
///
///     @Pref var name: String?
///     @Pref var port: Int = 8080
/// }
/// ```
///
/// A schema is `Observable` for changes from anywhere: its own properties, another schema, the storage used
/// directly, an edited file. Where the class is isolated to no actor its properties may be used from any
/// thread.
public protocol PrefsSchema: PrefsDeclaring {
    /// The type of ``storage``.
    associatedtype SchemaStorage: PrefsStorage

    /// Where the values are.
    var storage: SchemaStorage { get }

    /// Whether decoded values are kept until the storage changes.
    var storageMode: PrefsStorageMode { get }
}

extension PrefsSchema {
    /// Marks the property that holds the storage: `@Storage var storage = .dictionary`.
    public typealias Storage = PrefsStorageWrapper

    /// Marks the property that holds the mode: `@StorageMode var storageMode = .storageOnly`.
    public typealias StorageMode = PrefsStorageModeWrapper

    /// The mode of a schema that declares none keeps decoded values.
    public var storageMode: PrefsStorageMode { .cachedReadStorageWrite }
}

/// A schema over any kind of storage, chosen when it is created.
public protocol AnyPrefsSchema: PrefsSchema where SchemaStorage == AnyPrefsStorage {}

/// A class whose properties are preferences under a path of a schema's storage; made by `@PrefsGroup`.
public protocol PrefsGroup: PrefsDeclaring {}

/// A class that lists the preferences it declares.
public protocol PrefsDeclaring: AnyObject {
    /// Every preference the class declares, its groups' included, in the order of declaration.
    static var keys: [PrefsKeyDescription] { get }
}
