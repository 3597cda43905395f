#if Etcd
    import LayeredPrefs
    import PrefsSystem

    extension EtcdPrefsStorage {
        /// The files that secure and identify a connection to `https` endpoints, in PEM.
        ///
        /// The server's certificate and host name are always verified; there is no option to skip that.
        public struct TLS: Sendable, Hashable {
            /// The certificates of the authorities that are trusted; `nil` for those of the system.
            public var roots: String?
            /// The certificate that this client presents, with its chain; `nil` for none.
            public var certificate: String?
            /// The private key of ``certificate``, not encrypted.
            public var key: String?

            /// Creates a configuration from the paths of files, which are read for each connection.
            public init(roots: String? = nil, certificate: String? = nil, key: String? = nil) {
                (self.roots, self.certificate, self.key) = (roots, certificate, key)
            }

            /// Returns the same files by their absolute paths.
            func absolute(_ diagnostics: PrefsDiagnostics) -> TLS {
                TLS(
                    roots: roots.map(diagnostics.absolutePath),
                    certificate: certificate.map(diagnostics.absolutePath),
                    key: key.map(diagnostics.absolutePath))
            }
        }

        /// The identity with which a client logs in.
        public struct Credentials: Sendable, Hashable {
            let user: String
            let passwordFile: String

            /// A user whose password is the first line of a file, which is read for each login, so that the
            /// password can be changed while the program runs.
            public static func password(user: String, file: String) -> Credentials {
                Credentials(user: user, passwordFile: file)
            }

            /// Returns the same file by its absolute path.
            func absolute(_ diagnostics: PrefsDiagnostics) -> Credentials {
                Credentials(user: user, passwordFile: diagnostics.absolutePath(of: passwordFile))
            }
        }

        /// The durations that a client waits.
        public struct Timing: Sendable, Hashable {
            /// The longest time for which creating the storage waits for the server's contents. Then it begins
            /// with the cached ones.
            public var start: Duration
            /// The time for one request to one endpoint; half of it for connecting.
            public var request: Duration
            /// The time for a write, with all its attempts, until it can be read. Of several endpoints each has a share
            /// of it for a request.
            public var write: Duration
            /// The interval between checks that the connection still delivers. Each is one small request.
            public var check: Duration
            /// The longest pause between attempts to connect.
            public var longestPause: Duration

            /// Creates a set of durations.
            public init(
                start: Duration = .seconds(1), request: Duration = .seconds(5),
                write: Duration = .seconds(15),
                check: Duration = .seconds(60), longestPause: Duration = .seconds(30)
            ) {
                (self.start, self.request, self.write) = (start, request, write)
                (self.check, self.longestPause) = (check, longestPause)
            }

            /// The same durations, none so long that adding it to a time could overflow.
            var clamped: Timing {
                Timing(
                    start: start.clamped, request: request.clamped, write: write.clamped,
                    check: check.clamped,
                    longestPause: longestPause.clamped)
            }
        }
    }
#endif
