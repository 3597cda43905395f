public import PrefsDocuments
#if UserDefaults
    public import Foundation

    /// `UserDefaults` reads and writes typed keys itself; ``UserDefaultsPrefsStorage`` describes its
    /// behaviour on Linux.
    extension UserDefaults: PersistentKeyValueStore {
        /// Returns the stored value for a key, or the text of the command line's `-key text`, which the key's
        /// type parses.
        public func candidates(forKey key: String) -> [PrefsCandidate] {
            if let text = Self.arguments[key] {
                return [PrefsCandidate(.string(text), isText: true, origin: PrefsOrigin(layer: "arguments"))]
            }
            guard let object = object(forKey: key) else { return [] }
            let origin = PrefsOrigin(layer: "UserDefaults", spelling: key)
            guard let value = PrefsValue(bridging: object) else {
                let error = PrefsError(
                    .wrongType, key: key, origin: origin,
                    reason: "values of type \(type(of: object)) have no stored form")
                return [PrefsCandidate(.string("\(object)"), origin: origin, rejection: error)]
            }
            return [PrefsCandidate(value, origin: origin)]
        }

        /// Stores a value in the defaults, which are saved when the process exits normally.
        public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
            let before = object(forKey: key).flatMap(PrefsValue.init(bridging:))
            if let value {
                guard value.isStorableInUserDefaults else {
                    throw PrefsError(
                        .notEncodable, key: key, reason: "UserDefaults cannot store integers beyond 64 bits")
                }
                set(value.bridged, forKey: key)
            } else {
                removeObject(forKey: key)
            }
            SynchronizeAtExit.add(self)
            if before != object(forKey: key).flatMap(PrefsValue.init(bridging:)) {
                UserDefaultsChanges.source.advance()
            }
        }

        /// Calls `body` whenever this process writes to any defaults through this library: suites share a
        /// registration domain, and two objects may represent one suite.
        public func registerObserver(
            under key: String, _ body: @escaping @Sendable () -> Void
        ) -> PrefsObservation? {
            UserDefaultsChanges.source.observe(body)
        }

        // Arguments do not change while a process runs, and each request to Foundation copies all of them.
        private static let arguments: [String: String] =
            UserDefaults.standard.volatileDomain(forName: UserDefaults.argumentDomain)
            .compactMapValues { $0 as? String }
    }

    extension PersistentKeyValueStore where Self == UserDefaults {
        /// The process's standard defaults.
        public static var local: UserDefaults { .standard }
    }

    enum UserDefaultsChanges {
        static let source = PrefsChangeSource()
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
#endif
