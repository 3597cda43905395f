/// A storage that forwards every call to another storage. The engine uses that storage directly.
package protocol ForwardingPrefsStorage: PrefsStorage {
    /// The storage behind this one.
    var target: any PrefsStorage { get }
}

extension ForwardingPrefsStorage {
    public var _capabilities: _PrefsStorageCapabilities { target._capabilities }

    public var snapshot: PrefsSnapshot { target.snapshot }
    public var changeSource: PrefsChangeSource? { target.changeSource }
    public var isWritable: Bool { target.isWritable }
    public var isPersistent: Bool { target.isPersistent }
    public var status: [PrefsSourceStatus] { target.status }
    public var diagnostics: PrefsDiagnosticHandler { target.diagnostics }

    public func reload() { target.reload() }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try target.setValue(value, forKey: key)
    }

    public func setValues(_ values: [String: PrefsValue?]) throws { try target.setValues(values) }

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
