import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// A daemon's files in a temporary folder. Each file sets `by` to its own path.
private struct Daemon {
    let sandbox: PrefsSandbox
    let diagnostics = PrefsDiagnostics()

    init() throws { sandbox = try PrefsSandbox() }

    /// The short names of the folders: `usr/10.toml` is `/usr/lib/relay/relay.toml.d/10.toml`, and `etc.toml`
    /// `/etc/relay/relay.toml`.
    func path(_ name: String) -> String {
        for (short, folder) in [("usr", "usr/lib"), ("run", "run"), ("etc", "etc")]
        where name.hasPrefix(short) {
            let rest = name.dropFirst(short.count)
            let place = "\(sandbox.root)/\(folder)/relay/relay"
            return rest.hasPrefix("/") ? "\(place).toml.d\(rest)" : "\(place)\(rest)"
        }
        return "\(sandbox.root)/\(name)"
    }

    func write(_ name: String, _ text: String? = nil) throws {
        let text = text ?? (name.hasSuffix(".json") ? #"{"by": "\#(name)"}"# : "by = \"\(name)\"\n")
        try sandbox.write(text, to: path(name))
    }

    func mask(_ name: String) throws {
        try write(name, "")
        try sandbox.remove(path(name))
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: "/dev/null")
    }

    func remove(_ name: String) throws { try sandbox.remove(path(name)) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    func options(isWatched: Bool = false) -> FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        if !isWatched { options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil) }
        options.diagnostics = diagnostics
        return options
    }

    func open(
        environment: [String: String] = [:], arguments: [String] = [], isWatched: Bool = false
    ) -> LayeredPrefsStorage {
        .daemon(
            "relay", root: sandbox.root, environment: environment, arguments: arguments,
            options: options(isWatched: isWatched))
    }
}

extension LayeredPrefsStorage {
    /// The values of `by` in the layer `system`, from the lowest to the highest: the files that are read.
    fileprivate var read: [String] {
        let parts = snapshot.state.parts.reversed().filter { $0.layer == "system" }
        return parts.compactMap { part in
            guard case .string(let name)? = part.source.tree.value(at: PrefsPath("by"))?.value else {
                return nil
            }
            return name
        }
    }
}

extension PersistentKey where Value == String {
    fileprivate static var by: Self { PersistentKey("by", defaultValue: "") }
}

