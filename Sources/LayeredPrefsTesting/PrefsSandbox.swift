import FoundationEssentials
public import LayeredPrefs

import PrefsSystem

/// A temporary folder with the file locations of a domain, and an environment of its own, for tests that must not
/// touch the machine's files and environment.
///
/// ``vendor``, ``administrator``, ``volatile`` and ``user`` are the paths of the files. None of the files exists at
/// first. Drop-ins and locks files are beside them, as on a machine. The folder is removed when the sandbox is
/// released.
///
/// ```swift
/// let sandbox = try PrefsSandbox(domain: "com.example.notes", folder: "notes", format: .toml)
/// try sandbox.write("theme = \"dark\"\n", to: sandbox.administrator)
/// let storage = sandbox.standard()
/// ```
public final class PrefsSandbox: Sendable {
    /// The domain of the files in the sandbox.
    public let domain: String
    /// The path of the temporary folder.
    public let root: String
    /// The locations of the domain's files, as if the folder were the root of the file system.
    public let locations: PrefsFileLocations
    /// The environment variables that the stack reads instead of the process's own variables.
    public let environment: [String: String]

    /// Creates a temporary folder without any files.
    ///
    /// - Parameters:
    ///   - domain: The program's name in reverse-DNS form.
    ///   - folder: The folder of the user's file, in `~/.config`; see
    ///     ``/LayeredPrefs/PrefsFileLocations/standard(domain:folder:format:environment:)``.
    ///   - format: The format of files that the program creates, and the extension of the sandbox's paths.
    ///   - environment: The variables that the stack reads.
    /// - Throws: `CocoaError` if the temporary folder cannot be created.
    public init(
        domain: String = "com.example.myd", folder: String? = nil, format: PrefsFileFormat = .propertyList,
        environment: [String: String] = [:]
    ) throws {
        var template = Array("\(Self.temporaryFolder)/prefs-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.domain = domain
        self.root = root
        self.environment = environment
        var locations = PrefsFileLocations.standard(
            domain: domain, folder: folder, format: format,
            environment: ["XDG_CONFIG_HOME": "\(root)/home/.config"])
        for index in locations.system.indices {
            locations.system[index].path = root + locations.system[index].path
        }
        self.locations = locations
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The path of the vendor's system file, in `/usr/share`.
    public var vendor: String { locations.system[0].path }
    /// The path of the administrator's system file, in `/etc/xdg`.
    public var administrator: String { locations.system[1].path }
    /// The path of the volatile system file, in `/run`.
    public var volatile: String { locations.system[2].path }
    /// The path of the user's file, in `~/.config`.
    public var user: String { locations.user ?? "\(root)/user.plist" }

    /// Creates the standard stack of the domain, with the files and the environment of this sandbox.
    public func standard(
        defaults: [String: PrefsValue] = [:],
        arguments: [String] = [],
        coalescing: PrefsCoalescing? = nil,
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> PrefsStack {
        .standard(
            domain: domain, defaults: defaults, locations: locations, environment: environment,
            arguments: arguments, coalescing: coalescing, options: options)
    }

    /// Writes text to a file as editors do: to a temporary file that is then renamed over it. Creates missing folders.
    public func write(_ text: String, to path: String) throws {
        try write(bytes: Array(text.utf8), to: path)
    }

    /// Writes bytes to a file as editors do: to a temporary file that is then renamed over it. Creates missing folders.
    public func write(bytes: [UInt8], to path: String) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }

    /// Writes contents to a file, in the format that the file's extension names.
    public func write(_ content: [String: PrefsValue], to path: String) throws {
        try write(bytes: PrefsFileFormat.detecting(bytes: [], path: path).serialize(content), to: path)
    }

    /// Removes a file.
    public func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
    }

    private static var temporaryFolder: String {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        return named.hasSuffix("/") ? String(named.dropLast()) : named
    }
}
