public import PrefsDocuments
import PrefsSystem

/// A stack's deferred writes, in the order of the calls.
///
/// Writes that wait at the same time become one transaction. A thread of the library makes it, or the next thread
/// that writes to the stack. So no later write overtakes a deferred one.
final class DeferredWrites: Sendable {
    /// A waiting write.
    struct Write: Sendable {
        let key: String
        let layer: PrefsLayer.Name?
        /// True if this write replaces a waiting write of the same key and layer that also has this flag. False if
        /// the key rejects the value: such a write stays, so that its error is reported.
        let replacesEarlier: Bool
        let add: @Sendable (inout PrefsTransaction) -> Void
    }

    private struct Place: Hashable {
        let key: String
        let layer: PrefsLayer.Name?
        /// The number of a write that does not replace earlier ones; otherwise `nil`.
        let number: Int?
    }

    private struct State {
        var waiting: [Place: (number: Int, write: Write)] = [:]
        var count = 0
        /// The thread that is making writes, and the promise that other threads wait for.
        var writer: (thread: UInt, end: BlockingPromise<Void>)?

        mutating func take() -> [Write] {
            defer { waiting = [:] }
            return waiting.values.sorted { $0.number < $1.number }.map(\.write)
        }
    }

    /// The maximum number of waiting writes.
    static let limit = 1024

    private let state = Lock(State())
    private let queue = ObserverQueue(on: .shared, as: .own)
    /// The longest time that a write waits for another thread to make deferred writes.
    let patience: Duration

    init(patience: Duration = CommitEngine.lockTimeout) { self.patience = patience }

    /// Adds a write, which a thread of the library makes soon.
    ///
    /// - Parameter make: Makes the waiting writes, on a thread that may wait as long as necessary.
    /// - Returns: True if the maximum number of writes is waiting.
    func add(_ write: Write, _ make: @escaping @Sendable () -> Void) -> Bool {
        let (isFirst, count) = state.withLock { state in
            state.count += 1
            let number = write.replacesEarlier ? nil : state.count
            let place = Place(key: write.key, layer: write.layer, number: number)
            let isFirst = state.waiting.isEmpty
            state.waiting[place] = (state.count, write)
            return (isFirst, state.waiting.count)
        }
        // The thread makes all writes that wait by the time it runs, so the first write suffices to start it.
        if isFirst { queue.post(make) }
        return count >= Self.limit
    }

    func finish(_ make: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            queue.post {
                make()
                continuation.resume()
            }
        }
    }

    /// Calls `body` with the waiting writes. If another thread is making writes, this function first waits for
    /// that thread. On a thread that is itself making writes, it does nothing.
    ///
    /// - Parameter timeout: The longest time to wait for another thread; `nil` for no limit.
    /// - Returns: False if the other thread has not ended by then, so that it may still write.
    func make(within timeout: Duration?, _ body: ([Write]) -> Void) -> Bool {
        let deadline = timeout.map { ContinuousClock.now + $0.clamped }
        while true {
            switch next() {
            case .done: return true
            case .wait(let other):
                guard let deadline else {
                    other.wait()
                    continue
                }
                if other.wait(until: deadline) == nil { return false }
            case .make(let writes):
                body(writes)
                end()
                return true
            }
        }
    }

    private enum Step {
        case done
        case wait(BlockingPromise<Void>)
        case make([Write])
    }

    private func next() -> Step {
        let thread = BackgroundThread.current
        return state.withLock { state in
            if let writer = state.writer { return writer.thread == thread ? .done : .wait(writer.end) }
            if state.waiting.isEmpty { return .done }
            state.writer = (thread, BlockingPromise())
            return .make(state.take())
        }
    }

    private func end() {
        let writer = state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
        writer?.end.open(())
    }
}

