public import PrefsDocuments

extension PrefsStorage {
    /// Returns the effective value for a key.
    ///
    /// The effective value is the first stored value that decodes and passes the key's validation. If there
    /// is none, it is the key's default.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fileID: The source file of the call, which a stack records; see
    ///     ``PrefsStack/trackReads()``.
    ///   - line: The line of the call.
    public func get<Value>(
        _ key: PersistentKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Value { _get(key, fileID, line) }

    /// Stores a value for a key.
    ///
    /// For an optional key, `nil` removes the stored value.
    ///
    /// - Returns: The outcome. In a stack, a higher layer may shadow the value. A release build stores no
    ///   debug key.
    /// - Throws: ``PrefsError``. The stored value is unchanged then, unless the code is `notDurable`. A value
    ///   that the key's own validation rejects is not written.
    @discardableResult
    public func set<Value>(_ key: PersistentKey<Value>, to value: Value) throws -> PrefsWriteOutcome {
        guard key.isMutable else { return .notStored }
        return try _setStoredForm(try key.storedForm(of: value), for: key)
    }

    /// Removes the value stored for a key, so that a lower layer's value or the default becomes effective.
    ///
    /// - Returns: The outcome. In a stack, a higher layer may still have a value.
    /// - Throws: ``PrefsError``. The stored value is unchanged then, unless the code is `notDurable`.
    @discardableResult
    public func remove<Value>(_ key: PersistentKey<Value>) throws -> PrefsWriteOutcome {
        guard key.isMutable else { return .notStored }
        return try _setStoredForm(nil, for: key)
    }

    /// Returns the effective value, of any type, for a key that is known only at run time.
    public func value(forKey key: String) -> PrefsValue? {
        let usable = _candidates(forKey: key).filter { $0.rejection == nil }
        guard let top = usable.first?.value else { return nil }
        // Only dictionaries of several layers are merged; for some storages the whole snapshot is expensive.
        return top.kind == .dictionary && usable.count > 1 ? snapshot[key] : top
    }

    /// Removes the value stored for a key that is known only at run time.
    ///
    /// - Returns: The outcome. In a stack, a higher layer may still have a value.
    /// - Throws: ``PrefsError``. The stored value is unchanged then, unless the code is `notDurable`.
    @discardableResult
    public func removeValue(forKey key: String) throws -> PrefsWriteOutcome {
        try setValue(nil, forKey: key)
    }

    /// Runs `body` and reports an error it throws as a diagnostic, for property setters and other calls that
    /// cannot throw.
    package func reporting(key: String?, _ body: () throws -> Void) {
        diagnostics.reporting(key: key, body)
    }
}

extension PersistentKey {
    /// Returns the stored form of a value; `nil` removes the key.
    ///
    /// - Throws: ``PrefsError`` that names the key, if the value is invalid or has no stored form.
    package func storedForm(of value: Value) throws(PrefsError) -> PrefsValue? {
        if let complaint = complaint(about: value) {
            guard let stored = (try? coding.encode(value)) ?? nil else {
                throw PrefsError(.invalid, key: id, reason: complaint)
            }
            var error = invalid(PrefsCandidate(stored), complaint: complaint)
            error.origin = nil
            throw error
        }
        do {
            return try coding.encode(value)
        } catch {
            // The error of a coder may quote the value.
            guard !traits.isSecret else {
                throw PrefsError(.notEncodable, key: id, reason: "the value has no stored form")
            }
            throw PrefsError(error, key: id)
        }
    }
}
