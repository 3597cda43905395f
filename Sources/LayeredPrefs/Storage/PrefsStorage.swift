public import PrefsDocuments
import PrefsSystem

/// A place that holds preferences by key: a dictionary, a file, the environment, a stack of these.
///
/// A conforming type must give its ``snapshot``. One that takes writes implements
/// ``setPrefsValue(_:forKey:)``; one that knows when it changed returns a ``changeSource``, without which
/// nothing read from it is ever cached and no observer hears of it. All are called from any thread.
public protocol PrefsStorage: PersistentKeyValueStore, Sendable {
    /// The whole contents at this moment, as a value that never changes.
    var snapshot: PrefsSnapshot { get }

    /// Says when the contents changed. The default is `nil`: this storage cannot say.
    var changeSource: PrefsChangeSource? { get }

    /// Whether ``setPrefsValue(_:forKey:)`` can succeed at all. The default is `false`.
    var isWritable: Bool { get }

    /// Whether a written value outlives the process. The default is `false`.
    var isPersistent: Bool { get }

    /// Looks again, before it returns, at whatever lies behind the storage, for changes that nothing announces.
    /// The default has nothing to look at.
    func recheck()

    /// How each source behind this storage is doing. The default is one healthy source.
    var status: [PrefsSourceStatus] { get }
}

extension PrefsStorage {
    public var changeSource: PrefsChangeSource? { nil }

    public var isWritable: Bool { false }

    public var isPersistent: Bool { false }

    public func recheck() {}

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

    public func observe(key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation? {
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
