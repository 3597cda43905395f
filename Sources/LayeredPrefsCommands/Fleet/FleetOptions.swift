#if Etcd
    import ArgumentParser
    import FoundationEssentials
    import LayeredPrefs
    import LayeredPrefsEtcd

    /// The options that name a cluster and the keys in it.
    struct FleetOptions<Source: PrefsCommandSource>: ParsableArguments {
        @Option(name: [.short, .long], help: "The domain, such as com.example.myd.")
        var domain: String?

        @Option(help: "The beginning of the keys; /prefs/DOMAIN/ if omitted.")
        var prefix: String?

        @Option(help: "The URLs of the members, separated by commas; $PREFS_ETCD_ENDPOINTS if omitted.")
        var endpoints: String?

        @Option(help: "The user name for the login.")
        var user: String?

        @Option(help: "The file whose first line is the user's password.")
        var passwordFile: String?

        @Option(help: "The file of the trusted authorities' certificates.")
        var cacert: String?

        @Option(help: "The file of the client certificate.")
        var cert: String?

        @Option(help: "The file of that certificate's key.")
        var key: String?

        func validate() throws {
            guard (user == nil) == (passwordFile == nil) else {
                throw ValidationError("--user and --password-file need each other")
            }
        }

        /// Returns a prefix that belongs to the same domain as the values: `/prefs-locks/com.example.myd/`.
        ///
        /// - Parameter given: The prefix from the command line, if there is one.
        func prefix(_ kind: String, given: String?) throws -> String {
            if let given { return given }
            guard let domain = try checkedDomain() else {
                throw CommandFailure.usage("missing --domain or --\(kind)")
            }
            return "/prefs-\(kind)/\(domain)/"
        }

        private func checkedDomain() throws -> String? {
            let name = domain ?? Source.domain
            try name.map(DomainName.check)
            return name
        }

        /// Returns the storage. It may not be connected yet: each request tries one member after the other.
        ///
        /// - Throws: An error if the command writes and no member answers. The write itself would wait for a
        ///   member.
        func open(writing isWritable: Bool = false, locks: String? = nil) throws -> EtcdPrefsStorage {
            let domain = try checkedDomain()
            guard let prefix = prefix ?? domain.map({ "/prefs/\($0)/" }) else {
                throw CommandFailure.usage("missing --domain or --prefix")
            }
            let variable = ProcessInfo.processInfo.environment["PREFS_ETCD_ENDPOINTS"]
            guard let endpoints = endpoints ?? variable else {
                throw CommandFailure.usage("missing --endpoints, such as https://a:2379,https://b:2379")
            }
            let members = endpoints.split(separator: ",").map(String.init)
            let storage = EtcdPrefsStorage(
                endpoints: members, prefix: prefix, locks: locks,
                credentials: user.flatMap { user in
                    passwordFile.map { .password(user: user, file: $0) }
                },
                tls: .init(roots: cacert, certificate: cert, key: key), cache: .none, isWritable: isWritable,
                timing: .init(start: .zero, request: .seconds(10) / max(2, members.count)),
                // Failures are the command's own error, so nothing is reported here.
                diagnostics: PrefsDiagnosticHandler { _ in })
            if let problem = storage.status.first?.problem, problem.code == .invalid {
                throw CommandFailure.usage(problem.reason)
            }
            if isWritable { _ = try storage.canaries() }
            return storage
        }
    }

    /// The options of the commands that print values.
    struct FleetSecretOptions<Source: PrefsCommandSource>: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The JSON Schema of the program's keys, as exported by the program.", valueName: "file"),
            completion: .file(extensions: ["json"]))
        var schema: String?

        @Flag(name: .showSecrets, help: "Print the values of secrets.")
        var reveal = false

        /// Returns the paths of the values to mask.
        func paths(in fleet: FleetOptions<Source>) throws -> SecretPaths {
            if reveal { return SecretPaths() }
            // Without a domain, $PREFS_DOMAIN may name the schema of another program.
            let isKnown = fleet.domain ?? Source.domain ?? schema != nil || !Source.keys.isEmpty
            let request = LayerRequest(source: Source.self, domain: fleet.domain, schema: schema)
            return try (isKnown ? request.knownKeys() : nil).secrets
        }
    }
#endif
