@_exported public import Observation

/// A class whose properties are preferences in a storage.
///
/// Apply `@PrefsSchema` to a class instead of writing the conformance by hand:
///
/// ```swift
/// @PrefsSchema final class Prefs {
///     @Storage var storage = .dictionary
///
///     @Pref var name: String?
///     @Pref var port: Int = 8080
/// }
/// ```
///
/// A schema is `Observable`, and reports changes from any origin: its own properties, another schema, the
/// storage used directly, an edited file. The properties of a nonisolated class may be used from any thread.
public protocol PrefsSchema: PrefsDeclaring {
    /// The type of ``storage``.
    associatedtype SchemaStorage: PrefsStorage

    /// The storage that holds the values.
    var storage: SchemaStorage { get }

    /// Returns what registers the values read from a ``snapshot`` for observation; part of the expansion of the macro.
    @_documentation(visibility: internal)
    func _$snapshotReads() -> PrefsExpansion.SnapshotReads?
}

extension PrefsSchema {
    /// Returns `nil`: reads of snapshots of a class that the macro has not expanded are not observed.
    @_documentation(visibility: internal)
    public func _$snapshotReads() -> PrefsExpansion.SnapshotReads? { nil }
}

/// A class whose properties are preferences below a path of a schema's storage; declared with `@PrefsGroup`.
public protocol PrefsGroup: PrefsDeclaring {}

/// A class that lists the preferences it declares.
public protocol PrefsDeclaring: AnyObject {
    /// Every preference the class declares, including those of its groups, in the order of declaration.
    static var keys: [PrefsKeyDescription] { get }

    /// The preferences by the names of their properties, for ``PrefsSchema/key(_:)-method``; part of the expansion of the
    /// macros.
    associatedtype PropertyKeys: PrefsExpansion.PropertyKeys = PrefsExpansion.NoPropertyKeys
}