/// The sentences of the Configuration Files Specification (UAPI.6).
@Suite struct DaemonLocationsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let sentence: String
        let files: [String]
        var masks: [String] = []
        var empty: [String] = []
        let read: [String]

        var testDescription: String { sentence }
    }

    static let rows = [
        Row(sentence: "programs work without any file", files: [], read: []),
        Row(sentence: "the vendor's main file", files: ["usr.toml"], read: ["usr.toml"]),
        Row(
            sentence: "a main file of /run replaces that of /usr", files: ["usr.toml", "run.toml"],
            read: ["run.toml"]),
        Row(
            sentence: "a main file of /etc replaces the others", files: ["usr.toml", "run.toml", "etc.toml"],
            read: ["etc.toml"]),
        Row(sentence: "whatever its format", files: ["usr.toml", "etc.json"], read: ["etc.json"]),
        Row(
            sentence: "a link to /dev/null masks the main file", files: ["usr.toml"], masks: ["etc.toml"],
            read: []),
        Row(sentence: "in every directory", files: ["usr.toml"], masks: ["run.toml"], read: []),
        Row(
            sentence: "an empty file masks the main file", files: ["usr.toml"], empty: ["etc.toml"], read: []),
        Row(
            sentence: "an empty file of another format, too", files: ["usr.toml"], empty: ["etc.json"],
            read: []),
        Row(
            sentence: "a mask masks lower directories only", files: ["usr.toml", "etc.toml"],
            masks: ["run.toml"],
            read: ["etc.toml"]),
        Row(
            sentence: "drop-ins take precedence over the main file, whatever their directories",
            files: ["etc.toml", "usr/10.toml"], read: ["etc.toml", "usr/10.toml"]),
        Row(
            sentence: "they are sorted by name regardless of the directory",
            files: ["usr/20.toml", "run/10.toml", "etc/15.toml", "usr/05.toml"],
            read: ["usr/05.toml", "run/10.toml", "etc/15.toml", "usr/20.toml"]),
        Row(
            sentence: "in the byte order of their names", files: ["etc/a.toml", "usr/B.toml", "run/9.toml"],
            read: ["run/9.toml", "usr/B.toml", "etc/a.toml"]),
        Row(
            sentence: "one of the same name in a higher directory replaces the lower one",
            files: [
                "usr/10.toml", "run/10.toml", "etc/10.toml", "usr/20.toml", "run/20.toml", "usr/30.toml",
            ],
            read: ["etc/10.toml", "run/20.toml", "usr/30.toml"]),
        Row(
            sentence: "whatever the formats", files: ["usr/10.toml", "etc/10.json", "usr/20.toml"],
            read: ["etc/10.json", "usr/20.toml"]),
        Row(
            sentence: "a link to /dev/null masks a drop-in", files: ["usr/10.toml", "usr/20.toml"],
            masks: ["etc/10.toml"], read: ["usr/20.toml"]),
        Row(
            sentence: "an empty file masks a drop-in", files: ["usr/10.toml", "run/20.toml"],
            empty: ["run/10.toml", "etc/20.json"], read: []),
        Row(
            sentence: "in lower directories only", files: ["usr/10.toml", "etc/10.toml"],
            masks: ["run/10.toml"],
            read: ["etc/10.toml"]),
        Row(
            sentence: "a masked main file does not mask its drop-ins",
            files: ["usr.toml", "usr/10.toml", "etc/20.toml"],
            masks: ["etc.toml"], read: ["usr/10.toml", "etc/20.toml"]),
        Row(
            sentence: "nor does an empty one", files: ["usr.toml", "usr/10.toml"], empty: ["etc.toml"],
            read: ["usr/10.toml"]),
        Row(
            sentence: "drop-ins are not recursive", files: ["usr/more/10.toml", "usr/20.toml"],
            read: ["usr/20.toml"]),
        Row(sentence: "drop-ins without a main file", files: ["run/10.toml"], read: ["run/10.toml"]),
        Row(
            sentence: "only names with the extension of a format, and without a dot in front, are drop-ins",
            files: ["usr/.10.toml", "usr/10.toml~", "usr/10.conf", "usr/20"], read: []),
        Row(
            sentence: "folders of drop-ins may have the name of another format",
            files: ["etc.json.d/10.toml", "usr/05.toml", "usr/10.toml"],
            read: ["usr/05.toml", "etc.json.d/10.toml"]),
        Row(
            sentence: "the specification's example",
            files: ["usr.toml", "etc.toml", "usr/a.toml", "usr/b.toml", "etc/a.toml"],
            read: ["etc.toml", "etc/a.toml", "usr/b.toml"]),
    ]

    @Test(arguments: rows)
    func `files are combined as the specification says`(_ row: Row) throws {
        let daemon = try Daemon()
        // Once as they are found at start, once as they appear while the program runs.
        let running = daemon.open()
        for name in row.files { try daemon.write(name) }
        for name in row.masks { try daemon.mask(name) }
        for name in row.empty { try daemon.write(name, "") }
        running.reload()
        for storage in [daemon.open(), running] {
            #expect(storage.read == row.read)
            #expect(storage.get(.by) == row.read.last ?? "")
            #expect(storage.status.allSatisfy { $0.problem == nil && !$0.isBehind })
            if let last = row.read.last {
                #expect(storage.resolution(for: .by).origin?.file == daemon.path(last))
                #expect(storage.resolution(for: .by).origin?.layer == "system")
            }
        }
        for name in row.files + row.masks + row.empty where daemon.exists(name) || row.masks.contains(name) {
            try daemon.remove(name)
        }
        running.reload()
        #expect(running.read.isEmpty)
    }

    @Test func `the folders are those of the specification`() {
        let locations = PrefsFileLocations.daemon("relay")
        #expect(
            locations.system.map(\.path)
                == ["/usr/lib/relay/relay.toml", "/run/relay/relay.toml", "/etc/relay/relay.toml"])
        #expect(locations.system.map(\.isVolatile) == [false, true, false])
        #expect(locations.user == nil && locations.followsUAPI6)
        #expect(
            PrefsFileLocations.daemon("relay", root: "/tmp/x/").system[0].path
                == "/tmp/x/usr/lib/relay/relay.toml")
    }

    @Test func `variables and arguments are above, and there is no user's layer`() throws {
        let daemon = try Daemon()
        try daemon.write("etc/90.toml", "by = \"file\"\n")
        let environment = [
            "RELAY_BY": "variable", "HOME": daemon.sandbox.root, "XDG_CONFIG_HOME": daemon.sandbox.root,
        ]
        try daemon.write("relay.toml", "by = \"user\"\n")
        #expect(daemon.open().get(.by) == "file")
        #expect(daemon.open(environment: environment).get(.by) == "variable")
        let storage = daemon.open(environment: environment, arguments: ["--set", "by=argument"])
        #expect(storage.get(.by) == "argument")
        let names = storage.layers.map(\.name).filter { $0 != .debug }
        #expect(names == [.defaults, .system, .environment, .arguments, .overrides])
    }

    @Test(arguments: [("etc.toml", "etc.json"), ("etc/10.toml", "etc/10.json")])
    func `two formats of one name in one place are an error that names both`(_ one: String, _ other: String)
        throws
    {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        try daemon.write(one)
        let storage = daemon.open()
        try daemon.write(other)
        storage.reload()
        #expect(storage.get(.by) == one)
        let problems = storage.status.compactMap(\.problem)
        #expect(problems.map(\.code) == [.ambiguous])
        #expect(problems.first?.description.contains(daemon.path(one)) == true)
        #expect(problems.first?.description.contains(daemon.path(other)) == true)
        #expect(daemon.open().status.compactMap(\.problem).map(\.code) == [.ambiguous])
    }

    @Test func `a conflict in a higher place does not take what is in force away`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        let storage = daemon.open()
        try daemon.write("etc.toml")
        try daemon.write("etc.json")
        storage.reload()
        #expect(storage.get(.by) == "usr.toml")
        #expect(storage.status.compactMap(\.problem).map(\.code) == [.ambiguous])
        try daemon.remove("etc.json")
        storage.reload()
        #expect(storage.get(.by) == "etc.toml")
    }

    @Test func `a broken main file does not let a lower one in`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        try daemon.write("etc.toml", "by = ")
        #expect(daemon.open().read.isEmpty)
        #expect(daemon.open().status.compactMap(\.problem).map(\.code) == [.syntax])
        // What is hidden is not even read.
        try daemon.write("usr.toml", "by = ")
        try daemon.write("etc.toml")
        #expect(daemon.open().status.allSatisfy { $0.problem == nil })
    }
}

