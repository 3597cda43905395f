/// Holds a schema's storage; written `@Storage`.
///
/// The storage may be replaced at any time and from any thread: the schema then shows the new one's values
/// and tells observers of those that differ.
@propertyWrapper
public struct PrefsStorageWrapper<Storage: PrefsStorage>: Sendable {
    private let current: Replaceable<Storage>

    public init(wrappedValue: Storage) {
        current = Replaceable(wrappedValue)
    }

    public init(_ storage: Storage) {
        self.init(wrappedValue: storage)
    }

    public var wrappedValue: Storage {
        get { current.value }
        nonmutating set { current.replace(with: newValue) }
    }

    /// Has `body` called after each replacement. For the expansion of `@PrefsSchema`.
    public func _whenReplaced(_ body: PrefsExpansion.Callback) {
        current.whenReplaced(body)
    }
}

/// Holds a schema's mode; written `@StorageMode`.
@propertyWrapper
public struct PrefsStorageModeWrapper: Sendable {
    private let current: Replaceable<PrefsStorageMode>

    public init(wrappedValue: PrefsStorageMode) {
        current = Replaceable(wrappedValue)
    }

    public init(_ mode: PrefsStorageMode) {
        self.init(wrappedValue: mode)
    }

    public var wrappedValue: PrefsStorageMode {
        get { current.value }
        nonmutating set { current.replace(with: newValue) }
    }

    /// Has `body` called after each replacement. For the expansion of `@PrefsSchema`.
    public func _whenReplaced(_ body: PrefsExpansion.Callback) {
        current.whenReplaced(body)
    }
}
