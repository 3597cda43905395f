import PrefsSystem
import FoundationEssentials
import LayeredPrefs

/// A change for a watch to print.
struct WatchedChange: Sendable {
    let key: String
    let old: PrefsValue?
    let new: PrefsValue?
    let origin: PrefsOrigin?
    let cause: PrefsChangeCause
    let generation: UInt64
    /// The secrets to hide.
    let secrets: SecretPaths
    let needsRestart: Bool

    /// Returns one of the two values as text, with secrets masked; `nil` if there is no value.
    func shown(_ value: PrefsValue?) -> String? { value.map { ValueText.shown($0, at: key, secrets) } }
}

/// An output format of a watch.
protocol WatchPrinter: Sendable {
    func print(_ change: WatchedChange, at time: Date)
    func print(_ diagnostic: PrefsDiagnostic)
    /// Prints that every path is watched. From then on, every change is reported.
    func printReady(_ stack: Stack)
}

/// Serializes the library's changes and diagnostics, which come from any thread, into one sequence of lines. Each
/// line is flushed immediately.
final class WatchFeed: Sendable {
    private struct State {
        /// The generation of the values that were printed at the start; 0 if none were. Changes up to this
        /// generation are not printed again.
        var shown: UInt64 = 0
        var isReady = false
        var waiting: [WatchedChange] = []
    }

    private let printer: any WatchPrinter
    private let isRevealing: Bool
    private let end: @Sendable () -> Void
    private let state = Lock(State())

    /// - Parameters:
    ///   - isRevealing: True to print the values of secrets.
    ///   - end: Ends the watch. Called if the output cannot be written.
    init(_ printer: any WatchPrinter, isRevealing: Bool, ending end: @escaping @Sendable () -> Void) {
        self.printer = printer
        self.isRevealing = isRevealing
        self.end = end
    }

    func print(_ diagnostic: PrefsDiagnostic) {
        state.withLock { _ in
            printer.print(diagnostic)
            flush()
        }
    }

    /// Starts observing, prints the current values if `isInitial` is true, and prints that the watch is ready.
    func start(_ stack: Stack, _ keys: WatchedKeys, initial isInitial: Bool) -> [PrefsObservation] {
        // Observe first, so that no change is missed. Changes that arrive meanwhile are queued.
        let observations = observe(stack, keys)
        state.withLock { state in
            let snapshot = stack.storage.snapshot
            if isInitial {
                printValues(stack, keys, snapshot)
                state.shown = snapshot.generation
            }
            printer.printReady(stack)
            state.isReady = true
            for change in state.waiting where change.generation > state.shown {
                printer.print(change, at: Date())
            }
            state.waiting = []
            flush()
        }
        return observations
    }

    private func flush() {
        if !Output.flush() { end() }
    }

    private func printValues(_ stack: Stack, _ keys: WatchedKeys, _ snapshot: PrefsSnapshot) {
        for report in stack.reports(under: "", in: snapshot) where keys.includes(report) {
            guard report.value != nil else { continue }
            let change = WatchedChange(
                key: report.key, old: nil, new: report.value, origin: report.origin, cause: .start,
                generation: snapshot.generation, secrets: secrets(of: stack), needsRestart: false)
            printer.print(change, at: Date())
        }
    }

    private func observe(_ stack: Stack, _ keys: WatchedKeys) -> [PrefsObservation] {
        let secrets = secrets(of: stack)
        let typed = keys.declared.map { declared in
            declared.observe(in: stack.storage) { [weak self] change in
                self?.print([WatchedChange(change, secrets)])
            }
        }
        let others = stack.storage.observe { [weak self] changes in
            let changes = changes.changes.filter { keys.includesUndeclared($0.key) }
            self?.print(changes.map { WatchedChange($0, secrets) })
        }
        return typed + [others]
    }

    private func secrets(of stack: Stack) -> SecretPaths {
        isRevealing ? SecretPaths() : stack.declared.secrets
    }

    private func print(_ changes: [WatchedChange]) {
        let now = Date()
        state.withLock { state in
            guard state.isReady else { return state.waiting += changes }
            for change in changes where change.generation > state.shown { printer.print(change, at: now) }
            flush()
        }
    }
}

extension WatchedChange {
    fileprivate init(_ change: PrefsChange<PrefsValue?>, _ secrets: SecretPaths) {
        self.init(
            key: change.key, old: change.old.value, new: change.new.value, origin: change.new.origin,
            cause: change.cause, generation: change.generation, secrets: secrets,
            needsRestart: change.needsRestart)
    }
}
