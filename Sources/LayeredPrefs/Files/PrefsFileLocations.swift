public import PrefsDocuments
import PrefsSystem

/// The locations of a domain's preference files.
///
/// The following table lists the standard locations of `com.example.myd`, from the least to the most
/// important. The format is ``/PrefsDocuments/PrefsFileFormat/propertyList``, which is the default:
///
/// | file                                          | set by            |
/// |-----------------------------------------------|-------------------|
/// | `/usr/share/myd/com.example.myd.plist`        | the vendor        |
/// | `/etc/xdg/com.example.myd.plist`              | the administrator |
/// | `/run/com.example.myd.plist`                  | the administrator, until the next boot |
/// | `com.example.myd.plist` in each other folder of `$XDG_CONFIG_DIRS` | the caller of the program |
/// | `$XDG_CONFIG_HOME/com.example.myd.plist`, by default in `~/.config` | the user |
///
/// The first three files are always read, with their locks, whatever the environment contains. The locks of
/// these fixed folders hold against all other folders. Among the other folders of `$XDG_CONFIG_DIRS`, the
/// folder listed first is the most important. Next to each system file are its drop-ins,
/// `com.example.myd.plist.d/*`. In a fixed folder, its locks file, `com.example.myd.locks`, is there, too.
///
/// Whatever extension a path has, the file is read in any format. The extension of each file and drop-in may
/// be `.plist`, `.json`, `.toml` or, with the trait `YAML`, `.yaml` and `.yml`. The same holds for the
/// extension before the `.d` of a folder of drop-ins. If there are two formats of one name in one place,
/// whether files or folders, this is an error that names both. The contents that were read last then stay
/// effective, and nothing is written.
///
/// If there is no file, a write creates one in the format of the path's own extension. Beside a folder with
/// drop-ins, however, a new main file has the format in the folder's name.
///
/// As the XDG Base Directory Specification requires, relative paths are ignored. Without `XDG_CONFIG_HOME`
/// and `HOME`, there is no user file.
public struct PrefsFileLocations: Sendable, Hashable {
    /// The location of one system file.
    public struct System: Sendable, Hashable {
        /// The path of the main file. Drop-ins and the locks file are next to it.
        public var path: String
        /// A Boolean value that indicates whether a locks file next to the main file is honored.
        ///
        /// It must be false if an environment variable names the directory, because the process's caller
        /// chooses its environment. The locks of locations that honor a locks file hold against all locations
        /// that do not, whatever their order.
        public var honorsLocksFile: Bool
        /// A Boolean value that indicates whether the file is lost at the next boot, so that writes must go
        /// to another file.
        public var isVolatile: Bool
        /// The path of a file that is read in place of the main file, to find out the effect of an edit.
        package var replacement: String?
        /// The paths of files that are read as if they were drop-ins of this place.
        package var additionalDropIns: [String] = []

        /// Creates the location of a system file.
        public init(path: String, honorsLocksFile: Bool = true, isVolatile: Bool = false) {
            self.path = path
            self.honorsLocksFile = honorsLocksFile
            self.isVolatile = isVolatile
        }

        /// Returns the location with absolute paths.
        func absolute(_ diagnostics: PrefsDiagnosticHandler) -> System {
            var location = self
            location.path = diagnostics.absolutePath(of: path)
            location.replacement = replacement.map(diagnostics.absolutePath)
            location.additionalDropIns = additionalDropIns.map(diagnostics.absolutePath)
            return location
        }
    }

    /// The locations of the system files, from the least to the most important.
    public var system: [System]

    /// The path of the user's file, or `nil` if there is none.
    public var user: String?

    /// A Boolean value that indicates whether the system files are combined according to UAPI.6.
    ///
    /// UAPI.6 is the Configuration Files Specification. The main file of the most important place *replaces*
    /// the main files of the other places. All drop-ins are above the main file, in the byte order of their
    /// names, whatever their folders. A drop-in replaces the drop-ins of the same name in less important
    /// places.
    ///
    /// An empty file, or a link to `/dev/null`, masks the files of its name in less important places. A
    /// masked main file does not mask its drop-ins. Locks files bind only the layers above.
    public var followsUAPI6 = false

    /// The file that a command line names in place of the main files; `nil` if it names none. The file has to
    /// exist.
    var namedMain: String?

    /// Creates a set of locations.
    public init(system: [System] = [], user: String? = nil) {
        self.system = system
        self.user = user
    }

