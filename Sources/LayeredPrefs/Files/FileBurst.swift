import PrefsSystem

/// Coalesces the edits of several files, so that files edited together take effect together.
///
/// All noted edits are read before any observer is notified, so an observer of one file finds the others
/// already read. The files of a stack share the stack's burst.
final class FileBurst: Sendable {
    private let edited = EditedFiles()
    private let coalescer: Coalescer

    /// - Parameters:
    ///   - window: The interval after a read during which further edits are coalesced into one read.
    ///   - settles: True to coalesce the first edit after a quiet period, too.
    init(window: Duration, settles: Bool) {
        coalescer = Coalescer(window: window, settles: settles, label: "prefs-read") { [edited] in
            edited.read()
        }
    }

    /// Records an edit, which ``run()`` then reads.
    func note(_ member: any FileBurstMember, _ cause: PrefsChangeCause) { edited.add(member, cause) }

    /// Reads the recorded edits, immediately or soon.
    func run() { if !edited.isEmpty { coalescer.call() } }

    /// Calls `body` once no read with undelivered notifications is in progress.
    func whenNotified(_ body: @escaping @Sendable () -> Void) { edited.whenNotified(body) }
}

/// An object that reads an edited file or folder.
protocol FileBurstMember: AnyObject, Sendable {
    /// Reads the edited contents without notifying observers.
    ///
    /// - Returns: A closure that delivers the notifications; `nil` if there are none.
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)?
}

/// A storage that reads its files in a burst, which it may share with others.
protocol FileBurstStorage: PrefsStorage {
    var burst: FileBurst { get }

    /// Makes the storage read its files in this burst from now on.
    func gather(in burst: FileBurst)
}

/// The files that were edited but not yet read.
private final class EditedFiles: Sendable {
    private struct Edit {
        weak let member: (any FileBurstMember)?
        let cause: PrefsChangeCause
    }

    private struct State {
        var edits: [ObjectIdentifier: Edit] = [:]
        /// The number of threads that are reading, or notifying observers of what they read.
        var readers = 0
        /// The closures to call when that number reaches 0.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.edits.isEmpty } }

    func add(_ member: any FileBurstMember, _ cause: PrefsChangeCause) {
        state.withLock { state in
            // An explicitly requested re-check remains the cause.
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
        for notifyObservers in edits.values.compactMap({ $0.member?.refresh($0.cause) }) { notifyObservers() }
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

    func whenNotified(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.readers > 0 { state.waiting.append(body) }
            return state.readers == 0
        }
        if isIdle { body() }
    }
}
