import FoundationEssentials
import Glibc
import LayeredPrefs
import LayeredPrefsTesting
import Testing

/// The standard stack over real files, with a recorder of its diagnostics.
private struct Machine {
    let sandbox: PrefsSandbox
    let storage: PrefsStack
    let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    init(
        environment: [String: String] = [:], coalescing: PrefsCoalescing = .standard,
        _ prepare: (PrefsSandbox) throws -> Void = { _ in }
    ) throws {
        sandbox = try PrefsSandbox(environment: environment)
        try prepare(sandbox)
        var options = FilePrefsStorage.Options()
        options.coalescing = coalescing
        (options.diagnostics, reported, subscription) = Recorder.recording()
        storage = sandbox.standard(options: options)
    }
}

@Suite("File layers")
struct FileLayerTests {
    @Test func `a missing user file falls back to the system layer until it is created`() async throws {
        let machine = try Machine { try $0.write(["http": ["port": 8080]], to: $0.vendor) }
        let received = Recorder<PrefsChange<Int>>()
        let observation = machine.storage.observe(.port, received.record)
        #expect(machine.storage.get(.port) == 8080)
        try machine.sandbox.write(["http": ["port": 9090]], to: machine.sandbox.user)
        let changes = try await received.wait { $0.count == 1 }
        #expect(changes.first?.new.value == 9090)
        #expect(changes.first?.new.origin?.file == machine.sandbox.user)
        #expect(changes.first?.cause == .file)
        observation.cancel()
    }

    @Test func `removing the user file makes the system value effective`() async throws {
        let machine = try Machine {
            try $0.write(["http": ["port": 1]], to: $0.vendor)
            try $0.write(["http": ["port": 2]], to: $0.user)
        }
        #expect(machine.storage.get(.port) == 2)
        try machine.sandbox.remove(machine.sandbox.user)
        await machine.storage.reloadAndSettle()
        #expect(machine.storage.get(.port) == 1)
    }

    @Test(arguments: [
        "<plist><dict><key>http</key>", "", "\u{0}",
        "<plist><dict><key>a</key><integer>x</integer></dict></plist>",
    ])
    func `an edit that breaks a file changes no value and is reported once`(_ text: String) async throws {
        let machine = try Machine { try $0.write(["http": ["port": 2]], to: $0.user) }
        let generation = machine.storage.snapshot.generation
        try machine.sandbox.write(text, to: machine.sandbox.user)
        for _ in 1...3 { await machine.storage.reloadAndSettle() }
        #expect(machine.storage.get(.port) == 2)
        #expect(machine.storage.snapshot.generation == generation)
        #expect(machine.reported.elements.map(\.severity) == [.error])
        #expect(machine.reported.elements.first?.error.origin?.file == machine.sandbox.user)
        try machine.sandbox.write(["http": ["port": 3]], to: machine.sandbox.user)
        await machine.storage.reloadAndSettle()
        #expect(machine.storage.get(.port) == 3)
        #expect(machine.reported.elements.map(\.severity) == [.error, .recovered])
    }

    @Test func `a file broken at start is an empty layer unless it is required`() throws {
        let machine = try Machine {
            try $0.write(["http": ["port": 1]], to: $0.vendor)
            try $0.write("<plist>", to: $0.user)
        }
        #expect(machine.storage.get(.port) == 1)
        #expect(machine.storage.status.compactMap(\.problem).map(\.code) == [.syntax])
        #expect(throws: PrefsError.self) { try machine.storage.require([.user]) }
        try machine.storage.require([.system])
    }

    @Test func `a folder in place of a file is an error`() throws {
        let machine = try Machine {
            try FileManager.default.createDirectory(atPath: $0.user, withIntermediateDirectories: true)
        }
        #expect(machine.reported.elements.map(\.error.code) == [.notARegularFile])
    }

    @Test func `rewriting a file with equal content is no change`() async throws {
        let machine = try Machine { try $0.write(["http": ["port": 2]], to: $0.user) }
        let generation = machine.storage.snapshot.generation
        try machine.sandbox.write(["http": ["port": 2]], to: machine.sandbox.user)
        await machine.storage.reloadAndSettle()
        #expect(machine.storage.snapshot.generation == generation)
    }

