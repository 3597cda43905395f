package import LayeredPrefs
package import PrefsDocuments

/// A storage that forwards everything to another one, as type-erasing storages do.
package final class ErasedStorage: ForwardingPrefsStorage {
    package let target: any PrefsStorage

    package init(_ target: any PrefsStorage) { self.target = target }

    package var snapshot: PrefsSnapshot { target.snapshot }
    package var changeSource: PrefsChangeSource? { target.changeSource }
    package var isWritable: Bool { target.isWritable }
    package var isPersistent: Bool { target.isPersistent }
    package var status: [PrefsSourceStatus] { target.status }
    package var diagnostics: PrefsDiagnostics { target.diagnostics }

    package func reload() { target.reload() }

    @discardableResult
    package func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try target.setValue(value, forKey: key)
    }

    package func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        target._registerObserver(under: key, body)
    }

    package func _get<Value>(
        _ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value { target._get(key, fileID, line) }

    package func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        target._candidates(for: key)
    }

    package func _candidates(forKey key: String) -> [PrefsCandidate] { target._candidates(forKey: key) }

    package func _setStoredForm<Value>(
        _ value: PrefsValue?, for key: PersistentKey<Value>
    ) throws -> PrefsWriteOutcome {
        try target._setStoredForm(value, for: key)
    }

    package func _noteRejection<Value>(of key: PersistentKey<Value>) { target._noteRejection(of: key) }
}
