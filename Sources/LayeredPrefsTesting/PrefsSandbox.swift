import FoundationEssentials
public import LayeredPrefs

import PrefsSystem

/// A temporary folder with the file locations of a domain, and a separate environment, for tests that must
/// not touch the machine's files and environment.
///
/// The folder is removed when the sandbox is released.
public final class PrefsSandbox: Sendable {
    /// The domain whose files are in the sandbox.
    public let domain: String
    /// The path of the temporary folder.
    public let root: String
    /// The locations of the domain's files, as if the folder were the root of the file system.
    public let locations: PrefsFileLocations
    /// The environment variables that the stack reads instead of those of the process.
    public let environment: [String: String]

    /// Creates a temporary folder without any files.
    ///
    /// - Throws: `CocoaError` if the temporary folder cannot be created.
    public init(domain: String = "com.example.myd", environment: [String: String] = [:]) throws {
        var template = Array("\(Self.temporaryFolder)/prefs-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.domain = domain
        self.root = root
        self.environment = environment
        let name = domain.split(separator: ".").last ?? "myd"
        locations = PrefsFileLocations(
            system: [
                PrefsFileLocations.System(path: "\(root)/usr/share/\(name)/\(domain).plist"),
                PrefsFileLocations.System(path: "\(root)/etc/xdg/\(domain).plist"),
                PrefsFileLocations.System(path: "\(root)/run/\(domain).plist", isVolatile: true),
            ],
            user: "\(root)/home/.config/\(domain).plist")
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

    /// Returns the standard stack of the domain, with the files and the environment of this sandbox.
    public func standard(
        defaults: [String: PrefsValue] = [:],
        arguments: [String] = [],
        coalescing: PrefsCoalescing? = nil,
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> LayeredPrefsStorage {
        .standard(
            domain: domain, defaults: defaults, locations: locations, environment: environment,
            arguments: arguments, coalescing: coalescing, options: options)
    }

    /// Writes text to a file as editors do: to a temporary file that is renamed over it. Creates missing
    /// folders.
    public func write(_ text: String, to path: String) throws {
        try write(bytes: Array(text.utf8), to: path)
    }

    /// Writes bytes to a file as editors do: to a temporary file that is renamed over it. Creates missing
    /// folders.
    public func write(bytes: [UInt8], to path: String) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }

    /// Writes these contents to a file as an XML property list.
    public func write(_ content: [String: PrefsValue], to path: String) throws {
        try write(
            String(decoding: PrefsFileFormat.xmlPropertyList.serialize(content), as: UTF8.self), to: path)
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