/// Locks of a daemon.
@Suite struct DaemonLocksTests {
    @Test(arguments: ["usr", "run", "etc"])
    func `locks in each of the three folders bind the layers above`(_ place: String) throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        try daemon.write("\(place).locks", "by\n")
        let storage = daemon.open(environment: ["RELAY_BY": "variable"], arguments: ["--set", "by=argument"])
        #expect(storage.get(.by) == "usr.toml")
        #expect(throws: PrefsError.self) { try storage.set(.by, to: "x", in: .overrides) }
        // The three folders are one layer.
        try daemon.write("etc/10.toml")
        storage.reload()
        #expect(storage.get(.by) == "etc/10.toml")
        try storage.set(.by, to: "written")
        #expect(storage.get(.by) == "written")
        try daemon.remove("\(place).locks")
        storage.reload()
        #expect(storage.get(.by) == "argument")
    }
}

/// Writes to a daemon's files.
@Suite struct DaemonWritesTests {
    @Test func `a write goes to the administrator's main file if that is a regular file`() throws {
        let daemon = try Daemon()
        try daemon.write("etc.toml", "# mine\nby = \"x\"\n")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(try daemon.text("etc.toml") == "# mine\nby = \"y\"\n")
        #expect(!daemon.exists("etc/90-local.toml"))
    }

