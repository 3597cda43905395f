public import LayeredPrefs
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

    public var snapshot: PrefsSnapshot { wrapped.snapshot }

    public var changeSource: PrefsChangeSource? { wrapped.changeSource }

    public var isWritable: Bool { wrapped.isWritable }

    public var isPersistent: Bool { wrapped.isPersistent }

    public var status: [PrefsSourceStatus] { wrapped.status }

    public func reload() { wrapped.reload() }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try wrapped.setValue(value, forKey: key)
    }

    public func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        wrapped._registerObserver(under: key, body)
    }

    public func _get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value { wrapped._get(key) }

    public func _candidates<Key: PersistentKeyProtocol>(for key: Key) -> [PrefsCandidate] {
        wrapped._candidates(for: key)
    }

    public func _candidates(forKey key: String) -> [PrefsCandidate] { wrapped._candidates(forKey: key) }

    public func _setStoredForm<Key: PersistentKeyProtocol>(
        _ value: PrefsValue?, for key: Key
    ) throws -> PrefsWriteOutcome {
        try wrapped._setStoredForm(value, for: key)
    }

    public func _noteRejection<Key: PersistentKeyProtocol>(of key: Key) { wrapped._noteRejection(of: key) }

    public var diagnostics: PrefsDiagnostics { wrapped.diagnostics }
}

extension AnyPrefsStorage: ForwardingPrefsStorage {}

extension AnyPrefsStorage: PrefsStorageImportable {
    /// Changes the contents of the wrapped storage.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/unsupported`` if the wrapped storage does not support
    ///   imports.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        guard let wrapped = wrapped as? any PrefsStorageImportable else {
            throw PrefsError(.unsupported, reason: "\(type(of: wrapped)) does not support imports")
        }
        try wrapped.update(body)
    }
}

extension AnyPrefsStorage: PrefsStorageExportable {
    /// Returns the exported contents of the wrapped storage.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/unsupported`` if the wrapped storage does not support
    ///   exports.
    public func exportedContents() throws -> [String: PrefsValue] {
        guard let wrapped = wrapped as? any PrefsStorageExportable else {
            throw PrefsError(.unsupported, reason: "\(type(of: wrapped)) does not support exports")
        }
        return try wrapped.exportedContents()
    }
}
