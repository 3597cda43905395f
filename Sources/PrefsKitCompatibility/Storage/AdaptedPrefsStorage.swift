import LayeredPrefs
import PrefsDocuments

/// A storage that conforms to LayeredPrefs' protocol alone, with PrefsKit's functions.
final class AdaptedPrefsStorage: NativePrefsStorage, ForwardingPrefsStorage {
    let target: any LayeredPrefs.PrefsStorage

    init(_ storage: any LayeredPrefs.PrefsStorage) { target = storage }

    var snapshot: PrefsSnapshot { target.snapshot }
    var changeSource: PrefsChangeSource? { target.changeSource }
    var isWritable: Bool { target.isWritable }
    var isPersistent: Bool { target.isPersistent }
    var status: [PrefsSourceStatus] { target.status }
    var diagnostics: PrefsDiagnostics { target.diagnostics }

    func reload() { target.reload() }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try target.setValue(value, forKey: key)
    }

    func _registerObserver(under key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation? {
        target._registerObserver(under: key, body)
    }

    func _get<Value>(_ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt) -> Value {
        target._get(key, fileID, line)
    }

    func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        target._candidates(for: key)
    }

    func _candidates(forKey key: String) -> [PrefsCandidate] { target._candidates(forKey: key) }

    func _setStoredForm<Value>(
        _ value: PrefsValue?, for key: PersistentKey<Value>
    ) throws -> PrefsWriteOutcome {
        try target._setStoredForm(value, for: key)
    }

    func _noteRejection<Value>(of key: PersistentKey<Value>) { target._noteRejection(of: key) }
}
