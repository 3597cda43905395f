import FileWatching

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

    private let edits = Lock<[ObjectIdentifier: Edit]>([:])

    var isEmpty: Bool { edits.withLock { $0.isEmpty } }

    func add(_ member: any FileBurstMember, _ cause: PrefsChangeCause) {
        edits.withLock { edits in
            // A re-check that was asked for stays the cause.
            if edits[ObjectIdentifier(member)]?.cause == .reload { return }
            edits[ObjectIdentifier(member)] = Edit(member: member, cause: cause)
        }
    }

    func read() {
        let edits = edits.withLock { edits in
            defer { edits = [:] }
            return edits
        }
        for tell in edits.values.compactMap({ $0.member?.refresh($0.cause) }) { tell() }
    }
}
