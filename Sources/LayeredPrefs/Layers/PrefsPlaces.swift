import FoundationEssentials

/// Where a domain's files are.
///
/// The standard places of `com.example.myd`, from the least to the most important:
/// `/usr/share/myd/com.example.myd.plist` (the vendor's), `com.example.myd.plist` in each of
/// `$XDG_CONFIG_DIRS` (`/etc/xdg` by default), `/run/com.example.myd.plist`; and the user's,
/// `$XDG_CONFIG_HOME/com.example.myd.plist` (`~/.config` by default; no HOME, no user's file). Beside each
/// of the system's files, its drop-ins are `com.example.myd.plist.d/*.plist`, and its locks
/// `com.example.myd.locks`. After the XDG Base Directory Specification: paths that are not absolute are
/// ignored.
public struct PrefsPlaces: Sendable, Hashable {
    /// One of the system's files.
    public struct System: Sendable, Hashable {
        /// The main file; drop-ins and locks stand beside it.
        public var path: String
        /// Whether a file of locks beside it counts: never where an environment variable names the folder.
        public var mayLock: Bool
        /// Whether what is here ends with the next start of the machine, so that writes go elsewhere.
        public var isVolatile: Bool

        public init(path: String, mayLock: Bool = true, isVolatile: Bool = false) {
            self.path = path
            self.mayLock = mayLock
            self.isVolatile = isVolatile
        }
    }

    /// The system's files, from the least to the most important.
    public var system: [System]

    /// The user's file.
    public var user: String?

    public init(system: [System] = [], user: String? = nil) {
        self.system = system
        self.user = user
    }

    /// The standard places of a domain.
    ///
    /// - Parameter environment: Where `XDG_CONFIG_DIRS`, `XDG_CONFIG_HOME` and `HOME` are looked up; by
    ///   default this process's, and nothing at all in a set-uid process.
    public static func standard(
        domain: String, environment: [String: String] = trustedEnvironment
    ) -> PrefsPlaces {
        let file = "\(domain).plist"
        let name = domain.split(separator: ".").last.map(String.init) ?? domain
        let vendor = System(path: "/usr/share/\(name)/\(file)")
        let shared = configDirectories(environment).reversed().map { directory in
            System(path: "\(directory)/\(file)", mayLock: directory == "/etc/xdg")
        }
        return PrefsPlaces(
            system: [vendor] + shared + [System(path: "/run/\(file)", isVolatile: true)],
            user: userDirectory(environment).map { "\($0)/\(file)" })
    }

    /// This process's environment; empty in a set-uid process, whose caller must not choose its files.
    public static var trustedEnvironment: [String: String] {
        ProcessPrivilege.isRaised ? [:] : ProcessInfo.processInfo.environment
    }

    private static func configDirectories(_ environment: [String: String]) -> [String] {
        let named = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").map(String.init)
        let absolute = named.filter { $0.hasPrefix("/") }
        return absolute.isEmpty ? ["/etc/xdg"] : absolute.map(withoutTrailingSlash)
    }

    private static func userDirectory(_ environment: [String: String]) -> String? {
        if let named = environment["XDG_CONFIG_HOME"], named.hasPrefix("/") {
            return withoutTrailingSlash(named)
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(withoutTrailingSlash(home))/.config"
    }

    private static func withoutTrailingSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? withoutTrailingSlash(String(path.dropLast())) : path
    }
}
