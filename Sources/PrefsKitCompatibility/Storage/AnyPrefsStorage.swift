public import Foundation
package import LayeredPrefs

/// A type-erased storage, for a type that must not depend on the kind of storage. It forwards everything to the wrapped
/// storage.
public final class AnyPrefsStorage: PrefsStorage {
    /// The wrapped storage. It is never an ``AnyPrefsStorage`` itself.
    public let wrapped: any PrefsStorage

    /// Wraps a storage. If you pass an ``AnyPrefsStorage``, the storage inside it is wrapped.
    public init(_ storage: any PrefsStorage) {
        wrapped = (storage as? AnyPrefsStorage)?.wrapped ?? storage
    }

    public func setStorageValue<StorageValue: PrefsStorageValue>(forKey key: String, to value: StorageValue?)
    {
        wrapped.setStorageValue(forKey: key, to: value)
    }

    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        wrapped.setUnsafeStorageValue(forKey: key, to: value)
    }

    public func storageValue(forKey key: String) -> Int? { wrapped.storageValue(forKey: key) }
    public func storageValue(forKey key: String) -> String? { wrapped.storageValue(forKey: key) }
    public func storageValue(forKey key: String) -> Bool? { wrapped.storageValue(forKey: key) }
    public func storageValue(forKey key: String) -> Double? { wrapped.storageValue(forKey: key) }
    public func storageValue(forKey key: String) -> Float? { wrapped.storageValue(forKey: key) }
    public func storageValue(forKey key: String) -> Data? { wrapped.storageValue(forKey: key) }
    public func storageValue(forKey key: String) -> Date? { wrapped.storageValue(forKey: key) }

    public func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [Element]? {
        wrapped.storageValue(forKey: key)
    }

    public func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [String: Element]? {
        wrapped.storageValue(forKey: key)
    }

    public func unsafeStorageValue(forKey key: String) -> Any? { wrapped.unsafeStorageValue(forKey: key) }
}

extension AnyPrefsStorage: ForwardingStorage {
    package var target: any LayeredPrefs.PrefsStorage { wrapped }
}

extension AnyPrefsStorage: PrefsStorageImportable {
    private var importable: any PrefsStorageImportable {
        get throws {
            guard let wrapped = wrapped as? any PrefsStorageImportable else {
                throw PrefsStorageError.contentLoadingNotSupported
            }
            return wrapped
        }
    }

    /// Imports values into the wrapped storage.
    ///
    /// - Throws: ``PrefsStorageError/contentLoadingNotSupported`` if the storage does not support imports.
    @discardableResult
    public func load(
        from contents: [String: any PrefsStorageValue], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try importable.load(from: contents, by: behavior)
    }

    /// Imports values into the wrapped storage.
    ///
    /// - Throws: ``PrefsStorageError/contentLoadingNotSupported`` if the storage does not support imports.
    @discardableResult
    public func load(
        unsafe contents: [String: Any], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try importable.load(unsafe: contents, by: behavior)
    }
}

extension AnyPrefsStorage: PrefsStorageExportable {
    /// Returns the contents of the wrapped storage.
    ///
    /// - Throws: ``PrefsStorageError/contentExportingNotSupported`` if the storage does not support exports.
    public func dictionaryRepresentation() throws -> [String: Any] {
        guard let wrapped = wrapped as? any PrefsStorageExportable else {
            throw PrefsStorageError.contentExportingNotSupported
        }
        return try wrapped.dictionaryRepresentation()
    }
}
