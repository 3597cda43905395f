public import PrefsDocuments
#if UserDefaults
    public import Foundation

    /// Foundation's `UserDefaults` as a storage.
    ///
    /// Keys are literal, an absent key is absent (never 0 or `false`), and exported contents include
    /// registered defaults. Consider Foundation's behaviour on Linux before choosing it over a file storage:
    ///
    /// - It writes `~/.config/<process name>.plist`, or a file with the suite's name, and only in
    ///   `synchronize()`. This storage calls that when the process exits normally, and when you call
    ///   ``synchronize()``. A process that is killed loses the values it set since.
    /// - The file is truncated and rewritten in place: a process that reads it at that moment, or after a
    ///   crash during the write, finds it empty or cut off.
    /// - Two processes that save at the same time may overwrite each other's changes, and edits by other
    ///   processes are not detected. Observers are notified of the writes of this process through this
    ///   library.
    /// - An integer beyond `Int64` cannot be stored; setting one throws.
    ///
    /// A file storage in the same location has none of these limitations.
    public final class UserDefaultsPrefsStorage: PrefsStorage {
        /// `UserDefaults.standard` as a storage.
        public static let standard = UserDefaultsPrefsStorage()

        private let defaults: UserDefaultsAccess

        /// The defaults behind this storage.
        public var suite: UserDefaults { defaults.suite }

        /// Creates a storage for a suite.
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

        public func registerObserver(
            under key: String, _ body: @escaping @Sendable () -> Void
        ) -> PrefsObservation? {
            suite.registerObserver(under: key, body)
        }

        /// Writes the values set so far to disk.
        ///
        /// - Throws: ``PrefsError`` if Foundation reports a failure.
        public func synchronize() throws {
            guard suite.synchronize() else {
                throw PrefsError(.unwritable, reason: "UserDefaults could not be saved")
            }
        }
    }

    /// Carries defaults between threads.
    // Sendable: `UserDefaults` acquires a mutex of its own around every access. Foundation marks it
    // unavailable for Sendable because subclasses might not be thread-safe.
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
