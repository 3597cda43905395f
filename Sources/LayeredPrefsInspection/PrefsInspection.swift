public import LayeredPrefs
import PrefsSystem

/// Answers questions about a running process's preferences, on a Unix-domain socket.
///
/// ```swift
/// let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
/// let inspection = try storage.serveInspection(domain: "com.example.myd", keys: Settings.keys)
/// ```
///
/// `prefs ps` then lists the process, and `prefs explain KEY --pid N` shows the values that the process uses
/// now, which files, variables and overrides they come from, and which it rejected.
///
/// **Access.** The socket accepts connections of the process's own user and of root only: its folder and the
/// socket itself are private, and the peer's credentials are checked (`SO_PEERCRED`). Answers never contain
/// the values of secrets. Nothing can be changed through it, except what the program permits; see
/// ``Permissions``.
///
/// **Cost.** While no client is connected there is no thread of its own, and reads of preferences do nothing
/// more than without it. To record the history, the declared keys are observed: the changes of a commit are described on
/// a thread of the library. With a history of length 0, nothing is observed. Each connection is answered on a
/// thread of its own from an immutable snapshot, so it delays no commit. At most eight clients are served at a
/// time.
///
/// The socket is removed when this object is closed or released. Sockets of dead processes are removed by the
/// next process that serves the same domain; `prefs ps` does not list them.
public final class PrefsInspection: Sendable {
    /// The path of the socket.
    public let path: String

    private let server: InspectionServer

    /// The operations permitted to clients besides reading.
    ///
    /// Clients are processes of the same user, and of root.
    public struct Permissions: OptionSet, Sendable {
        /// The permissions as bits.
        public let rawValue: Int

        /// Creates permissions from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Clients may have the files checked, as on SIGHUP.
        public static let reload = Permissions(rawValue: 1)
        /// Clients may set declared keys in the layer ``PrefsLayer/Name/overrides``, and remove them there.
        public static let overrides = Permissions(rawValue: 2)

        /// The words that clients see.
        var names: [String] {
            (contains(.reload) ? ["reload"] : []) + (contains(.overrides) ? ["overrides"] : [])
        }
    }

    init(path: String, server: InspectionServer) {
        self.path = path
        self.server = server
    }

    deinit { close() }

    /// Stops answering and removes the socket; further calls do nothing.
    public func close() { server.close() }
}

extension LayeredPrefsStorage {
    /// Serves inspection of this stack until the returned object is closed or released.
    ///
    /// - Parameters:
    ///   - domain: The domain under which `prefs ps` lists this process.
    ///   - keys: The program's declared keys, with which values are typed and secrets are known.
    ///   - folder: The folder for the sockets of all domains. The default is `$XDG_RUNTIME_DIR/prefs`, or
    ///     `/run/prefs` without that variable and if it names a folder of another user.
    ///   - permissions: What clients may do besides reading; nothing by default.
    ///   - historyLength: The number of change sets that `prefs history` can show; 0 records none.
    /// - Throws: ``PrefsError`` if the socket cannot be created, such as by a service that may not write to `/run`. A
    ///   program can log it and run on.
    public func serveInspection(
        domain: String, keys: [PrefsKeyDescription] = [], in folder: String? = nil,
        permitting permissions: PrefsInspection.Permissions = [], historyLength: Int = 100
    ) throws -> PrefsInspection {
        // The socket is removed at the end, wherever the working directory is then.
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
