import PrefsDocuments

/// The user's file of a process that has none: it is empty, and cannot be written.
///
/// It keeps the layer `user` in a stack. Without the layer, a setting of one user would be written to a file that belongs to all
/// of them.
final class MissingUserStorage: SelfContainedPrefsStorage {
    /// The reason why there is no file.
    let reason: String
    private let published = PublishedSource(.empty)

    init() {
        reason =
            ProcessPrivilege.isRaised
            ? "a set-uid program writes no settings for its caller"
            : "there is no user's file, because neither XDG_CONFIG_HOME nor HOME is an absolute path"
    }

    var snapshot: PrefsSnapshot { published.snapshot }
    var changeSource: PrefsChangeSource? { published.changes }
    var isWritable: Bool { false }
    var isPersistent: Bool { false }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome { throw error(key) }

    func error(_ key: String?) -> PrefsError {
        PrefsError(.notWritable, key: key, origin: PrefsOrigin(layer: "user"), reason: reason)
    }
}
