public import PrefsDocuments
import PrefsSystem

/// A stack's deferred writes, made one after another in the order of the calls.
final class DeferredWrites: Sendable {
    private let queue = ObserverQueue(on: .shared, as: .own)

    func add(_ write: @escaping @Sendable () -> Void) { queue.post(write) }

    func finish() async {
        await withCheckedContinuation { continuation in queue.post { continuation.resume() } }
    }
}

extension LayeredPrefsStorage {
    /// Stores a value, or removes it if it is `nil`, without waiting for the disk.
    ///
    /// This is for callers that must not block.
    ///
    /// Deferred writes are made one after another in the order of the calls, each as durable as with
    /// ``setValue(_:forKey:in:)``. A write that fails is reported as a diagnostic and changes nothing.
    /// Until the write is made, reads return the previous value. Writes still pending when the process ends
    /// are lost; ``flush()`` waits for them.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes the key.
    ///   - key: The key's name or dotted path.
    ///   - layer: The layer's name; by default the topmost persistent layer that is writable.
    public func setValueLater(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name? = nil
    ) {
        deferred.add { [self] in
            reporting(key: key) { try setValue(value, forKey: key, in: layer) }
        }
    }

    /// Stores a typed value without waiting for the disk; see ``setValueLater(_:forKey:in:)``.
    public func setLater<Value>(
        _ key: PersistentKey<Value>, to value: Value, in layer: PrefsLayer.Name? = nil
    ) {
        deferred.add { [self] in
            reporting(key: key.id) { try set(key, to: value, in: layer) }
        }
    }

    /// Waits until every write deferred before the call is on disk, or has failed and been reported.
    public func flush() async { await deferred.finish() }
}
