#if Etcd
    import LayeredPrefs
    import PrefsSystem

    extension EtcdPrefsStorage {
        /// The PEM files that secure and identify a connection to `https` endpoints.
        ///
        /// The client always verifies the server's certificate and host name. No option turns this off.
        public struct TLS: Sendable, Hashable {
            /// The path of the trusted authorities' certificates; `nil` for the system's certificates.
            public var roots: String?
            /// The path of the certificate that this client presents, with its chain; `nil` for none.
            public var certificate: String?
            /// The path of the unencrypted private key of ``certificate``.
            public var key: String?

            /// Creates a configuration from the paths of files. The files are read for each connection.
            public init(roots: String? = nil, certificate: String? = nil, key: String? = nil) {
                (self.roots, self.certificate, self.key) = (roots, certificate, key)
            }

            /// Returns the same files with absolute paths.
            func absolute(_ diagnostics: PrefsDiagnosticHandler) -> TLS {
                TLS(
                    roots: roots.map(diagnostics.absolutePath),
                    certificate: certificate.map(diagnostics.absolutePath),
                    key: key.map(diagnostics.absolutePath))
            }
        }

        /// The identity that a client logs in with.
        public struct Credentials: Sendable, Hashable {
            let user: String
            let passwordFile: String

            /// Returns the credentials of a user whose password is the first line of a file.
            ///
            /// The file is read for each login, so you can change the password while the program runs.
            public static func password(user: String, file: String) -> Credentials {
                Credentials(user: user, passwordFile: file)
            }

            /// Returns the same file with an absolute path.
            func absolute(_ diagnostics: PrefsDiagnosticHandler) -> Credentials {
                Credentials(user: user, passwordFile: diagnostics.absolutePath(of: passwordFile))
            }
        }

        /// The time limits and intervals of a client.
        public struct Timing: Sendable, Hashable {
            /// The longest time that creating the storage waits for the server's contents. After that, the storage
            /// begins with the cached contents.
            public var start: Duration
            /// The time limit for one request to one endpoint. Half of it is for connecting.
            public var request: Duration
            /// The time limit for a write, with all its attempts, until the value can be read. If there are several
            /// endpoints, each has a share of it for a request.
            public var write: Duration
            /// The interval between checks that the connection still delivers. Each check is one small request.
            public var check: Duration
            /// The longest pause between attempts to connect.
            public var longestPause: Duration

            /// Creates a set of time limits and intervals.
            public init(
                start: Duration = .seconds(1), request: Duration = .seconds(5),
                write: Duration = .seconds(15),
                check: Duration = .seconds(60), longestPause: Duration = .seconds(30)
            ) {
                (self.start, self.request, self.write) = (start, request, write)
                (self.check, self.longestPause) = (check, longestPause)
            }

            /// The same durations, limited so that adding one to a time cannot overflow.
            var clamped: Timing {
                Timing(
                    start: start.clamped, request: request.clamped, write: write.clamped,
                    check: check.clamped,
                    longestPause: longestPause.clamped)
            }
        }
    }
#endif
