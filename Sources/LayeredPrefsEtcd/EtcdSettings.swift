#if Etcd
    import FoundationEssentials
    import LayeredPrefs
    import PrefsDocuments
    import PrefsFiles

    /// The settings of a client.
    struct EtcdSettings {
        let endpoints: [String]
        let tls: EtcdPrefsStorage.TLS
        let credentials: EtcdPrefsStorage.Credentials?
        let timing: EtcdPrefsStorage.Timing
        let mapping: KeyMapping
        /// The keys of key locks; `nil` if there are none.
        let locks: KeyMapping?
        /// The keys of canaries. They are below the values' prefix, so that a transaction that changes a value and
        /// its canary is one event of one watch. No preference's name begins with a dot.
        let canaries: KeyMapping
        let cache: EtcdPrefsStorage.Cache
        /// The name of this machine.
        let host: String

        init(
            endpoints: [String], prefix: String, locks: String? = nil,
            credentials: EtcdPrefsStorage.Credentials?,
            tls: EtcdPrefsStorage.TLS, cache: EtcdPrefsStorage.Cache = .none, host: String? = nil,
            timing: EtcdPrefsStorage.Timing
        ) {
            self.endpoints = endpoints.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
            self.tls = tls
            self.credentials = credentials
            self.cache = cache
            self.host = host ?? ProcessInfo.processInfo.hostName
            self.timing = timing.clamped
            mapping = KeyMapping(prefix: prefix)
            canaries = KeyMapping(prefix: KeyMapping.text(of: mapping.prefix) + ".canary/")
            self.locks = locks.map { KeyMapping(prefix: $0) }
        }

        var prefix: String { KeyMapping.text(of: mapping.prefix) }

        /// The place of the contents, for messages.
        var origin: PrefsOrigin { PrefsOrigin(file: "etcd \(prefix)") }

        var ranges: [EtcdKeyRange] { [mapping, locks].compactMap { $0?.range } }

        /// The purpose of a key.
        enum Role {
            case value, lock, canary
        }

        /// Returns the purpose of a followed key and the mapping that gives its name.
        func role(of key: [UInt8]) -> (role: Role, mapping: KeyMapping) {
            if let locks, key.starts(with: locks.prefix) { return (.lock, locks) }
            return key.starts(with: canaries.prefix) ? (.canary, canaries) : (.value, mapping)
        }

        /// The reason why the settings cannot be used; `nil` if they can.
        var problem: String? {
            if endpoints.isEmpty {
                return "no endpoints are given; expected at least one, such as https://a:2379"
            }
            // Checked before any message shows an endpoint.
            if endpoints.contains(where: { $0.contains("@") }) {
                return
                    "an endpoint contains a user; expected https://host:port, and the user in the credentials"
            }
            for endpoint in endpoints where !Self.isURL(endpoint) {
                return "“\(endpoint)” is not an endpoint; expected http://host:port or https://host:port"
            }
            if mapping.prefix.allSatisfy({ $0 == UInt8(ascii: "/") }) {
                return "the prefix is that of all keys in etcd; expected one such as /prefs/com.example.myd/"
            }
            if let locks,
                locks.prefix.starts(with: mapping.prefix) || mapping.prefix.starts(with: locks.prefix)
            {
                return "the prefix of locks must be outside the prefix of the values"
            }
            return nil
        }

        /// Returns the reason why reports cannot have this prefix; `nil` if they can.
        func problem(ofReportsUnder prefix: [UInt8]) -> String? {
            let isFollowed = ranges.contains {
                $0.first.starts(with: prefix) || prefix.starts(with: $0.first)
            }
            return isFollowed
                ? "the prefix of reports must be outside the prefixes of values, locks and canaries" : nil
        }

        private static func isURL(_ text: String) -> Bool {
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty else {
                return false
            }
            return parts[1].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }
        }

        var cacheFile: CacheFile? { cache.file(endpoints: endpoints, prefix: prefix) }
    }

    extension EtcdPrefsStorage.Credentials {
        /// Reads the password, which is the first line of the file.
        func password() throws(EtcdFailure) -> String {
            let bytes: [UInt8]?
            do { bytes = try PrefsFileReader.read(passwordFile)?.bytes } catch {
                throw EtcdFailure(.credentials, "cannot read \(passwordFile): \(error.reason)")
            }
            guard let bytes else { throw EtcdFailure(.credentials, "\(passwordFile) does not exist") }
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            guard let password = String(validating: line, as: UTF8.self), !password.isEmpty else {
                throw EtcdFailure(.credentials, "\(passwordFile) does not begin with a password")
            }
            return password
        }
    }
#endif
