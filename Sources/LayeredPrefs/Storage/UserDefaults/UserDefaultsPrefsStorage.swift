public import PrefsDocuments
#if UserDefaults
    public import Foundation

    /// Foundation's `UserDefaults` as a storage.
    ///
    /// Keys are literal, an absent key is absent (never 0 or `false`), and exported contents include what was registered. What Foundation does on Linux is worth
    /// knowing before choosing it over a file storage:
    ///
    /// - It writes `~/.config/<process name>.plist`, or the suite's name; only `synchronize()` writes. This
    ///   storage calls it when the process exits normally, and when you call ``synchronize()``. A process
    ///   that is killed loses what it set since.
    /// - The file is truncated and rewritten in place: whoever reads at that moment, or a crash then,
    ///   finds it empty or cut off.
    /// - Two processes that save overwrite each other's changes now and then, and nothing tells of edits by
    ///   others. Observers hear of what this process writes through this library.
    /// - An integer beyond `Int64` cannot be kept; setting one throws.
    ///
    /// A file storage in the same place has none of these limits.
    public final class UserDefaultsPrefsStorage: PrefsStorage {
        /// `UserDefaults.standard` as a storage.
        public static let standard = UserDefaultsPrefsStorage()

        private let defaults: UserDefaultsAccess

        /// The defaults behind this storage.
        public var suite: UserDefaults { defaults.suite }

        public init(suite: UserDefaults = .standard) {
            defaults = UserDefaultsAccess(suite: suite)
        }

        public var snapshot: PrefsSnapshot {
            PrefsSnapshot(suite.dictionaryRepresentation().compactMapValues(PrefsValue.init(bridging:)))
        }

        public var isWritable: Bool { true }

        public var isPersistent: Bool { true }

        public func candidates(forKey key: String) -> [PrefsCandidate] { suite.candidates(forKey: key) }

        public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
            try suite.setPrefsValue(value, forKey: key)
        }

        public func observe(key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation? {
            suite.observe(key: key, body)
        }

        /// Writes what was set to disk now.
        ///
        /// - Throws: ``PrefsError`` when Foundation says that it could not.
        public func synchronize() throws {
            guard suite.synchronize() else {
                throw PrefsError(.unwritable, reason: "UserDefaults could not be saved")
            }
        }
    }

    /// Carries defaults between threads.
    // Sendable: `UserDefaults` takes a lock of its own around every access. Foundation marks it
    // unavailable for Sendable because subclasses need not be safe.
    struct UserDefaultsAccess: @unchecked Sendable {
        let suite: UserDefaults
    }

    extension PrefsStorage where Self == UserDefaultsPrefsStorage {
        /// The process's standard defaults.
        public static var userDefaults: UserDefaultsPrefsStorage { .standard }

        /// The defaults of a suite.
        public static func userDefaults(suite: UserDefaults) -> UserDefaultsPrefsStorage {
            UserDefaultsPrefsStorage(suite: suite)
        }
    }
#endif
