public import PrefsDocuments
import Dispatch

/// The writes of one stack that nobody waits for, in the order in which they were asked for.
final class DeferredWrites: Sendable {
    private let queue = DispatchQueue(label: "prefs-deferred-writes")

    func add(_ write: @escaping @Sendable () -> Void) { queue.async(execute: write) }

    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

extension LayeredPrefsStorage {
    /// Stores a value, or with `nil` removes it, without waiting for the disk: for callers that must not
    /// block.
    ///
    /// Deferred writes are made one after another, each as durable as ``setPrefsValue(_:forKey:in:)`` makes
    /// it; one that fails is reported as a diagnostic and changes nothing. Until it is made, reading shows
    /// what was in force before. What is still waiting when the process ends is lost: ``flush()`` tells when
    /// nothing is.
    public func deferPrefsValue(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name? = nil
    ) {
        deferred.add { [self] in
            do {
                try setPrefsValue(value, forKey: key, in: layer)
            } catch {
                report(PrefsFailure.error(error, key: key))
            }
        }
    }

    /// Stores a typed value without waiting for the disk; see ``deferPrefsValue(_:forKey:in:)``.
    public func `defer`<Key: PersistentKeyProtocol>(
        _ key: Key, to value: Key.Value, in layer: PrefsLayer.Name? = nil
    ) {
        deferred.add { [self] in
            do {
                try set(key, to: value, in: layer)
            } catch {
                report(PrefsFailure.error(error, key: key.id))
            }
        }
    }

    /// Returns when every write deferred before the call is on disk, or has failed and been reported.
    public func flush() async { await deferred.finish() }
}
