import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// The rules of the Configuration Files Specification (UAPI.6), one row per sentence.
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
        // The files are read once at the start, and once as they appear while the program runs.
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

    @Test func `a removed drop-in that stays active has its place among those of other folders`() throws {
        let daemon = try Daemon()
        try daemon.write("etc.toml", "a = 60\n")
        try daemon.write("etc/50-b.toml", "b = 90\nc = \"fifty\"\n")
        let storage = daemon.open()
        let (a, b) = (PersistentKey("a", defaultValue: 10), PersistentKey("b", defaultValue: 50))
        let c = PersistentKey("c", defaultValue: "none")
        storage.constrain(a, b) { $0 <= $1 ? nil : "expected a ≤ b" }
        storage.declare(c)
        try daemon.remove("etc/50-b.toml")
        storage.reload()
        #expect(storage.get(b) == 90 && storage.get(c) == "fifty")
        try daemon.write("usr/40-c.toml", "c = \"forty\"\n")
        storage.reload()
        #expect(storage.get(b) == 90 && storage.get(c) == "fifty")
        try daemon.write("usr/60-c.toml", "c = \"sixty\"\n")
        storage.reload()
        #expect(storage.get(b) == 90 && storage.get(c) == "sixty")
        try daemon.write("run/45-c.toml", "b = 70\n")
        storage.reload()
        #expect(storage.get(b) == 70 && storage.get(c) == "sixty")
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
        // A hidden file is not even read.
        try daemon.write("usr.toml", "by = ")
        try daemon.write("etc.toml")
        #expect(daemon.open().status.allSatisfy { $0.problem == nil })
    }
}

/// The key locks of a daemon.
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
