#if UserDefaults
    public import Foundation
    public import PrefsDocuments

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

        /// Stores a value in the defaults, which are saved when the process exits normally.
        ///
        /// - Throws: ``PrefsError`` for a value with an integer beyond 64 bits.
        @discardableResult
        public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
            let before = suite.object(forKey: key).flatMap(PrefsValue.init(bridging:))
            if let value {
                guard value.isStorableInUserDefaults else {
                    throw PrefsError(
                        .notEncodable, key: key, reason: "UserDefaults cannot store integers beyond 64 bits")
                }
                suite.set(value.bridged, forKey: key)
            } else {
                suite.removeObject(forKey: key)
            }
            SynchronizeAtExit.add(suite)
            if before != suite.object(forKey: key).flatMap(PrefsValue.init(bridging:)) {
                UserDefaultsChanges.source.advance()
            }
            return .effective
        }

        /// Calls `body` whenever this process writes to any defaults through this library: suites share a
        /// registration domain, and two objects may represent one suite.
        public func _registerObserver(
            under key: String, _ body: @escaping @Sendable () -> Void
        ) -> PrefsObservation? {
            UserDefaultsChanges.source.observe(body)
        }

        /// Returns the stored value for a key, or the text of the command line's `-key text`, which the key's
        /// type parses.
        public func _candidates(forKey key: String) -> [PrefsCandidate] {
            if let text = Self.arguments[key] {
                return [PrefsCandidate(.string(text), isText: true, origin: PrefsOrigin(layer: "arguments"))]
            }
            guard let object = suite.object(forKey: key) else { return [] }
            let origin = PrefsOrigin(layer: "UserDefaults", spelling: key)
            guard let value = PrefsValue(bridging: object) else {
                let error = PrefsError(
                    .wrongType, key: key, origin: origin,
                    reason: "values of type \(type(of: object)) have no stored form")
                return [PrefsCandidate(.string("\(object)"), origin: origin, rejection: error)]
            }
            return [PrefsCandidate(value, origin: origin)]
        }

        public func _candidates<Key: PersistentKeyProtocol>(for key: Key) -> [PrefsCandidate] {
            ([key.id] + key.traits.formerNames).flatMap { _candidates(forKey: $0) }
        }

        // Arguments do not change while a process runs, and each request to Foundation copies all of them.
        private static let arguments: [String: String] =
            UserDefaults.standard.volatileDomain(forName: UserDefaults.argumentDomain)
            .compactMapValues { $0 as? String }

        /// Adds keys' defaults to the registration domain, where code that reads these defaults by other
        /// means finds them.
        ///
        /// A stored value takes precedence; an absent default registers nothing.
        public func register(_ keys: [any PersistentKeyProtocol]) {
            var defaults: [String: Any] = [:]
            for key in keys {
                reporting(key: key.id) {
                    if let value = try key.encodedDefault { defaults[key.id] = value.bridged }
                }
            }
            suite.register(defaults: defaults)
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

    enum UserDefaultsChanges {
        static let source = PrefsChangeSource()
    }

    extension PersistentKeyProtocol {
        fileprivate var encodedDefault: PrefsValue? { get throws { try coding.encode(defaultValue) } }
    }

    extension PrefsValue {
        fileprivate var isStorableInUserDefaults: Bool {
            switch self {
            case .integer(let value): Int64(exactly: value) != nil
            case .array(let elements): elements.allSatisfy(\.isStorableInUserDefaults)
            case .dictionary(let content): content.values.allSatisfy(\.isStorableInUserDefaults)
            default: true
            }
        }
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
