public import FoundationEssentials
import PrefsSystem
public import LayeredPrefs

/// Records the notifications of observers, and lets a test wait for them.
///
/// ```swift
/// let changes = Recorder.changes(of: .port, in: storage)
/// try sandbox.write(["http": ["port": 9090]], to: sandbox.user)
/// try await changes.wait { $0.last?.new.value == 9090 }
/// ```
///
/// A recorder may be used from any thread.
public final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [UInt64: Waiter] = [:]
        var nextID: UInt64 = 0
        /// The waits that timed out or were cancelled before they started.
        var ended: Set<UInt64> = []
        var observation: PrefsObservation?
    }

    private let state = Lock(State())

    /// Creates an empty recorder.
    public init() {}

    /// The elements recorded so far.
    public var elements: [Element] { state.withLock { $0.elements } }

    /// Records an element and resumes the waits whose condition now holds; call it from an observer.
    public func record(_ element: Element) {
        let met = state.withLock { state in
            state.elements.append(element)
            let met = state.waiters.filter { $0.value.isMet(state.elements) }
            for id in met.keys { state.waiters[id] = nil }
            return met.values.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    /// Keeps an observation until the recorder is released, and cancels the one kept before.
    public func keep(_ observation: PrefsObservation?) {
        let previous = state.withLock { state in
            defer { state.observation = observation }
            return state.observation
        }
        previous?.cancel()
    }

    /// Cancels the observation that this recorder keeps; the recorded elements are retained.
    public func stop() { keep(nil) }

    /// Waits until `condition` holds for the recorded elements, and returns them.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait.
    ///   - condition: The condition on all elements recorded so far, evaluated after each new one.
    /// - Throws: ``RecorderTimeout`` after `limit`; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(10), until condition: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let timeout = Task { [weak self] in
            try await Task.sleep(for: limit.clamped)
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

    /// Ends a wait that timed out or was cancelled.
    private func end(_ id: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.ended.insert(id) }
            return waiter
        }
        waiter?.continuation.resume()
    }
}

/// The error of a wait whose condition did not hold in time.
public struct RecorderTimeout: Error, CustomStringConvertible {
    let recorded: String

    /// The elements that were recorded until the timeout.
    public var description: String { "timed out; recorded so far: \(recorded)" }
}

extension RecorderTimeout: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension Recorder<PrefsDiagnostic> {
    /// Creates diagnostics that are recorded instead of printed.
    ///
    /// Recording ends when the returned observation is cancelled or released.
    public static func recording() -> (PrefsDiagnostics, Recorder<PrefsDiagnostic>, PrefsObservation) {
        let (diagnostics, recorder) = (PrefsDiagnostics(), Recorder<PrefsDiagnostic>())
        return (diagnostics, recorder, diagnostics.subscribe(recorder.record))
    }

    /// Records what is reported to `diagnostics`, which meanwhile prints nothing, until the recorder is
    /// released.
    public static func diagnostics(of diagnostics: PrefsDiagnostics) -> Recorder<PrefsDiagnostic> {
        let recorder = Recorder<PrefsDiagnostic>()
        recorder.keep(diagnostics.subscribe { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}

extension Recorder {
    /// Records the changes of a key until the recorder is released.
    public static func changes<Value>(
        of key: PersistentKey<Value>, in storage: LayeredPrefsStorage
    ) -> Recorder<PrefsChange<Value>>
    where Element == PrefsChange<Value> {
        let recorder = Recorder<PrefsChange<Value>>()
        recorder.keep(storage.observe(key) { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}

extension Recorder<PrefsChangeSet> {
    /// Records the change set of every commit until the recorder is released.
    public static func changeSets(in storage: LayeredPrefsStorage) -> Recorder<PrefsChangeSet> {
        let recorder = Recorder<PrefsChangeSet>()
        recorder.keep(storage.observe { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}
