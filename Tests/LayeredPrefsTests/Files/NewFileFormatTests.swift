import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

/// The file that the first write creates.
@Suite struct NewFileFormatTests {
    private let level = PersistentKey("level", defaultValue: 1)
    private let sandbox: PrefsSandbox
    private let home: String

    init() throws {
        sandbox = try PrefsSandbox()
        home = "\(sandbox.root)/home"
    }

    private func standard(
        folder: String? = nil, format: PrefsFileFormat = .propertyList
    ) -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return .standard(
            domain: "com.example.notes", folder: folder, format: format, environment: ["HOME": home],
            arguments: [], options: options)
    }

    /// The files below the home, without the lock files.
    private var files: [String] {
        let all = FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.hasSuffix(".lock") && $0.contains("notes.") }.sorted()
    }

    private func content(of path: String) throws -> [String: PrefsValue] {
        try PrefsDocument(parsing: Array(Data(contentsOf: URL(filePath: path))), path: path).content
    }

    private static let formats: [(PrefsFileFormat, String)] = [
        (.propertyList, "plist"), (.binaryPropertyList, "plist"), (.json, "json"), (.toml, "toml"),
    ]

    @Test(arguments: formats)
    func `the format names the new file, and a folder its place`(format: PrefsFileFormat, ending: String)
        throws
    {
        let inFolder = standard(folder: "notes", format: format)
        #expect(inFolder.status.contains { $0.file == "\(home)/.config/notes/notes.\(ending)" })
        try inFolder.set(level, to: 2)
        #expect(files == [".config/notes/notes.\(ending)"])
        try standard(format: format).set(level, to: 3)
        #expect(files == [".config/com.example.notes.\(ending)", ".config/notes/notes.\(ending)"])
        #expect(standard(folder: "notes").get(level) == 2)
        #expect(standard().get(level) == 3)
    }

    @Test(arguments: formats.flatMap { new in formats.dropFirst().map { (new.0, $0.1) } })
    func `a file of another format keeps it`(format: PrefsFileFormat, existing: String) throws {
        let path = "\(home)/.config/com.example.notes.\(existing)"
        try sandbox.write(["level": 5, "other": "x"], to: path)
        let storage = standard(format: format)
        #expect(storage.get(level) == 5)
        try storage.set(level, to: 6)
        #expect(files == [".config/com.example.notes.\(existing)"])
        let content = try content(of: path)
        #expect(content == ["level": 6, "other": "x"])
    }

    @Test func `a file that appears later is written, whatever its format`() throws {
        let storage = standard(format: .toml)
        let path = "\(home)/.config/com.example.notes.json"
        try sandbox.write("{\"level\": 7}", to: path)
        try storage.set(level, to: 8)
        #expect(files == [".config/com.example.notes.json"])
    }

    @Test func `two formats of one name are an error, and neither is written`() throws {
        for ending in ["json", "toml"] {
            try sandbox.write(["level": 5], to: "\(home)/.config/com.example.notes.\(ending)")
        }
        let storage = standard(format: .toml)
        let error = #expect(throws: PrefsError.self) { try storage.set(level, to: 6) }
        #expect(error?.code == .ambiguous)
        #expect(storage.get(level) == 5 && files.count == 2)
    }

    @Test func `without a home, the format creates nothing`() throws {
        let storage = PrefsStack.standard(
            domain: "com.example.notes", folder: "notes", format: .toml, environment: ["HOME": "relative"],
            arguments: [])
        let error = #expect(throws: PrefsError.self) { try storage.set(level, to: 6) }
        #expect(error?.code == .notWritable && error?.reason.contains("HOME") == true)
    }

    @Test(
        arguments: [
            ([], "toml"), (["json.d/"], "toml"), (["json.d/.hidden.json", "json.d/README"], "toml"),
            (["json.d/10-a.json"], "json"), (["plist.d/10-a.toml"], "plist"),
            (["json.d/10-a.json", "plist"], "plist"),
        ] as [([String], String)])
    func `a new system file has the format of its drop-ins' folder`(existing: [String], ending: String) throws
    {
        let sandbox = try PrefsSandbox(format: .toml)
        let stem = try #require(PrefsFileFormat.stem(of: sandbox.administrator))
        for name in existing {
            if name.hasSuffix("/") {
                try FileManager.default.createDirectory(
                    atPath: "\(stem).\(name)", withIntermediateDirectories: true)
            } else {
                let text =
                    name.contains(".json") ? "{}" : name.hasSuffix("plist") ? "<plist><dict/></plist>" : ""
                try sandbox.write(text, to: "\(stem).\(name)")
            }
        }
        let storage = sandbox.standard()
        let path = "\(stem).\(ending)"
        #expect(storage.layer(.system)?.writtenFile == path)
        try storage.set(level, to: 2, in: .system)
        #expect(try content(of: path) == ["level": 2])
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.root)/etc/xdg")
        #expect(files.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".d") } == ["com.example.myd.\(ending)"])
    }

    @Test(
        arguments: [
            (nil, "com.example.notes"), ("notes", "notes/notes"), ("example/notes", "example/notes/notes"),
            ("", "com.example.notes"), ("/", "com.example.notes"),
        ] as [(String?, String)])
    func `a folder names the user's file only`(folder: String?, name: String) {
        let locations = PrefsFileLocations.standard(
            domain: "com.example.notes", folder: folder, format: .json, environment: ["HOME": "/home/ada"])
        #expect(locations.user == "/home/ada/.config/\(name).json")
        #expect(
            locations.system.map(\.path) == [
                "/usr/share/notes/com.example.notes.json", "/etc/xdg/com.example.notes.json",
                "/run/com.example.notes.json",
            ])
    }

    @Test func `a sandbox has the paths of the format`() throws {
        let sandbox = try PrefsSandbox(domain: "com.example.notes", folder: "notes", format: .toml)
        #expect(sandbox.user == "\(sandbox.root)/home/.config/notes/notes.toml")
        #expect(sandbox.vendor == "\(sandbox.root)/usr/share/notes/com.example.notes.toml")
        try sandbox.write(["level": 2], to: sandbox.administrator)
        let storage = sandbox.standard()
        #expect(storage.get(level) == 2)
        try storage.set(level, to: 3)
        #expect(try String(contentsOfFile: sandbox.user, encoding: .utf8) == "level = 3\n")
    }
}
