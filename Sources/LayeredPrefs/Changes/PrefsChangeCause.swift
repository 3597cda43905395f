/// What made a change.
public enum PrefsChangeCause: String, Sendable, Hashable, CaseIterable {
    /// Reading for the first time.
    case start
    /// Somebody edited, created or removed a file.
    case file
    /// This process wrote through a storage.
    case write
    /// A lock appeared or went away.
    case lock
    /// A re-check was asked for, as by SIGHUP, and found something new.
    case reload
}
