public import LayeredPrefs
import PrefsSystem

/// A server on a Unix-domain socket that answers questions about a running process's preferences.
///
/// ```swift
/// let storage = PrefsStack.standard(domain: "com.example.myd")
/// let inspection = try storage.serveInspection(domain: "com.example.myd", keys: Settings.keys)
/// ```
///
/// `prefs ps` then lists the process. `prefs explain KEY --pid N` shows the values that the process uses now, the
/// files, variables and overrides that they come from, and the values that it rejected.
///
/// **Access.** The socket accepts connections only from root and the process's own user. Its folder and the socket
/// itself are private, and the peer's credentials are checked (`SO_PEERCRED`). Answers never contain the values of
/// secrets. A client can change nothing, except as the program permits; see ``Permissions``.
///
/// **Cost.** While no client is connected, there is no extra thread, and reads of preferences cost nothing more. To
/// record the history, the declared keys are observed, and a thread of the library describes the changes of each
/// commit. With a history length of 0, nothing is observed. Each connection is answered on a thread of its own, from
/// an immutable snapshot, so it delays no commit. At most eight clients are served at a time.
///
/// The socket is removed when this object is closed or released. If a process dies, the next process that serves the
/// same domain removes its socket; `prefs ps` does not list it.
public final class PrefsInspection: Sendable {
    /// The path of the socket.
    public let path: String

    private let server: InspectionServer

    /// The operations permitted to clients besides reading.
    ///
    /// Clients are processes of the same user or of root.
    public struct Permissions: OptionSet, Sendable {
        /// The permissions as bits.
        public let rawValue: Int

        /// Creates permissions from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Clients may make the process check its files, as on SIGHUP.
        public static let reload = Permissions(rawValue: 1)
        /// Clients may set and remove declared keys in the layer ``PrefsLayer/Name/overrides``.
        public static let overrides = Permissions(rawValue: 2)

        /// The names of the permissions for clients.
        var names: [String] {
            (contains(.reload) ? ["reload"] : []) + (contains(.overrides) ? ["overrides"] : [])
        }
    }

    init(path: String, server: InspectionServer) {
        self.path = path
        self.server = server
    }

    deinit { close() }

    /// Stops answering and removes the socket. Further calls do nothing.
    public func close() { server.close() }
}

extension PrefsStack {
    /// Serves inspection of this stack until the returned object is closed or released.
    ///
    /// - Parameters:
    ///   - domain: The domain that `prefs ps` lists this process under.
    ///   - keys: The program's declared keys. They give the types of values, and mark secrets.
    ///   - folder: The folder for the sockets of all domains. The default is `$XDG_RUNTIME_DIR/prefs`. It is
    ///     `/run/prefs` if the variable is not set, if it names a folder of another user, or if the process is
    ///     set-uid or set-gid.
    ///   - permissions: The operations permitted to clients besides reading; none by default.
    ///   - historyLength: The number of change sets that `prefs history` can show; 0 records none.
    /// - Throws: ``PrefsError`` if the socket cannot be created, for example because a service may not write to
    ///   `/run`. A program can log the error and run on.
    public func serveInspection(
        domain: String, keys: [PrefsKeyDescription] = [], in folder: String? = nil,
        permitting permissions: PrefsInspection.Permissions = [], historyLength: Int = 100
    ) throws -> PrefsInspection {
        // An absolute path, so that the socket can be removed even if the working directory changes.
        let folder = try Self.absolute(folder ?? InspectionFolder.standard)
        let path = try InspectionFolder.prepare(folder, domain: domain)
        let answers = InspectionAnswers(
            storage: self, domain: domain, keys: keys, permissions: permissions, historyLength: historyLength)
        return PrefsInspection(path: path, server: try InspectionServer(path: path, answers: answers))
    }

    private static func absolute(_ folder: String) throws -> String {
        do throws(Errno) {
            return try WorkingDirectory.current.absolute(folder)
        } catch {
            throw PrefsError.relativePath(folder, error)
        }
    }
}
