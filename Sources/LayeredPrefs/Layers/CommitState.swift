import PrefsDocuments
import PrefsSystem

/// The state of a stack's commits.
///
/// A commit has three steps. The layers' states are composed, with the mutex held; the rules over several keys
/// are applied and the differences found, without it, because rules are the program's code; the result is
/// published, with the mutex held. Of two commits, the one that composed later contains everything that the
/// other one does, so the other one is dropped if it is not published first.
struct CommitState {
    var composition: SnapshotComposition
    var sources = SourceGenerations()
    /// The last snapshots of the layers that run the program's code when asked for one.
    var foreign = ForeignSnapshots()
    /// The generations of which the observers of the change source have been notified.
    var notified = NotificationProgress()
    /// The generation of the published snapshot.
    var generation: UInt64 = 0
    /// True once a commit may have something to report.
    var hasReports = false

    private var suspensions: [Suspension] = []
    /// The number of the composed snapshot that was published last.
    private var publishedCount: UInt64 = 0
    /// The threads that are committing.
    private var commits: [UnderWay] = []

    private struct UnderWay {
        let thread: UInt
        /// True if another commit was requested of the thread meanwhile.
        var isOutdated = false
    }

    init(locks: [CodeLock]) { composition = SnapshotComposition(locks: locks) }

    /// A composed snapshot, which is not published yet.
    struct Composed {
        let snapshot: PrefsSnapshot
        let constraints: [PrefsConstraint]
        fileprivate let count: UInt64
    }
}

extension CommitState {
    /// The next step of a commit.
    enum Step {
        /// Everything is published.
        case none
        case publish(Composed)
        /// Wait for a transaction that is writing to the layer, and compose again.
        case wait(BlockingPromise<Void>)
    }

    /// Begins a commit of the calling thread, unless it is in one already, because the program's code that a
    /// commit calls may change the stack. The commit under way is then followed by another one.
    mutating func begin() -> Bool {
        let thread = BackgroundThread.current
        if let index = commits.firstIndex(where: { $0.thread == thread }) {
            commits[index].isOutdated = true
            return false
        }
        commits.append(UnderWay(thread: thread))
        return true
    }

    /// Ends the calling thread's commit; returns true if it has to be followed by another one.
    mutating func end() -> Bool {
        let thread = BackgroundThread.current
        guard let index = commits.firstIndex(where: { $0.thread == thread }) else { return false }
        return commits.remove(at: index).isOutdated
    }

    /// Composes the layers' states.
    ///
    /// - Parameter written: The layer that the calling thread has written to, which must be included.
    mutating func compose(_ layers: [PrefsLayer], written: PrefsLayer?) -> Step {
        if let suspension = lift(written, among: layers) { return .wait(suspension) }
        let (suspensions, foreign) = (suspensions, foreign)
        composition.update(layers) { index in
            if suspensions.contains(where: { $0.layers.contains(index) }) { return nil }
            return layers[index].contents?.snapshot ?? layers[index].stack?.committedSnapshot
                ?? foreign.snapshots[index]
        }
        guard composition.count > publishedCount else { return .none }
        return .publish(
            Composed(
                snapshot: composition.last, constraints: composition.constraints, count: composition.count))
    }

    /// Returns true if a composed snapshot, or a later one, is published.
    func isPublished(_ composed: Composed) -> Bool { composed.count <= publishedCount }

    mutating func notePublished(_ composed: Composed) { publishedCount = composed.count }
}

extension CommitState {
    /// Layers whose changes are not committed until several of them have changed.
    struct Suspension {
        /// The indices of the layers.
        var layers: Set<Int>
        /// True if writers to these layers wait for the end. The code that runs until then is the library's
        /// own, and waits for no one.
        var isHeld = false
        let thread = BackgroundThread.current
        let ended = BlockingPromise<Void>()
    }

    mutating func suspend(_ layers: Set<Int>) -> BlockingPromise<Void> {
        suspensions.append(Suspension(layers: layers))
        return suspensions[suspensions.count - 1].ended
    }

    /// Lets writers to some layers wait until the suspension ends.
    mutating func hold(_ suspension: BlockingPromise<Void>, _ layers: Set<Int>) {
        for index in suspensions.indices where suspensions[index].ended === suspension {
            suspensions[index].layers.formUnion(layers)
            suspensions[index].isHeld = true
        }
    }

    mutating func resume(_ suspension: BlockingPromise<Void>) {
        suspensions.removeAll { $0.ended === suspension }
    }

    /// Includes a layer that another thread has suspended; returns the suspension if it has to be waited for.
    private mutating func lift(_ layer: PrefsLayer?, among layers: [PrefsLayer]) -> BlockingPromise<Void>? {
        guard !suspensions.isEmpty, let layer,
            let number = layers.firstIndex(where: { $0.name == layer.name })
        else { return nil }
        let thread = BackgroundThread.current
        for index in suspensions.indices
        where suspensions[index].thread != thread && suspensions[index].layers.contains(number) {
            if suspensions[index].isHeld, layer.contents != nil { return suspensions[index].ended }
            suspensions[index].layers.remove(number)
        }
        return nil
    }
}

/// The snapshots of layers that run the program's code when asked for one; they are asked with no mutex held.
///
/// Of two threads that ask at once, the one that stores last need not have asked last. A reading is therefore
/// stored only if it began after the present one was stored, and is otherwise made again, unless the present
/// one began after it.
struct ForeignSnapshots {
    /// The snapshots by the index of the layer.
    private(set) var snapshots: [Int: PrefsSnapshot] = [:]
    private var time: UInt64 = 0
    private var begun: UInt64 = 0
    private var stored: UInt64 = 0

    /// Returns the time at which a reading begins.
    mutating func begin() -> UInt64 {
        time += 1
        return time
    }

    /// Stores a reading; returns false if it has to be made again.
    mutating func store(_ reading: [Int: PrefsSnapshot], begun start: UInt64) -> Bool {
        if begun > start { return true }
        if stored > start { return false }
        time += 1
        (snapshots, begun, stored) = (reading, start, time)
        return true
    }
}
