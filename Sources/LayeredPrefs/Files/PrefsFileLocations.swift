import FoundationEssentials

/// The locations of a domain's preference files.
///
/// The standard locations of `com.example.myd`, from the least to the most important:
///
/// | file                                          | set by            |
/// |-----------------------------------------------|-------------------|
/// | `/usr/share/myd/com.example.myd.plist`        | the vendor        |
/// | `com.example.myd.plist` in each of `$XDG_CONFIG_DIRS`, by default `/etc/xdg` | the administrator |
/// | `/run/com.example.myd.plist`                  | the administrator, until the next boot |
/// | `$XDG_CONFIG_HOME/com.example.myd.plist`, by default in `~/.config` | the user |
///
/// The directory listed first in `$XDG_CONFIG_DIRS` is the most important of them. Next to each system file
/// are its drop-ins, `com.example.myd.plist.d/*.plist`, and its locks file, `com.example.myd.locks`. As the
/// XDG Base Directory Specification requires, relative paths are ignored. Without `XDG_CONFIG_HOME` and
/// `HOME` there is no user file.
public struct PrefsFileLocations: Sendable, Hashable {
    /// The location of one system file.
    public struct System: Sendable, Hashable {
        /// The path of the main file; drop-ins and the locks file are next to it.
        public var path: String
        /// A Boolean value that indicates whether a locks file next to the main file is honored.
        ///
        /// It must be false if an environment variable names the directory, because the process's caller
        /// chooses its environment.
        public var honorsLocksFile: Bool
        /// A Boolean value that indicates whether the file is lost at the next boot, so that writes must go
        /// to another file.
        public var isVolatile: Bool

        /// Creates the location of a system file.
        public init(path: String, honorsLocksFile: Bool = true, isVolatile: Bool = false) {
            self.path = path
            self.honorsLocksFile = honorsLocksFile
            self.isVolatile = isVolatile
        }
    }

    /// The locations of the system files, from the least to the most important.
    public var system: [System]

    /// The path of the user's file; `nil` if there is none.
    public var user: String?

    /// Creates a set of locations.
    public init(system: [System] = [], user: String? = nil) {
        self.system = system
        self.user = user
    }

    /// Returns the standard locations of a domain.
    ///
    /// - Parameters:
    ///   - domain: The program's name in reverse-DNS form, such as `com.example.myd`.
    ///   - environment: The variables in which `XDG_CONFIG_DIRS`, `XDG_CONFIG_HOME` and `HOME` are looked up;
    ///     by default those of this process, and none in a set-uid process.
    public static func standard(
        domain: String, environment: [String: String] = trustedEnvironment
    ) -> PrefsFileLocations {
        let file = "\(domain).plist"
        let name = domain.split(separator: ".").last.map(String.init) ?? domain
        let vendor = System(path: "/usr/share/\(name)/\(file)")
        let shared = configDirectories(environment).reversed().map { directory in
            System(path: "\(directory)/\(file)", honorsLocksFile: directory == "/etc/xdg")
        }
        return PrefsFileLocations(
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