    @Test func `the origin follows a value that moves to another line`() async throws {
        let machine = try Machine { try $0.write(["http.port": 2], to: $0.user) }
        let before = machine.storage.resolution(for: .port).origin?.position
        let text = try String(contentsOf: URL(filePath: machine.sandbox.user), encoding: .utf8)
        try machine.sandbox.write(
            text.replacing("<dict>", with: "<!-- a\ncomment -->\n<dict>"), to: machine.sandbox.user)
        await machine.storage.reloadAndSettle()
        let after = machine.storage.resolution(for: .port).origin?.position
        #expect(before == .line(5, column: 2))
        #expect(after == .line(7, column: 2))
    }

    @Test func `drop-ins apply in byte order of names and can be removed and masked`() async throws {
        let machine = try Machine {
            try $0.write(["http": ["port": 1]], to: $0.vendor)
            try $0.write(["http": ["port": 2]], to: "\($0.vendor).d/10-a.plist")
            try $0.write(["http": ["port": 3]], to: "\($0.vendor).d/9-b.plist")
            try $0.write(["http": ["port": 4]], to: "\($0.vendor).d/.hidden.plist")
        }
        let folder = "\(machine.sandbox.vendor).d"
        #expect(machine.storage.get(.port) == 3)
        #expect(machine.storage.resolution(for: .port).origin?.file == "\(folder)/9-b.plist")
        try machine.sandbox.remove("\(folder)/9-b.plist")
        await machine.storage.reloadAndSettle()
        #expect(machine.storage.get(.port) == 2)
        let masks = "\(machine.sandbox.administrator).d"
        try FileManager.default.createDirectory(atPath: masks, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(masks)/10-a.plist", withDestinationPath: "/dev/null")
        await machine.storage.reloadAndSettle()
        #expect(machine.storage.get(.port) == 1)
    }

    @Test func `a lock that is added takes effect in one generation`() async throws {
        let machine = try Machine {
            try $0.write(["http": ["port": 1, "host": "a"]], to: $0.vendor)
            try $0.write(["http": ["port": 2, "host": "b"]], to: $0.user)
        }
        let received = Recorder<PrefsChangeSet>()
        let observation = machine.storage.observe(received.record)
        let locks = machine.sandbox.vendor.replacing(".plist", with: ".locks")
        try machine.sandbox.write("# policy\nhttp.*\n", to: locks)
        let sets = try await received.wait { $0.count == 1 }
        #expect(sets.first?.changes.map(\.key) == ["http.host", "http.port"])
        #expect(sets.first?.cause == .lock)
        #expect(machine.storage.get(.port) == 1)
        #expect(machine.storage.resolution(for: .port).lock?.origin.position == .line(2, column: nil))
        let error = #expect(throws: PrefsError.self) { try machine.storage.set(.port, to: 3) }
        #expect(error?.code == .locked)
        #expect(error?.reason.hasSuffix("or remove the lock from \(locks)") == true, "\(error as Any)")
        try machine.sandbox.remove(locks)
        await machine.storage.reloadAndSettle()
        #expect(machine.storage.get(.port) == 2)
        observation.cancel()
    }

    @Test func `an unreadable locks file locks every key that its layer sets`() async throws {
        let machine = try Machine {
            try $0.write(["http": ["port": 1]], to: $0.vendor)
            try $0.write(["http": ["port": 2], "log": ["level": "debug"]], to: $0.user)
            try FileManager.default.createDirectory(
                atPath: $0.vendor.replacing(".plist", with: ".locks"), withIntermediateDirectories: true)
        }
        #expect(machine.storage.get(.port) == 1)
        #expect(machine.storage.get(.level) == "debug")
    }

    @Test func `a write goes to the user file and keeps everything else`() async throws {
        let machine = try Machine()
        let received = Recorder<PrefsChange<Int>>()
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <!-- mine -->
            <dict>
              <key>zebra</key> <true/>
              <key>http</key>
              <dict>
                <key>port</key> <integer>1</integer> <!-- why -->
              </dict>
            </dict>
            </plist>

            """
        try machine.sandbox.write(text, to: machine.sandbox.user)
        await machine.storage.reloadAndSettle()
        let observation = machine.storage.observe(.port, received.record)
        try machine.storage.set(.port, to: 2)
        #expect(machine.storage.get(.port) == 2)
        let after = try String(contentsOf: URL(filePath: machine.sandbox.user), encoding: .utf8)
        #expect(after == text.replacing("<integer>1</integer>", with: "<integer>2</integer>"))
        await machine.storage.reloadAndSettle()
        #expect(received.elements.map(\.cause) == [.write])
        observation.cancel()
    }

    @Test func `a broken file is not overwritten`() throws {
        let machine = try Machine { try $0.write("<plist><dict>", to: $0.user) }
        let error = #expect(throws: PrefsError.self) { try machine.storage.set(.port, to: 2) }
        #expect(error?.code == .broken)
        #expect(
            try String(contentsOf: URL(filePath: machine.sandbox.user), encoding: .utf8) == "<plist><dict>")
    }

    @Test func `the first write creates a private folder`() throws {
        let machine = try Machine()
        try machine.storage.set(.port, to: 2)
        let folder = machine.sandbox.user.replacing("/com.example.myd.plist", with: "")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `deferred writes are made in order and flushed to disk`() async throws {
        let machine = try Machine()
        for port in 1...20 { machine.storage.setLater(.port, to: port) }
        machine.storage.setValueLater(0, forKey: "http.port", in: "nowhere")
        await machine.storage.flush()
        #expect(machine.storage.get(.port) == 20)
        #expect(FilePrefsStorage(path: machine.sandbox.user).snapshot["http.port"] == 20)
        #expect(machine.reported.elements.map(\.error.code) == [.missing])
    }

    @Test func `a transaction across files is one generation`() async throws {
        let machine = try Machine()
        let received = Recorder<PrefsChangeSet>()
        let observation = machine.storage.observe(received.record)
        try machine.storage.transaction { transaction in
            transaction.set(.port, to: 2)
            transaction.set(.level, to: "debug", in: .system)
            transaction.setValue(["a": 1], forKey: "limits", in: .overrides)
        }
        await machine.storage.reloadAndSettle()
        #expect(received.elements.map { $0.changes.map(\.key) } == [["http.port", "limits.a", "log.level"]])
        observation.cancel()
    }

    @Test func `a transaction that cannot prepare every file writes none`() throws {
        let machine = try Machine { try $0.write("<plist>", to: $0.administrator) }
        #expect(throws: PrefsError.self) {
            try machine.storage.transaction { transaction in
                transaction.set(.port, to: 2)
                transaction.set(.level, to: "debug", in: .system)
            }
        }
        #expect(machine.storage.get(.port) == 80)
        #expect(!FileManager.default.fileExists(atPath: machine.sandbox.user))
    }

    @Test func `the error of a transaction lists all failed keys`() throws {
        let machine = try Machine {
            try $0.write("http.port\nlog", to: $0.vendor.replacing(".plist", with: ".locks"))
        }
        let error = #expect(throws: PrefsError.self) {
            try machine.storage.transaction { transaction in
                transaction.set(.port, to: 2)
                transaction.set(.level, to: "debug")
                transaction.set(.limits, to: ["a": 1])
            }
        }
        #expect(error?.related.map(\.key) == ["http.port", "log.level"])
        let report = try machine.storage.transaction(writingOthers: true) { transaction in
            transaction.set(.port, to: 2)
            transaction.set(.limits, to: ["a": 1])
        }
        #expect(report.failures.map(\.key) == ["http.port"])
        #expect(try report.results.last?.get() == .effective)
    }

    @Test func `a burst of edits is one change set per window, and one before it`() async throws {
        let machine = try Machine(coalescing: .leadingEdge(.seconds(1))) {
            try $0.write(["http": ["port": 1]], to: $0.user)
        }
        let received = Recorder<PrefsChange<Int>>()
        let observation = machine.storage.observe(.port, received.record)
        let start = ContinuousClock.now
        for port in 100..<150 {
            try machine.sandbox.write(["http": ["port": .integer(Int128(port))]], to: machine.sandbox.user)
        }
        let changes = try await received.wait { $0.last?.new.value == 149 }
        // On a busy machine the burst lasts for several windows.
        #expect(changes.count <= 2 + Int(start.duration(to: .now) / .seconds(1)))
        observation.cancel()
    }
}
