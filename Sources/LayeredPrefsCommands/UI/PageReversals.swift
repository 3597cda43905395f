import LayeredPrefs
import PrefsSystem

/// The last edits by the user of the page, each with a closure that undoes it.
///
/// The old values stay in this process, because the page must not see secrets.
final class PageReversals: Sendable {
    private typealias Reversal = @Sendable () throws -> Void

    private struct State {
        var count = 0
        var reversals: [Int: Reversal] = [:]
    }

    private static let limit = 100
    private let state = Lock(State())

    /// Keeps a closure that undoes an edit, and returns its number.
    func add(_ reversal: @escaping @Sendable () throws -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.reversals[state.count] = reversal
            state.reversals[state.count - Self.limit] = nil
            return state.count
        }
    }

    /// Undoes an edit. This works only once.
    func revert(_ number: Int) throws {
        guard let reversal = state.withLock({ $0.reversals.removeValue(forKey: number) }) else {
            throw CommandFailure.failed("the edit has been reverted, or is too long ago")
        }
        try reversal()
    }
}
