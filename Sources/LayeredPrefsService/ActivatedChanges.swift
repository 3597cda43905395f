import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// The changes that have become active since the last reload, but for those that this program has written itself.
final class ActivatedChanges: Sendable {
    struct Changes {
        /// The keys whose new values are active.
        var keys: Set<String> = []
        /// The keys whose new values the program uses after a restart.
        var restarting: Set<String> = []
        /// The time of the newest change.
        var time: Date?
    }

    private let changes = Lock(Changes())

    func add(_ set: PrefsChangeSet) {
        if set.cause == .write || set.changes.isEmpty { return }
        var (keys, restarting): (Set<String>, Set<String>) = ([], [])
        for change in set.changes {
            if change.needsRestart { restarting.insert(change.key) } else { keys.insert(change.key) }
        }
        changes.withLock { [keys, restarting] changes in
            changes.keys.formUnion(keys)
            changes.restarting.formUnion(restarting)
            changes.time = .now
        }
    }

    /// Returns the changes so far, and begins again.
    func take() -> Changes {
        changes.withLock { changes in
            defer { changes = Changes() }
            return changes
        }
    }
}
