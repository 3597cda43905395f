public import PrefsDocuments
import PrefsSystem

/// A storage that holds preferences by key: a dictionary, a file, the environment, or a stack of these.
///
/// A conforming type must provide its ``snapshot``. A writable one implements ``setPrefsValue(_:forKey:)``;
/// one that can detect its changes returns a ``changeSource``, without which no value read from it is cached
/// and no observer is notified. All requirements may be called from any thread.
public protocol PrefsStorage: PersistentKeyValueStore, Sendable {
    /// The entire contents at this moment, as an immutable value.
    var snapshot: PrefsSnapshot { get }

    /// The source of change notifications. The default is `nil`: this storage cannot report changes.
    var changeSource: PrefsChangeSource? { get }

    /// True if ``setPrefsValue(_:forKey:)`` can succeed. The default is `false`.
    var isWritable: Bool { get }

    /// True if a written value outlives the process. The default is `false`.
    var isPersistent: Bool { get }

    /// Checks for changes that no notification announces, and loads them before it returns. The default
    /// implementation does nothing.
    func reload()

    /// The state of each source behind this storage. The default is one source without problems.
    var status: [PrefsSourceStatus] { get }
}

extension PrefsStorage {
    public var changeSource: PrefsChangeSource? { nil }

    public var isWritable: Bool { false }

    public var isPersistent: Bool { false }

    public func reload() {}

    public var status: [PrefsSourceStatus] {
        [PrefsSourceStatus(isWritable: isWritable, generation: changeSource?.generation)]
    }

    public func candidates(forKey key: String) -> [PrefsCandidate] {
        snapshot.candidates(forKey: key)
    }

    public func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        snapshot.candidates(for: name)
    }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        throw PrefsError(.notWritable, key: key, reason: "this storage is read-only")
    }

    public func registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        guard let changeSource else { return nil }
        let last = Lock(snapshot.candidates(forKey: key))
        return changeSource.observe { [weak self] in
            guard let now = self?.candidates(forKey: key) else { return }
            let changed = last.withLock { last in
                defer { last = now }
                return last.map(\.value) != now.map(\.value)
            }
            if changed { body() }
        }
    }
}
