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

        @Option(help: "The user as whom to log in.")
        var user: String?

        @Option(help: "The file whose first line is the user's password.")
        var passwordFile: String?

        @Option(help: "The file of the trusted authorities' certificates.")
        var cacert: String?

        @Option(help: "The file of the certificate to present.")
        var cert: String?

        @Option(help: "The file of that certificate's key.")
        var key: String?

        func validate() throws {
            guard (user == nil) == (passwordFile == nil) else {
                throw ValidationError("--user and --password-file need each other")
            }
        }

        /// Returns a prefix beside that of the values: `/prefs-locks/com.example.myd/`.
        ///
        /// - Parameter given: What the command line says.
        func prefix(_ kind: String, given: String?) throws -> String {
            if let given { return given }
            guard let domain = domain ?? Source.domain else {
                throw CommandFailure.usage("missing --domain or --\(kind)")
            }
            return "/prefs-\(kind)/\(domain)/"
        }

        /// Connects, and returns the storage with the server's contents.
        func open(writing isWritable: Bool = false, locks: String? = nil) throws -> EtcdPrefsStorage {
            guard let domain = domain ?? Source.domain ?? prefix else {
                throw CommandFailure.usage("missing --domain or --prefix")
            }
            let variable = ProcessInfo.processInfo.environment["PREFS_ETCD_ENDPOINTS"]
            guard let endpoints = endpoints ?? variable else {
                throw CommandFailure.usage("missing --endpoints, such as https://a:2379,https://b:2379")
            }
            let storage = EtcdPrefsStorage(
                endpoints: endpoints.split(separator: ",").map(String.init),
                prefix: prefix ?? "/prefs/\(domain)/", locks: locks,
                credentials: user.flatMap { user in
                    passwordFile.map { .password(user: user, file: $0) }
                },
                tls: .init(roots: cacert, certificate: cert, key: key), cache: .none, isWritable: isWritable,
                timing: .init(start: .seconds(5)),
                // What goes wrong is the error of the command.
                diagnostics: PrefsDiagnostics { _ in })
            if let problem = storage.status.compactMap(\.problem).first { throw problem }
            return storage
        }
    }
#endif
