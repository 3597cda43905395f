package import PrefsDocuments
extension PersistentKeyValueStore {
    /// Returns the effective value for a key: the first stored value that decodes and passes the key's
    /// validation, or the key's default.
    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        guard key.isMutable else { return key.defaultValue }
        let answer = key.resolve(candidates: candidates(for: key.name))
        if !answer.rejections.isEmpty { noteRejection(of: key) }
        return answer.value
    }

    /// Stores a value; `nil`, for an optional key, removes it.
    ///
    /// A write that fails leaves the stored value unchanged and is reported as a diagnostic. Use
    /// ``write(_:for:)`` to handle the error.
    public func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        reporting(key) { try write(value, for: key) }
    }

    /// Removes the value stored for a key, so that a lower layer's value or the default becomes effective.
    ///
    /// A failure is reported as a diagnostic. Use ``erase(_:)`` to handle the error.
    public func remove<Key: PersistentKeyProtocol>(_ key: Key) {
        reporting(key) { try erase(key) }
    }

    /// The effective value for a key; assigning stores a value as ``set(_:to:)`` does.
    public subscript<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        get { get(key) }
        set { set(key, to: newValue) }
    }

    /// Stores a value, or throws if it cannot be stored.
    ///
    /// - Throws: ``PrefsError``; the stored value is then unchanged. A value that the key's own validation
    ///   rejects is not written.
    public func write<Key: PersistentKeyProtocol>(_ value: Key.Value, for key: Key) throws {
        guard key.isMutable else { return }
        guard let stored = try key.storedForm(of: value) else { return try erase(key) }
        try setPrefsValue(stored, forKey: key.id)
    }

    /// Removes the value stored for a key, or throws if it cannot be removed.
    ///
    /// - Throws: ``PrefsError``; the stored value is then unchanged.
    public func erase<Key: PersistentKeyProtocol>(_ key: Key) throws {
        guard key.isMutable else { return }
        try setPrefsValue(nil, forKey: key.id)
    }

    private func reporting(_ key: some PersistentKeyProtocol, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            report(PrefsFailure.error(error, key: key.id))
        }
    }
}

extension PersistentKeyProtocol {
    /// Returns the stored form of a value; `nil` removes.
    ///
    /// - Throws: ``PrefsError`` that names the key, if the value is invalid or has no stored form.
    package func storedForm(of value: Value) throws(PrefsError) -> PrefsValue? {
        if let complaint = traits.validate?(value) {
            throw PrefsError(.invalid, key: id, reason: complaint)
        }
        do {
            return try coding.encode(value)
        } catch {
            throw PrefsFailure.error(error, key: id)
        }
    }
}
