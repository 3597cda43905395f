public import Foundation
package import LayeredPrefs
public import PrefsDocuments

/// A type-erased storage, for a type that must not depend on the kind of storage. It forwards everything to
/// the storage it wraps.
public final class AnyPrefsStorage: PrefsStorage {
    /// The wrapped storage; never an ``AnyPrefsStorage`` itself.
    public let wrapped: any PrefsStorage

    /// Wraps a storage. Wrapping an ``AnyPrefsStorage`` wraps the storage inside it.
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

extension AnyPrefsStorage: ForwardingPrefsStorage {
    package var target: any LayeredPrefs.PrefsStorage { wrapped }

    public var snapshot: PrefsSnapshot { target.snapshot }
    public var changeSource: PrefsChangeSource? { target.changeSource }
    public var isWritable: Bool { target.isWritable }
    public var isPersistent: Bool { target.isPersistent }
    public var status: [PrefsSourceStatus] { target.status }
    public var diagnostics: PrefsDiagnostics { target.diagnostics }

    public func reload() { target.reload() }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try target.setValue(value, forKey: key)
    }

    public func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        target._registerObserver(under: key, body)
    }

    public func _get<Value>(
        _ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value { target._get(key, fileID, line) }

    public func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        target._candidates(for: key)
    }

    public func _candidates(forKey key: String) -> [PrefsCandidate] { target._candidates(forKey: key) }

    public func _setStoredForm<Value>(
        _ value: PrefsValue?, for key: PersistentKey<Value>
    ) throws -> PrefsWriteOutcome {
        try target._setStoredForm(value, for: key)
    }

    public func _noteRejection<Value>(of key: PersistentKey<Value>) { target._noteRejection(of: key) }
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

    /// Imports into the wrapped storage.
    ///
    /// - Throws: ``PrefsStorageError/contentLoadingNotSupported`` if it does not support imports.
    @discardableResult
    public func load(
        from contents: [String: any PrefsStorageValue], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try importable.load(from: contents, by: behavior)
    }

    /// Imports into the wrapped storage.
    ///
    /// - Throws: ``PrefsStorageError/contentLoadingNotSupported`` if it does not support imports.
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
    /// - Throws: ``PrefsStorageError/contentExportingNotSupported`` if it does not support exports.
    public func dictionaryRepresentation() throws -> [String: Any] {
        guard let wrapped = wrapped as? any PrefsStorageExportable else {
            throw PrefsStorageError.contentExportingNotSupported
        }
        return try wrapped.dictionaryRepresentation()
    }
}
