import PrefsSystem

/// Gathers the edits of several files, so that what is edited together comes into force together.
///
/// All that was noted is read before anybody is told: whoever is told of one file finds the others read.
/// The files of a stack share the stack's burst.
final class FileBurst: Sendable {
    private let edited = EditedFiles()
    private let coalescer: Coalescer

    /// - Parameters:
    ///   - window: How long after a reading further edits are gathered into one.
    ///   - settles: Whether the first edit after quiet is gathered, too.
    init(window: Duration, settles: Bool) {
        coalescer = Coalescer(window: window, settles: settles, label: "prefs-read") { [edited] in
            edited.read()
        }
    }

    /// Takes note of an edit; ``run()`` has it read.
    func note(_ member: any FileBurstMember, _ cause: PrefsChangeCause) { edited.add(member, cause) }

    /// Has what was noted read, now or soon.
    func run() { if !edited.isEmpty { coalescer.call() } }

    /// Calls `body` once no reading is under way that has something to tell yet.
    func whenTold(_ body: @escaping @Sendable () -> Void) { edited.whenTold(body) }
}

/// What reads something that was edited.
protocol FileBurstMember: AnyObject, Sendable {
    /// Reads it without telling anybody.
    ///
    /// - Returns: How to tell, if there is anything to tell.
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)?
}

/// A storage whose files are read in a burst that it may share.
protocol FileBurstStorage: PrefsStorage {
    var burst: FileBurst { get }

    /// Has the storage's files read in this burst from now on.
    func gather(in burst: FileBurst)
}

/// The files that were edited and not yet read.
private final class EditedFiles: Sendable {
    private struct Edit {
        weak let member: (any FileBurstMember)?
        let cause: PrefsChangeCause
    }

    private struct State {
        var edits: [ObjectIdentifier: Edit] = [:]
        /// How many threads read, or tell of what they read.
        var readers = 0
        /// Who waits for there to be none.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.edits.isEmpty } }

    func add(_ member: any FileBurstMember, _ cause: PrefsChangeCause) {
        state.withLock { state in
            // A re-check that was asked for stays the cause.
            if state.edits[ObjectIdentifier(member)]?.cause == .reload { return }
            state.edits[ObjectIdentifier(member)] = Edit(member: member, cause: cause)
        }
    }

    func read() {
        let edits = state.withLock { state in
            state.readers += 1
            defer { state.edits = [:] }
            return state.edits
        }
        for tell in edits.values.compactMap({ $0.member?.refresh($0.cause) }) { tell() }
        endReading()
    }

    private func endReading() {
        let waiting = state.withLock { state in
            state.readers -= 1
            guard state.readers == 0 else { return [] as [@Sendable () -> Void] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    func whenTold(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.readers > 0 { state.waiting.append(body) }
            return state.readers == 0
        }
        if isIdle { body() }
    }
}
