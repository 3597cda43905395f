public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults
public import PrefsDocuments

/// A storage of LayeredPrefs. It implements `snapshot` and `setValue(_:forKey:)`, and the functions of PrefsKit
/// follow from these two.
///
/// The storages of LayeredPrefs conform. If your own storage implements LayeredPrefs' protocol, it may conform, too.
/// If it is written for PrefsKit, conform it to ``PrefsStorage`` instead.
public protocol NativePrefsStorage: PrefsStorage {}

// LayeredPrefs' own defaults, instead of the defaults that follow from PrefsKit's functions.
extension NativePrefsStorage {
    /// Whether the storage can be written; `false` by default.
    public var isWritable: Bool { false }

    /// Throws an error, because a storage is read-only by default.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        throw PrefsError(.notWritable, key: key, reason: "this storage is read-only")
    }

    /// Returns the candidates for a key in the snapshot.
    public func _candidates(forKey key: String) -> [PrefsCandidate] { snapshot.candidates(forKey: key) }
}

extension NativePrefsStorage {
    /// Returns the topmost stored integer.
    public func storageValue(forKey key: String) -> Int? { stored(key) }
    /// Returns the topmost stored string.
    public func storageValue(forKey key: String) -> String? { stored(key) }
    /// Returns the topmost stored Boolean value.
    public func storageValue(forKey key: String) -> Bool? { stored(key) }
    /// Returns the topmost stored number.
    public func storageValue(forKey key: String) -> Double? { stored(key) }
    /// Returns the topmost stored number that a `Float` can represent.
    public func storageValue(forKey key: String) -> Float? { stored(key) }
    /// Returns the topmost stored data.
    public func storageValue(forKey key: String) -> Data? { stored(key) }
    /// Returns the topmost stored date.
    public func storageValue(forKey key: String) -> Date? { stored(key) }

    /// Returns the topmost stored array whose elements all have this type.
    public func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [Element]? { stored(key) }

    /// Returns the topmost stored dictionary whose values all have this type.
    public func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [String: Element]? {
        stored(key)
    }

    /// Returns the topmost stored value of a type.
    func stored<Value>(_ key: String) -> Value? {
        guard let type = Value.self as? any LayeredPrefs.PrefsStorageValue.Type else {
            return _candidates(forKey: key).lazy.compactMap { $0.value.plain(as: Value.self) }.first
        }
        func read<Stored: LayeredPrefs.PrefsStorageValue>(_: Stored.Type) -> Value? {
            get(PersistentKey<Stored?>(key, coding: AtomicPrefsCoding<Stored>())) as? Value
        }
        return read(type)
    }

    /// Stores a value, or removes it if it is `nil`. A failure is reported as a diagnostic.
    public func setStorageValue<Value: PrefsStorageValue>(forKey key: String, to value: Value?) {
        setUnsafeStorageValue(forKey: key, to: value)
    }

    /// Returns the effective value for a key as the closest Swift type; see `PrefsValue.bridged`.
    public func unsafeStorageValue(forKey key: String) -> Any? {
        value(forKey: key)?.bridged
    }

    /// Stores a value whose type is known only at run time, or removes it if it is `nil`.
    ///
    /// A value whose type has no stored form is reported as a diagnostic and changes nothing.
    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        reporting(key: key) {
            try setValue(value.map { try PrefsValue(storing: $0, forKey: key) }, forKey: key)
        }
    }
}

extension PrefsStorage {
    /// Stores an array of mixed types, or removes it if it is `nil`. A failure is reported as a diagnostic.
    @_disfavoredOverload
    public func setStorageValue(forKey key: String, to value: [any PrefsStorageValue]?) {
        setUnsafeStorageValue(forKey: key, to: value)
    }

    /// Stores a dictionary of mixed types, or removes it if it is `nil`. A failure is reported as a diagnostic.
    @_disfavoredOverload
    public func setStorageValue(forKey key: String, to value: [String: any PrefsStorageValue]?) {
        setUnsafeStorageValue(forKey: key, to: value)
    }

    /// Returns the effective array for a key, with elements of any type.
    @_disfavoredOverload
    public func storageValue(forKey key: String) -> [Any]? {
        unsafeStorageValue(forKey: key) as? [Any]
    }

    /// Returns the effective dictionary for a key, with values of any type.
    @_disfavoredOverload
    public func storageValue(forKey key: String) -> [String: Any]? {
        unsafeStorageValue(forKey: key) as? [String: Any]
    }
}

extension FilePrefsStorage: NativePrefsStorage, PrefsStorageImportable, PrefsStorageExportable, UpdatedAtOnce
{}
extension PrefsStack: NativePrefsStorage, PrefsStorageExportable {
    /// Returns the effective contents, without secrets, as Swift types.
    public func dictionaryRepresentation() throws -> [String: Any] {
        exportedContents().mapValues(\.bridged)
    }
}
extension SystemPrefsStorage: NativePrefsStorage {}
extension EnvironmentPrefsStorage: NativePrefsStorage {}
extension ArgumentsPrefsStorage: NativePrefsStorage {}
extension DirectoryPrefsStorage: NativePrefsStorage {}
extension LayeredPrefs.DictionaryPrefsStorage: NativePrefsStorage, PrefsStorageImportable,
    PrefsStorageExportable, UpdatedAtOnce
{}