    /// Returns the locations of a system daemon, combined according to the Configuration Files Specification
    /// (UAPI.6).
    ///
    /// For example, the daemon `relay` has these locations, from the least to the most important:
    ///
    /// | file                          | set by            |
    /// |-------------------------------|-------------------|
    /// | `/usr/lib/relay/relay.toml`   | the vendor        |
    /// | `/run/relay/relay.toml`       | the administrator, until the next boot |
    /// | `/etc/relay/relay.toml`       | the administrator |
    ///
    /// Next to each file are its drop-ins, `relay.toml.d/*`, and its locks file, `relay.locks`. There is no
    /// user file.
    ///
    /// - Parameters:
    ///   - name: The name of the folders and files.
    ///   - root: The folder that contains `usr`, `run` and `etc`.
    public static func daemon(_ name: String, root: String = "/") -> PrefsFileLocations {
        let root = root.hasSuffix("/") ? String(root.dropLast()) : root
        var locations = PrefsFileLocations(
            system: ["/usr/lib", "/run", "/etc"].map { folder in
                System(path: "\(root)\(folder)/\(name)/\(name).toml", isVolatile: folder == "/run")
            })
        locations.followsUAPI6 = true
        return locations
    }

    /// Returns the standard locations of a domain.
    ///
    /// For example, with the following locations, the user's file is `~/.config/notes/notes.toml`, and the
    /// administrator's file is `/etc/xdg/com.example.notes.toml`:
    ///
    /// ```swift
    /// PrefsFileLocations.standard(domain: "com.example.notes", folder: "notes", format: .toml)
    /// ```
    ///
    /// - Parameters:
    ///   - domain: The program's name in reverse-DNS form, such as `com.example.myd`.
    ///   - folder: The folder of the user's file, in `~/.config`. Its last part names the file, too. By
    ///     default, the file is in `~/.config` itself and is named by the domain, as the system files always
    ///     are.
    ///   - format: The format of new files, which are created where no file or folder of that name exists.
    ///     Existing files may have any format.
    ///   - environment: The variables that may contain `XDG_CONFIG_DIRS`, `XDG_CONFIG_HOME` and `HOME`. By
    ///     default, these are the variables of this process, or none in a set-uid process.
    public static func standard(
        domain: String, folder: String? = nil, format: PrefsFileFormat = .propertyList,
        environment: [String: String] = trustedEnvironment
    ) -> PrefsFileLocations {
        let file = "\(domain).\(format.fileExtension)"
        let name = domain.split(separator: ".").last.map(String.init) ?? domain
        let fixed = ["/usr/share/\(name)", "/etc/xdg", "/run"]
        let system = fixed.map { System(path: "\($0)/\(file)", isVolatile: $0 == "/run") }
        let others = otherDirectories(environment, besides: fixed).reversed().map { directory in
            System(path: "\(directory)/\(file)", honorsLocksFile: false)
        }
        let userFile =
            folder.flatMap { folder in
                folder.split(separator: "/").last.map { "\(folder)/\($0).\(format.fileExtension)" }
            } ?? file
        return PrefsFileLocations(
            system: system + others, user: userDirectory(environment).map { "\($0)/\(userFile)" })
    }

    /// Returns the same locations with a given format for new files.
    package func creating(_ format: PrefsFileFormat) -> PrefsFileLocations {
        func renamed(_ path: String) -> String {
            PrefsFileFormat.stem(of: path).map { "\($0).\(format.fileExtension)" } ?? path
        }
        var locations = self
        for index in system.indices { locations.system[index].path = renamed(system[index].path) }
        locations.user = user.map(renamed)
        return locations
    }

    /// The environment of this process. It is empty in a set-uid process, whose caller must not choose its
    /// files.
    public static var trustedEnvironment: [String: String] { ProcessPrivilege.trustedEnvironment }

    /// Returns the folders that `XDG_CONFIG_DIRS` names, without the fixed ones. The variable may spell a
    /// fixed folder differently, or reach it through links.
    private static func otherDirectories(
        _ environment: [String: String], besides fixed: [String]
    ) -> [String] {
        var known = fixed
        for directory in (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").map(String.init)
        where directory.hasPrefix("/") && !known.contains(where: { isSameFolder($0, directory) }) {
            known.append(directory.withoutEmptyComponents)
        }
        return Array(known.dropFirst(fixed.count))
    }

    private static func isSameFolder(_ folder: String, _ other: String) -> Bool {
        if folder.lexicallyNormalized == other.lexicallyNormalized { return true }
        guard let status = fileStatus(of: folder), let others = fileStatus(of: other) else { return false }
        return status.isSameFile(as: others)
    }

    /// Returns the path of a user's file as a schema states it. The path is relative to the folder of the
    /// user's files, because that folder differs from user to user.
    package static func relativeToUserDirectory(_ path: String) -> String {
        guard let folder = userDirectory(trustedEnvironment), path.hasPrefix("\(folder)/") else {
            return path
        }
        return String(path.dropFirst(folder.count + 1))
    }

    /// Returns the path of a file that a schema states; `nil` if the user has no folder for it.
    package static func inUserDirectory(_ path: String) -> String? {
        path.hasPrefix("/") ? path : userDirectory(trustedEnvironment).map { "\($0)/\(path)" }
    }

    private static func userDirectory(_ environment: [String: String]) -> String? {
        if let named = environment["XDG_CONFIG_HOME"], named.hasPrefix("/") {
            return named.withoutEmptyComponents
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home == "/" ? "/.config" : "\(home.withoutEmptyComponents)/.config"
    }
}
