public import FoundationEssentials
import PrefsSystem
public import LayeredPrefs

/// A recorder of the notifications of observers. A test can wait for them.
///
/// ```swift
/// let changes = Recorder.changes(of: .port, in: storage)
/// try sandbox.write(["http": ["port": 9090]], to: sandbox.user)
/// try await changes.wait { $0.last?.new.value == 9090 }
/// ```
///
/// You may use a recorder from any thread.
public final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([Element]) -> Bool
        let arrival: AsyncStream<[Element]>.Continuation

        func check(_ elements: [Element]) { if isMet(elements) { arrival.yield(elements) } }
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [UUID: Waiter] = [:]
        var observation: PrefsObservation?
    }

    private let state = Lock(State())

    /// Creates an empty recorder.
    public init() {}

    /// The elements that have been recorded so far.
    public var elements: [Element] { state.withLock { $0.elements } }

    /// Records an element, and resumes each wait whose condition now holds. Call it from an observer.
    public func record(_ element: Element) {
        state.withLock { state in
            state.elements.append(element)
            for waiter in state.waiters.values { waiter.check(state.elements) }
        }
    }

    /// Keeps an observation until the recorder is released, and cancels the previous observation.
    public func keep(_ observation: PrefsObservation?) {
        let previous = state.withLock { state in
            defer { state.observation = observation }
            return state.observation
        }
        previous?.cancel()
    }

    /// Cancels the observation that this recorder keeps. The recorded elements remain.
    public func stop() { keep(nil) }

    /// Waits until `condition` holds for the recorded elements, and returns these elements.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait.
    ///   - condition: The condition on all elements recorded so far. It is evaluated after each new element, and once
    ///     more when the time has passed.
    /// - Throws: ``RecorderTimeout`` after `limit`; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(10), until condition: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        // The oldest, because the condition may no longer hold when the task resumes.
        let (arrivals, arrival) = AsyncStream<[Element]>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let (waiter, id) = (Waiter(isMet: condition, arrival: arrival), UUID())
        state.withLock { state in
            state.waiters[id] = waiter
            waiter.check(state.elements)
        }
        defer { state.withLockReleasing { $0.waiters.removeValue(forKey: id) } }
        let timeout = Task {
            try await Task.sleep(for: limit.clamped)
            arrival.finish()
        }
        defer { timeout.cancel() }
        let arrived = await arrivals.first { _ in true }
        try Task.checkCancellation()
        if let arrived { return arrived }
        // On a busy machine this task resumes long after the time has passed.
        let elements = elements
        guard condition(elements) else { throw RecorderTimeout(recorded: "\(elements)") }
        return elements
    }
}

/// The error that a wait throws if its condition did not hold in time.
public struct RecorderTimeout: Error, CustomStringConvertible {
    let recorded: String

    /// A message with the elements that were recorded until the timeout.
    public var description: String { "timed out; recorded so far: \(recorded)" }
}

extension RecorderTimeout: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension Recorder<PrefsDiagnostic> {
    /// Creates diagnostics that are recorded instead of printed.
    ///
    /// Recording ends when you cancel or release the returned observation.
    public static func recording() -> (PrefsDiagnosticHandler, Recorder<PrefsDiagnostic>, PrefsObservation) {
        let (diagnostics, recorder) = (PrefsDiagnosticHandler(), Recorder<PrefsDiagnostic>())
        return (diagnostics, recorder, diagnostics.subscribe(recorder.record))
    }

    /// Records the reports to `diagnostics` until the recorder is released. Meanwhile, they are not printed.
    public static func diagnostics(of diagnostics: PrefsDiagnosticHandler) -> Recorder<PrefsDiagnostic> {
        let recorder = Recorder<PrefsDiagnostic>()
        recorder.keep(diagnostics.subscribe { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}

extension Recorder {
    /// Records the changes of a key until the recorder is released.
    public static func changes<Value>(
        of key: PersistentKey<Value>, in storage: PrefsStack
    ) -> Recorder<PrefsChange<Value>>
    where Element == PrefsChange<Value> {
        let recorder = Recorder<PrefsChange<Value>>()
        recorder.keep(storage.observe(key) { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}

extension Recorder<PrefsChangeSet> {
    /// Records the change set of every commit until the recorder is released.
    public static func changeSets(in storage: PrefsStack) -> Recorder<PrefsChangeSet> {
        let recorder = Recorder<PrefsChangeSet>()
        recorder.keep(storage.observe { [weak recorder] in recorder?.record($0) })
        return recorder
    }
}