    @Test(arguments: ["", "json", "link"])
    func `in whatever format, empty, or behind a link`(_ kind: String) throws {
        let daemon = try Daemon()
        let name = kind == "json" ? "etc.json" : "etc.toml"
        try daemon.write(name, kind == "json" ? "{}" : "")
        if kind == "link" {
            try daemon.remove(name)
            try daemon.write("elsewhere.toml", "other = 1\n")
            try FileManager.default.createSymbolicLink(
                atPath: daemon.path(name), withDestinationPath: daemon.path("elsewhere.toml"))
        }
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.resolution(for: .by).origin?.file == daemon.path(name))
        #expect(try daemon.text(name).contains("by"))
        #expect(!daemon.exists("etc/90-local.toml"))
        #expect(daemon.open().get(.by) == "y")
    }

    @Test func `else it goes to a drop-in, because a new main file would hide the vendor's`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\nother = 1\n")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.get(.by) == "y" && storage.snapshot["other"] == 1)
        #expect(try daemon.text("etc/90-local.toml") == "by = \"y\"\n")
        #expect(!daemon.exists("etc.toml"))
        #expect(storage.resolution(for: .by).origin?.file == daemon.path("etc/90-local.toml"))
        storage.reload()
        #expect(try storage.set(.by, to: "z") == .effective)
        #expect(daemon.open().get(.by) == "z")
        try storage.remove(.by)
        #expect(storage.get(.by) == "vendor")
        try daemon.write("etc/90-local.toml", "by = \"edited\"\n")
        storage.reload()
        #expect(storage.get(.by) == "edited")
        try daemon.remove("etc/90-local.toml")
        storage.reload()
        #expect(storage.get(.by) == "vendor")
        #expect(storage.status.allSatisfy { $0.problem == nil })
    }

    @Test func `also beside a masked main file, and in the folder and format there is`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\n")
        try daemon.mask("etc.toml")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(try daemon.text("etc/90-local.toml") == "by = \"y\"\n")
        let other = try Daemon()
        try other.write("etc.json.d/90-local.json", "{}")
        let json = other.open()
        #expect(try json.set(.by, to: "y") == .effective)
        #expect(try other.text("etc.json.d/90-local.json").contains("\"y\""))
        #expect(!other.exists("etc/90-local.toml"))
    }

    @Test func `a later drop-in that sets the key shadows the write`() throws {
        let daemon = try Daemon()
        try daemon.write("usr/95-vendor.toml")
        let storage = daemon.open()
        guard case .shadowed(let origin) = try storage.set(.by, to: "y") else {
            Issue.record("not shadowed")
            return
        }
        #expect(origin.file == daemon.path("usr/95-vendor.toml"))
        #expect(storage.get(.by) == "usr/95-vendor.toml")
        #expect(try daemon.text("etc/90-local.toml") == "by = \"y\"\n")
        // So does a drop-in a write to the main file.
        try daemon.write("etc.toml", "other = 1\n")
        guard case .shadowed = try storage.setValue("z", forKey: "by") else {
            Issue.record("not shadowed")
            return
        }
        #expect(try daemon.text("etc.toml").contains("z"))
    }

    @Test func `a wrong value is not written to a file that does not exist yet`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\n")
        let storage = daemon.open()
        #expect(storage.get(.by) == "vendor")
        #expect(throws: PrefsError.self) { try storage.setValue(1, forKey: "by") }
        #expect(!daemon.exists("etc/90-local.toml") && storage.get(.by) == "vendor")
    }

    @Test func `a write to a new main file that was refused throws unless it mends the file`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\n")
        let storage = daemon.open()
        #expect(storage.get(.by) == "vendor")
        try daemon.write("etc.toml", "by = 1\n")
        storage.reload()
        #expect(storage.get(.by) == "vendor")
        #expect(throws: PrefsError.self) { try storage.setValue(2, forKey: "other") }
        #expect(try daemon.text("etc.toml") == "by = 1\n")
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.get(.by) == "y")
    }

    @Test func `it replaces the vendor's drop-in of its name`() throws {
        let daemon = try Daemon()
        try daemon.write("usr/90-local.toml", "by = \"vendor\"\nother = 1\n")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        storage.reload()
        #expect(storage.get(.by) == "y" && storage.snapshot["other"] == nil)
        #expect(daemon.open().snapshot["other"] == nil)
    }

    @Test func `a write to a masked drop-in, or with two folders, fails and changes nothing`() throws {
        let daemon = try Daemon()
        try daemon.mask("etc/90-local.toml")
        try daemon.write("usr.toml")
        let storage = daemon.open()
        #expect(throws: PrefsError.self) { try storage.set(.by, to: "y") }
        #expect(storage.get(.by) == "usr.toml")
        try daemon.write("etc.json.d/10.json", "{}")
        storage.reload()
        let error = #expect(throws: PrefsError.self) { try storage.set(.by, to: "y") }
        #expect(error?.code == .ambiguous)
        #expect(storage.get(.by) == "usr.toml")
    }

    @Test func `a transaction is one write of the drop-in`() throws {
        let daemon = try Daemon()
        let storage = daemon.open()
        try storage.transaction {
            $0.set(.by, to: "a")
            $0.set(PersistentKey("http.port", defaultValue: 80), to: 81)
        }
        let text = try daemon.text("etc/90-local.toml")
        #expect(text.contains("by = \"a\"\n") && text.contains("[http]\nport = 81\n"), "\(text)")
        #expect(storage.get(.by) == "a" && storage.snapshot["http.port"] == 81)
    }
}

