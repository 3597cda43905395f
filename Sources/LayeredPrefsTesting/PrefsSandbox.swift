import FoundationEssentials
public import LayeredPrefs

import PrefsSystem

/// A temporary folder with a domain's places in it, and an environment of its own, for tests that must not
/// touch the machine's.
///
/// The folder is removed when the sandbox is released.
public final class PrefsSandbox: Sendable {
    /// The domain that the places are for.
    public let domain: String
    /// The temporary folder.
    public let root: String
    /// Where the domain's files would be if the folder were the file system's root.
    public let places: PrefsPlaces
    /// The variables to resolve with.
    public let environment: [String: String]

    /// - Throws: When no temporary folder can be made.
    public init(domain: String = "com.example.myd", environment: [String: String] = [:]) throws {
        var template = Array("\(Self.temporaryFolder)/prefs-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.domain = domain
        self.root = root
        self.environment = environment
        let name = domain.split(separator: ".").last ?? "myd"
        places = PrefsPlaces(
            system: [
                PrefsPlaces.System(path: "\(root)/usr/share/\(name)/\(domain).plist"),
                PrefsPlaces.System(path: "\(root)/etc/xdg/\(domain).plist"),
                PrefsPlaces.System(path: "\(root)/run/\(domain).plist", isVolatile: true),
            ],
            user: "\(root)/home/.config/\(domain).plist")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The vendor's, the administrator's and the volatile system file, and the user's.
    public var vendor: String { places.system[0].path }
    public var administrator: String { places.system[1].path }
    public var volatile: String { places.system[2].path }
    public var user: String { places.user ?? "\(root)/user.plist" }

    /// The domain's standard stack in this sandbox.
    public func standard(
        defaults: [String: PrefsValue] = [:],
        arguments: [String] = [],
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> LayeredPrefsStorage {
        .standard(
            domain: domain, defaults: defaults, places: places, environment: environment,
            arguments: arguments,
            options: options)
    }

    /// Puts a text into a file the way editors do: written beside and renamed over; folders are made.
    public func write(_ text: String, to path: String) throws {
        try write(bytes: Array(text.utf8), to: path)
    }

    /// Puts bytes into a file the way editors do: written beside and renamed over; folders are made.
    public func write(bytes: [UInt8], to path: String) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }

    /// Puts a property list with these contents into a file.
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
