import FileWatching
public import LayeredPrefs

/// Collects what observers are told, and lets a test wait for it.
public final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters:
            [(isMet: @Sendable ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    public init() {}

    /// Everything recorded so far.
    public var elements: [Element] { state.withLock { $0.elements } }

    /// Adds an element; give this to an observer.
    public func record(_ element: Element) {
        let met = state.withLock { state in
            state.elements.append(element)
            let elements = state.elements
            let met = state.waiters.filter { $0.isMet(elements) }.map(\.continuation)
            state.waiters.removeAll { $0.isMet(elements) }
            return met
        }
        for continuation in met { continuation.resume() }
    }

    /// Returns once `condition` holds for what is recorded, or throws after the deadline.
    public func wait(
        within limit: Duration = .seconds(10), until condition: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.arrival(of: condition) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw RecorderTimeout(recorded: "\(self.elements)")
            }
            defer { group.cancelAll() }
            try await group.next()
            self.releaseWaiters()
        }
        return elements
    }

    private func arrival(of condition: @escaping @Sendable ([Element]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if condition(state.elements) { return true }
                state.waiters.append((condition, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// A waiter whose deadline passed must not hang for ever.
    private func releaseWaiters() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters.map(\.continuation)
        }
        for continuation in waiters { continuation.resume() }
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
}
