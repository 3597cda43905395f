public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults
public import PrefsDocuments

/// A storage as PrefsKit declares it, with one function for each type. Conform your own storage to it.
///
/// A conforming type is also a storage of LayeredPrefs. LayeredPrefs reads single keys through
/// ``unsafeStorageValue(forKey:)`` and writes them with `setStorageValue(forKey:to:)`. It knows the contents as a
/// whole only if the storage is ``PrefsStorageExportable``. To report changes, implement `changeSource`, too.
///
/// The requirements may be called from any thread. The name hides LayeredPrefs' protocol `PrefsStorage`, so a file
/// should import either this module or LayeredPrefs, not both.
public protocol PrefsStorage: LayeredPrefs.PrefsStorage {
    /// Stores a value, or removes it if it is `nil`.
    func setStorageValue<StorageValue: PrefsStorageValue>(forKey key: String, to value: StorageValue?)

    /// Stores a value whose type is known only at run time, or removes it if it is `nil`.
    func setUnsafeStorageValue(forKey key: String, to value: Any?)

    /// Returns the stored integer, or `nil` if there is none.
    func storageValue(forKey key: String) -> Int?
    /// Returns the stored string, or `nil` if there is none.
    func storageValue(forKey key: String) -> String?
    /// Returns the stored Boolean value, or `nil` if there is none.
    func storageValue(forKey key: String) -> Bool?
    /// Returns the stored number, or `nil` if there is none.
    func storageValue(forKey key: String) -> Double?
    /// Returns the stored number, or `nil` if there is none.
    func storageValue(forKey key: String) -> Float?
    /// Returns the stored data, or `nil` if there is none.
    func storageValue(forKey key: String) -> Data?
    /// Returns the stored date, or `nil` if there is none.
    func storageValue(forKey key: String) -> Date?
    /// Returns the stored array, or `nil` if there is no array with elements of this type.
    func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [Element]?
    /// Returns the stored dictionary, or `nil` if there is no dictionary with values of this type.
    func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [String: Element]?

    /// Returns the stored value as a Swift type, or `nil` if there is none.
    func unsafeStorageValue(forKey key: String) -> Any?
}

extension PrefsStorage {
    /// The contents if the storage can export them, and otherwise an empty snapshot.
    public var snapshot: PrefsSnapshot {
        let contents = try? (self as? any PrefsStorageExportable)?.dictionaryRepresentation()
        return PrefsSnapshot(
            (contents ?? [:]).compactMapValues(PrefsValue.init(bridging:)), keysAreLiteral: true)
    }

    /// Whether the storage can be written. It is always `true`, because every storage of PrefsKit can be written.
    public var isWritable: Bool { true }

    /// Stores a value with the function for its type, or removes it if it is `nil`.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        guard let value else {
            setUnsafeStorageValue(forKey: key, to: nil)
            return .effective
        }
        store(value.bridged, forKey: key)
        return .effective
    }

    /// Returns the stored value for a name.
    public func _candidates(forKey key: String) -> [PrefsCandidate] {
        guard let value = unsafeStorageValue(forKey: key).flatMap(PrefsValue.init(bridging:)) else {
            return []
        }
        return [PrefsCandidate(value)]
    }

    /// The capabilities of the storage. Only names that are written are known, unless it is ``PrefsStorageExportable``.
    public var _capabilities: _PrefsStorageCapabilities { .ofNames(self) }

    /// Returns the stored values for a key under any of its names.
    public func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        ([key.id] + key.traits.formerNames).flatMap { _candidates(forKey: $0) }
    }
}
