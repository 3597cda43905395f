import LayeredPrefs
import PrefsDocuments

/// A storage of this module that passes the calls of LayeredPrefs on to another one.
protocol ForwardingStorage: NativePrefsStorage, ForwardingPrefsStorage {}

// What both protocols implement: the calls are passed on.
extension ForwardingStorage {
    public var snapshot: PrefsSnapshot { target.snapshot }
    public var isWritable: Bool { target.isWritable }
    public var _capabilities: _PrefsStorageCapabilities { target._capabilities }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try target.setValue(value, forKey: key)
    }

    public func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        target._candidates(for: key)
    }

    public func _candidates(forKey key: String) -> [PrefsCandidate] { target._candidates(forKey: key) }
}
