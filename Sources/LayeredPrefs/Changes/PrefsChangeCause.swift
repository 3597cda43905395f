/// The cause of a change.
public enum PrefsChangeCause: String, Sendable, Hashable, CaseIterable {
    /// The first load.
    case start
    /// Another process edited, created or removed a file.
    case file
    /// This process wrote through a storage.
    case write
    /// A key lock was added or removed.
    case lock
    /// An explicit check, such as on SIGHUP, found the change.
    case reload
}
