public import PrefsDocuments
/// A storage of any kind, for a type that shall not depend on which.
public final class AnyPrefsStorage: PrefsStorage {
    /// The storage behind this one.
    public let wrapped: any PrefsStorage

    public init(_ storage: any PrefsStorage) {
        wrapped = (storage as? AnyPrefsStorage)?.wrapped ?? storage
    }

    public var snapshot: PrefsSnapshot { wrapped.snapshot }

    public var changeSource: PrefsChangeSource? { wrapped.changeSource }

    public var isWritable: Bool { wrapped.isWritable }

    public var isPersistent: Bool { wrapped.isPersistent }

    public var status: [PrefsSourceStatus] { wrapped.status }

    public func recheck() { wrapped.recheck() }

    public func candidates(forKey key: String) -> [PrefsCandidate] { wrapped.candidates(forKey: key) }

    public func candidates(for name: PrefsKeyName) -> [PrefsCandidate] { wrapped.candidates(for: name) }

    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value { wrapped.get(key) }

    public func erase<Key: PersistentKeyProtocol>(_ key: Key) throws { try wrapped.erase(key) }

    public func noteRefusal<Key: PersistentKeyProtocol>(of key: Key) { wrapped.noteRefusal(of: key) }

    public func report(_ error: PrefsError) { wrapped.report(error) }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        try wrapped.setPrefsValue(value, forKey: key)
    }

    public func observe(key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation? {
        wrapped.observe(key: key, body)
    }
}

extension PrefsStorage {
    /// This storage, out of whatever ``AnyPrefsStorage`` it comes in.
    var innermost: any PrefsStorage { (self as? AnyPrefsStorage)?.wrapped ?? self }
}

extension AnyPrefsStorage: TransitionSource {
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        (wrapped as? any TransitionSource)?.observeTransitions(of: keys, body)
    }
}

extension AnyPrefsStorage: PrefsStorageImportable {
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/unsupported`` when the storage behind takes no
    ///   imports.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        guard let wrapped = wrapped as? any PrefsStorageImportable else {
            throw PrefsError(.unsupported, reason: "a \(type(of: wrapped)) takes no imports")
        }
        try wrapped.update(body)
    }
}

extension AnyPrefsStorage: PrefsStorageExportable {
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/unsupported`` when the storage behind is not exported.
    public func exportedContents() throws -> [String: PrefsValue] {
        guard let wrapped = wrapped as? any PrefsStorageExportable else {
            throw PrefsError(.unsupported, reason: "a \(type(of: wrapped)) is not exported")
        }
        return try wrapped.exportedContents()
    }
}
