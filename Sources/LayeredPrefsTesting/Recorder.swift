import PrefsSystem
public import LayeredPrefs

/// Collects what observers are told, and lets a test wait for it.
///
/// ```swift
/// let changes = Recorder.changes(of: .port, in: storage)
/// try sandbox.write(["http": ["port": 9090]], to: sandbox.user)
/// try await changes.wait { $0.last?.new.value == 9090 }
/// ```
///
/// It may be used from any thread.
public final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [UInt64: Waiter] = [:]
        var nextID: UInt64 = 0
        /// Waits that ended before they had begun.
        var ended: Set<UInt64> = []
        var observation: PrefsObservation?
    }

    private let state = Lock(State())

    /// A recorder of nothing yet.
    public init() {}

    /// Everything recorded so far.
    public var elements: [Element] { state.withLock { $0.elements } }

    /// Adds an element; give this to an observer.
    public func record(_ element: Element) {
        let met = state.withLock { state in
            state.elements.append(element)
            let met = state.waiters.filter { $0.value.isMet(state.elements) }
            for id in met.keys { state.waiters[id] = nil }
            return met.values.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    /// Keeps an observation for as long as there is this recorder.
    public func keep(_ observation: PrefsObservation?) {
        let previous = state.withLock { state in
            defer { state.observation = observation }
            return state.observation
        }
        previous?.cancel()
    }

    /// Ends the observation that this recorder keeps; what is recorded stays.
    public func stop() { keep(nil) }

    /// Returns what is recorded once `condition` holds for it.
    ///
    /// - Throws: ``RecorderTimeout`` after the deadline; `CancellationError` when the task is cancelled.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(10), until condition: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let timeout = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.end(id)
        }
        defer { timeout.cancel() }
        await withTaskCancellationHandler {
            await arrival(of: condition, id)
        } onCancel: {
            end(id)
        }
        try Task.checkCancellation()
        let elements = elements
        guard condition(elements) else { throw RecorderTimeout(recorded: "\(elements)") }
        return elements
    }

    private func arrival(of condition: @escaping @Sendable ([Element]) -> Bool, _ id: UInt64) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.ended.remove(id) != nil || condition(state.elements) { return true }
                state.waiters[id] = Waiter(isMet: condition, continuation: continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Lets a waiter go whose time is over.
    private func end(_ id: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.ended.insert(id) }
            return waiter
        }
        waiter?.continuation.resume()
    }
}

/// What was awaited did not come in time.
public struct RecorderTimeout: Error, CustomStringConvertible {
    let recorded: String

    public var description: String { "timed out; recorded so far: \(recorded)" }
}

extension Recorder<PrefsDiagnostic> {
    /// A destination for diagnostics that records them instead of printing.
    public static func recording() -> (PrefsDiagnostics, Recorder<PrefsDiagnostic>, PrefsObservation) {
        let (diagnostics, recorder) = (PrefsDiagnostics(), Recorder<PrefsDiagnostic>())
        return (diagnostics, recorder, diagnostics.subscribe(recorder.record))
    }

    /// Records what is reported to `diagnostics`, which then prints nothing, until the recorder is released.
    public static func diagnostics(of diagnostics: PrefsDiagnostics) -> Recorder<PrefsDiagnostic> {
        let recorder = Recorder<PrefsDiagnostic>()
        recorder.keep(diagnostics.subscribe { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}

extension Recorder {
    /// Records the changes of a key until the recorder is released.
    public static func changes<Key: PersistentKeyProtocol>(
        of key: Key, in storage: LayeredPrefsStorage
    ) -> Recorder<PrefsChange<Key.Value>>
    where Key.Value: Equatable, Element == PrefsChange<Key.Value> {
        let recorder = Recorder<PrefsChange<Key.Value>>()
        recorder.keep(storage.observe(key) { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}

extension Recorder<PrefsChangeSet> {
    /// Records the change set of every commit until the recorder is released.
    public static func changeSets(in storage: LayeredPrefsStorage) -> Recorder<PrefsChangeSet> {
        let recorder = Recorder<PrefsChangeSet>()
        recorder.keep(storage.observeChanges { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}
