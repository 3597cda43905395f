import FileWatching
import PrefsDocuments

/// A place that a source is read from, such as a file, a folder, or the files that variables name. The place
/// keeps the state that its next reading needs.
protocol SourcePlace: Sendable {
    /// The first problem of a part of the place, such as a line. It is the source's problem if the place as a
    /// whole has none.
    var problem: PrefsError? { get }

    /// True if a report must add that the previous contents stay active, because the error does not mention it.
    var keepsVersion: Bool { get }

    /// Reads the place. Only one thread at a time calls this method, with a mutex held. So the method calls
    /// no code of the program.
    ///
    /// - Returns: False if the reading found nothing new. The source's problem and the time of its last good
    ///   reading then stay as they are.
    /// - Throws: The reason why the place cannot be read. The contents stay as they are, unless the reading
    ///   publishes others.
    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool

    /// Makes the next reading report everything that is wrong, even if nothing has changed.
    mutating func forgetVersion()

    /// Publishes absent contents instead of the previous ones.
    mutating func forgetContents(_ reading: inout SourceReading)
}

extension SourcePlace {
    var problem: PrefsError? { nil }
    var keepsVersion: Bool { false }
    mutating func forgetVersion() {}
    mutating func forgetContents(_ reading: inout SourceReading) {}
}

/// One reading of a place: its inputs and its results.
struct SourceReading: Sendable {
    let cause: PrefsChangeCause
    /// The active contents.
    let last: PrefsSource
    /// The problem of the last reading.
    let problem: PrefsError?
    /// True if there was no good reading before.
    let isFirst: Bool
    /// True if a watched path other than the file of the active contents may have changed.
    let othersChanged: Bool
    /// The versions of files that the place has found.
    var versions: FoundVersions

    /// Reports in addition to the source's problem and recovery.
    var reports: [PrefsDiagnostic] = []
    /// The paths to watch from now on; `nil` if they are the same as before.
    var paths: Set<String>?
    /// The time after which the place must be read again; `nil` to wait for an edit.
    var delay: Duration?
    /// Work to do with no mutex held. Returns further notifications; `nil` if nothing has changed.
    var completion: (@Sendable () -> [PrefsNotification]?)?
    /// The next contents; `nil` if there are none, or if the place's contents are not values.
    private(set) var next: PrefsSource?
    /// True if the next contents differ from the active ones.
    private(set) var didChange = false
    /// True if observers have to be notified.
    private(set) var isPublished = false

    /// Returns true if the reading may use a version of a file that may be new. A new file must be watched
    /// first, so that an event follows each later change.
    mutating func mayUse(_ signature: FileSignature?, ofNew path: String) -> Bool {
        (cause == .start || versions.isWatched(path)) && versions.mayUse(signature, at: path)
    }

    /// Sets the contents to publish.
    ///
    /// - Parameter next: `nil` for a place whose contents are not values.
    mutating func publish(_ next: PrefsSource?, didChange: Bool) {
        (self.next, self.didChange, isPublished) = (next, didChange, true)
    }
}

/// The versions of watched files that a reading has found. The reading may only use versions that are whole.
///
/// A timer, or an event of another file, may cause a reading at any time. At that moment, somebody may be
/// writing the file, or may have removed it in order to create it again. The reading ignores a version that
/// is not whole, as if the file had not changed. The watcher sends an event when the file is whole.
struct FoundVersions: Sendable {
    let cause: PrefsChangeCause
    private let watches: [String: FileWatch]
    /// The versions that the watcher did not know in the previous attempt, by path. The watcher has read all
    /// events since then.
    private let confirmed: [String: FileSignature?]
    /// True if this is the last attempt.
    private let isLast: Bool
    /// The versions that the watcher does not know yet, by path. It must read all events before the next attempt.
    private(set) var unknown: [String: FileSignature?] = [:]

    init(
        _ cause: PrefsChangeCause, _ watches: [String: FileWatch], confirmed: [String: FileSignature?],
        isLast: Bool
    ) {
        (self.cause, self.watches, self.confirmed, self.isLast) = (cause, watches, confirmed, isLast)
    }

    /// Returns true if a file is being watched, so that an event follows each change.
    func isWatched(_ path: String) -> Bool { watches[path] != nil }

    /// Returns true if the reading may use a version, because it is whole or because the file is really gone.
    ///
    /// At the start, a file is read as it is. An explicit reload immediately believes that a file is gone, or
    /// that it is complete if no writer is known.
    ///
    /// - Parameter signature: The signature of the version; `nil` if there was no file.
    mutating func mayUse(_ signature: FileSignature?, at path: String) -> Bool {
        guard cause != .start, let watch = watches[path] else { return true }
        let knowledge = watch.knowledge(of: signature)
        if knowledge == .whole { return true }
        // An event follows, and only an explicit reload must decide at once.
        if cause == .file, knowledge != .unknown { return false }
        if let version = confirmed[path] {
            switch knowledge {
            case .unfinished: return false
            case .doubtful: return true
            case .whole, .unpolled, .unknown: if version == signature { return true }
            }
        }
        // A file that other processes replace all the time never has the same signature twice.
        if cause != .file, isLast, knowledge != .unfinished { return true }
        unknown[path] = .some(signature)
        return false
    }

    /// Returns true if an error of a reading only means that the file is being written.
    func isBeingWritten(_ path: String) -> Bool {
        guard cause != .start, case .unfinished? = watches[path]?.knowledge(of: nil) else { return false }
        return true
    }
}