extension PrefsStack {
    /// Stores a value, or removes it, without waiting for the disk. Use this method where your code must not
    /// block.
    ///
    /// Deferred writes are made in the order of the calls, and before any write that you make later. Each of them
    /// is as durable as with ``setValue(_:forKey:in:)``. Until a write is made, reads return the previous value.
    /// If a write fails, a diagnostic reports it, and the previous value stays. If a write is stored but perhaps
    /// not durable, a diagnostic reports that, too.
    ///
    /// Writes that wait at the same time become one change, with a single write of each file. If several of them
    /// set the same key, only the last one is made.
    ///
    /// When the process ends, writes that still wait are lost; ``flush()`` waits for them. Any other write waits
    /// for them, too, and throws `busy` if they take longer than ten seconds.
    ///
    /// At most 1,024 writes of different keys wait, for example for a slow disk or for another process's file
    /// lock. The call that reaches this limit makes the writes itself, and so waits.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove the key.
    ///   - key: The key's name or dotted path.
    ///   - layer: The layer's name. The default is the same as in ``PrefsStack/setValue(_:forKey:in:)``.
    public func setValueLater(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name? = nil
    ) {
        deferWrite(of: key, in: layer) { $0.setValue(value, forKey: key, in: layer) }
    }

    /// Stores a typed value without waiting for the disk. See ``setValueLater(_:forKey:in:)``.
    public func setLater<Value>(
        _ key: PersistentKey<Value>, to value: Value, in layer: PrefsLayer.Name? = nil
    ) {
        deferWrite(of: key.id, in: layer, replacesEarlier: key.accepts(value)) {
            $0.set(key, to: value, in: layer)
        }
    }

    private func deferWrite(
        of key: String, in layer: PrefsLayer.Name?, replacesEarlier: Bool = true,
        _ add: @escaping @Sendable (inout PrefsTransaction) -> Void
    ) {
        let write = DeferredWrites.Write(
            key: key, layer: layer, replacesEarlier: replacesEarlier, add: add)
        let isFull = deferred.add(write) { [self] in makeDeferredWrites(within: nil) }
        if isFull { makeDeferredWrites(within: CommitEngine.lockTimeout) }
    }

    /// Waits until every write that was deferred before the call is on disk, or has failed and has been reported.
    public func flush() async { await deferred.finish { [self] in makeDeferredWrites(within: nil) } }

    /// Makes the deferred writes. The calling thread is about to write, and its write must come after them.
    ///
    /// - Throws: ``PrefsError`` if another thread has not made the deferred writes in time, because it might then
    ///   overwrite the caller's write. It is also thrown if the caller is a closure that must not write.
    func makeDeferredWrites() throws(PrefsError) {
        try UpdateCall.checkHasEnded()
        let patience = deferred.patience
        if makeDeferredWrites(within: patience) { return }
        throw PrefsError(
            .busy,
            reason:
                "not written because earlier deferred writes have taken longer than \(patience); try again")
    }

    /// - Parameter timeout: The longest time to wait for another thread's deferred writes; `nil` for no limit.
    /// - Returns: False if the other thread has not ended by then.
    @discardableResult
    private func makeDeferredWrites(within timeout: Duration?) -> Bool {
        // A thread that holds a commit lock cannot write. The write that it is about to make will throw.
        if CommitLock.isHeldByThisThread { return true }
        return deferred.make(within: timeout) { writes in
            do {
                try make(writes)
            } catch  where writes.count > 1 {
                // A write that fails does not prevent the others.
                for write in writes { reporting(key: write.key) { try make([write]) } }
            } catch {
                reporting(key: writes.first?.key) { throw error }
            }
        }
    }

    private func make(_ writes: [DeferredWrites.Write]) throws {
        let (report, notDurable) = try make(writingOthers: true) { transaction in
            for write in writes { write.add(&transaction) }
        }
        for error in report.failures { diagnostics.report(.error, error) }
        // The writes are stored, so they are not made again.
        if let notDurable { diagnostics.report(.error, notDurable) }
    }
}

extension PersistentKey {
    /// Returns true if the key can store a value, which may be `nil`.
    fileprivate func accepts(_ value: Value) -> Bool {
        do {
            _ = try storedForm(of: value)
            return true
        } catch {
            return false
        }
    }
}
