import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// Change sets that wait for a client.
///
/// They wait as text, because a change set would keep the contents before and after its commit in memory. If more
/// than ``limit`` bytes wait, the client reads too slowly, and all waiting sets are dropped.
final class WaitingChanges: Sendable {
    typealias Changes = InspectionReply.Changes

    private struct State {
        var sets: [Changes] = []
        var size = 0
        var hasOverflowed = false
        /// Opened when changes arrive or were dropped.
        var arrival = BlockingPromise<Void>()
    }

    /// The maximum size of the waiting sets together, in bytes. A single set may be larger.
    static let limit = 1 << 20

    private let state = Lock(State())

    /// Adds changes. Describes them only if they can be sent.
    func append(_ makeChanges: @autoclosure () -> Changes) {
        if state.withLock({ $0.hasOverflowed }) { return }
        let changes = makeChanges()
        let arrival = state.withLock { state in
            state.size += changes.size
            // A single large set is not the client's fault: somebody has edited a large file.
            state.hasOverflowed = !state.sets.isEmpty && state.size > Self.limit
            if state.hasOverflowed { state.sets = [] } else { state.sets.append(changes) }
            return state.arrival
        }
        arrival.open(())
    }

    /// Waits for change sets and returns them. Returns none if the time passes, and `nil` if some were dropped.
    func next(seconds: Int) -> [Changes]? {
        _ = state.withLock { $0.arrival }.wait(until: .now + .seconds(seconds))
        return state.withLock { state in
            defer { (state.sets, state.size, state.arrival) = ([], 0, BlockingPromise()) }
            return state.hasOverflowed ? nil : state.sets
        }
    }
}

extension InspectionReply.Changes {
    /// The maximum length of a value, in code points.
    private static let valueLength = 1 << 14

    /// Describes a change set, including the changes of undeclared keys.
    init(_ set: PrefsChangeSet, _ declared: DeclaredKeys, _ secrets: SecretPaths) {
        let others = set.changes.keeping { !declared.holds($0) }
        self.init(
            generation: set.generation, cause: set.cause.rawValue, keys: set.changes.keys,
            shadowed: set.shadowed, time: Date().timeIntervalSince1970,
            details: others.map { Change($0, length: Self.valueLength, secrets) })
    }

    /// Describes the change of a declared key.
    init(_ change: PrefsChange<PrefsValue?>, _ secrets: SecretPaths) {
        self.init(
            generation: change.generation, cause: change.cause.rawValue, time: Date().timeIntervalSince1970,
            details: [Change(change, length: Self.valueLength, secrets)])
    }

    /// The approximate memory of the texts, in bytes.
    fileprivate var size: Int {
        let details = (details ?? []).flatMap { [$0.key, $0.old ?? "", $0.new ?? "", $0.origin ?? ""] }
        return [keys ?? [], shadowed ?? [], details].joined().reduce(256) {
            $0 + MemoryLayout<String>.stride + $1.utf8.count
        }
    }
}

extension String {
    /// Returns a text of more than `length` bytes shortened to `length` code points, with an ellipsis.
    ///
    /// The length is not measured in characters, because a single character can consist of any number of code
    /// points.
    func shortened(to length: Int) -> String {
        if utf8.count <= length { return self }
        let start = unicodeScalars.prefix(length)
        return start.endIndex == endIndex ? self : "\(String(start))…"
    }
}