/// Edits of a daemon's files while it runs, seen by the kernel's notifications.
@Suite struct DaemonLiveTests {
    @Test func `files that appear, are masked, and are removed take effect`() async throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        let storage = daemon.open(isWatched: true)
        let changes = Recorder<PrefsChange<String>>()
        changes.keep(storage.observe(.by, changes.record))
        func expect(_ value: String, _ edit: () throws -> Void) async throws {
            try edit()
            _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == value }
            #expect(storage.get(.by) == value)
        }
        #expect(storage.get(.by) == "usr.toml")
        try await expect("run.toml") { try daemon.write("run.toml") }
        try await expect("etc.toml") { try daemon.write("etc.toml") }
        try await expect("") {
            try daemon.remove("etc.toml")
            try daemon.mask("etc.toml")
        }
        try await expect("run.toml") { try daemon.remove("etc.toml") }
        try await expect("") { try daemon.write("etc.toml", "") }
        try await expect("usr/10.toml") { try daemon.write("usr/10.toml") }
        try await expect("run/20.toml") { try daemon.write("run/20.toml") }
        try await expect("usr/10.toml") { try daemon.mask("etc/20.toml") }
        try await expect("etc/10.toml") { try daemon.write("etc/10.toml") }
        try await expect("usr/10.toml") { try daemon.remove("etc/10.toml") }
        try await expect("") { try daemon.write("etc/10.toml", "") }
        try await expect("run/20.toml") { try daemon.remove("etc/20.toml") }
        try await expect("") { try daemon.remove("run/20.toml") }
        try await expect("run.toml") { try daemon.remove("etc.toml") }
        try await expect("usr.toml") { try daemon.remove("run.toml") }
        changes.stop()
    }

    @Test func `locks that appear and go take effect`() async throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        let storage = daemon.open(environment: ["RELAY_BY": "variable"], isWatched: true)
        let changes = Recorder<PrefsChange<String>>()
        changes.keep(storage.observe(.by, changes.record))
        try daemon.write("run.locks", "by\n")
        _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == "usr.toml" }
        try daemon.remove("run.locks")
        _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == "variable" }
        changes.stop()
    }
}
