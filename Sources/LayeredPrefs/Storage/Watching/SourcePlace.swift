import PrefsDocuments

/// A place that a source is read from, such as a file, a folder, or the files that variables name; and what a
/// reading needs to know of the one before.
protocol SourcePlace: Sendable {
    /// The first problem of a part of the place, such as of a line, which is the source's if it has no other.
    var problem: PrefsError? { get }

    /// True if what was read last stays in force while the place cannot be read, and the error does not say so.
    var keepsVersion: Bool { get }

    /// Reads the place. Called by one thread at a time, with a mutex held, so it calls no code of the
    /// program.
    ///
    /// - Returns: False if nothing new is known: the source's problem and the time of the last good reading
    ///   stay.
    /// - Throws: The reason why the place cannot be read. The contents stay, unless the reading publishes
    ///   others.
    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool
}

extension SourcePlace {
    var problem: PrefsError? { nil }
    var keepsVersion: Bool { false }
}

/// One reading of a place: what is known before it, and what it finds.
struct SourceReading: Sendable {
    let cause: PrefsChangeCause
    /// The contents in force.
    let last: PrefsSource
    /// The problem in force.
    let problem: PrefsError?
    /// True if there was no good reading before.
    let isFirst: Bool
    /// True if the file of the contents in force may not be the only watched path that has changed.
    let othersChanged: Bool

    /// The reports to make beyond those of the source's problem and of the recovery from it.
    var reports: [PrefsDiagnostic] = []
    /// The paths to watch from now on; `nil` if they are the same as before.
    var paths: Set<String>?
    /// The time after which the place has to be read again; `nil` if only an edit is a reason to.
    var delay: Duration?
    /// The rest of the work, for when no mutex is held. Returns further notifications; `nil` if nothing has
    /// changed.
    var completion: (@Sendable () -> [PrefsNotification]?)?
    /// The next contents; `nil` if there are none, or if the place's contents are not values.
    private(set) var next: PrefsSource?
    /// True if the next contents differ from those in force.
    private(set) var didChange = false
    /// True if observers have to be notified.
    private(set) var isPublished = false

    /// Sets the contents to publish.
    ///
    /// - Parameter next: `nil` for a place whose contents are not values.
    mutating func publish(_ next: PrefsSource?, didChange: Bool) {
        (self.next, self.didChange, isPublished) = (next, didChange, true)
    }
}
