import FoundationEssentials
import Glibc
import LayeredPrefs
import LayeredPrefsTesting
import Testing

/// The standard stack in a sandbox, with a recorder of its diagnostics.
private struct Machine {
    let sandbox: PrefsSandbox
    let storage: PrefsStack
    let reported: Recorder<PrefsDiagnostic>

    init(
        environment: [String: String] = [:], arguments: [String] = [],
        _ prepare: (PrefsSandbox) throws -> Void = { _ in }
    ) throws {
        sandbox = try PrefsSandbox(environment: environment)
        try prepare(sandbox)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        reported = Recorder.diagnostics(of: options.diagnostics)
        storage = sandbox.standard(arguments: arguments, options: options)
    }
}

@Suite("Guarantees for administrators") struct AdministratorTests {
    @Test func `volatile settings win over the administrator and those over the vendor`() throws {
        let machine = try Machine { sandbox in
            for (number, place) in sandbox.locations.system.enumerated() {
                try sandbox.write(
                    ["a\(number)": 1, "http": ["port": .integer(Int128(number + 1))]], to: place.path)
            }
        }
        #expect(machine.storage.get(.port) == 3)
        try machine.sandbox.remove(machine.sandbox.volatile)
        machine.storage.reload()
        #expect(machine.storage.get(.port) == 2)
    }

    @Test func `standard locations follow the XDG variables`() {
        let variables = ["XDG_CONFIG_DIRS": "/first:relative:/second/", "HOME": "/home/ada"]
        let locations = PrefsFileLocations.standard(domain: "com.example.myd", environment: variables)
        #expect(
            locations.system.map(\.path) == [
                "/usr/share/myd/com.example.myd.plist", "/etc/xdg/com.example.myd.plist",
                "/run/com.example.myd.plist", "/second/com.example.myd.plist",
                "/first/com.example.myd.plist",
            ])
        #expect(locations.system.map(\.honorsLocksFile) == [true, true, true, false, false])
        #expect(locations.system.map(\.isVolatile) == [false, false, true, false, false])
        #expect(locations.user == "/home/ada/.config/com.example.myd.plist")
        #expect(PrefsFileLocations.standard(domain: "com.example.myd", environment: [:]).user == nil)
    }

    @Test(arguments: [
        "", "/etc//xdg", "/etc/xdg/", "/etc/./xdg:/etc/xdg", "/usr/../etc/xdg", "/run:/usr/share/myd", ":",
        "xdg",
    ])
    func `no spelling of the fixed folders removes or repeats them`(_ directories: String) {
        let variables = ["XDG_CONFIG_DIRS": directories]
        let locations = PrefsFileLocations.standard(domain: "com.example.myd", environment: variables)
        #expect(locations == .standard(domain: "com.example.myd", environment: [:]))
    }

    @Test func `a link to a fixed folder is that folder`() throws {
        let sandbox = try PrefsSandbox()
        let link = "\(sandbox.root)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/run")
        let variables = ["XDG_CONFIG_DIRS": "\(link):\(sandbox.root)"]
        let locations = PrefsFileLocations.standard(domain: "com.example.myd", environment: variables)
        #expect(locations.system.dropFirst(3).map(\.path) == ["\(sandbox.root)/com.example.myd.plist"])
    }

    @Test(arguments: [true, false])
    func `locks hold against folders that the environment names`(isLockedInCode: Bool) throws {
        let sandbox = try PrefsSandbox()
        let named = "\(sandbox.root)/named/com.example.myd.plist"
        try sandbox.write(["http": ["port": 1]], to: sandbox.administrator)
        try sandbox.write(["http": ["port": 6666, "host": "named"]], to: named)
        try sandbox.write(["http": ["port": 6667]], to: "\(named).d/50-port.plist")
        let locks = sandbox.administrator.replacing(".plist", with: ".locks")
        if !isLockedInCode { try sandbox.write("http.port\r\n", to: locks) }
        let places =
            sandbox.locations.system + [PrefsFileLocations.System(path: named, honorsLocksFile: false)]
        let storage = PrefsStack {
            PrefsLayer(.system, SystemPrefsStorage(locations: places))
        }
        if isLockedInCode { storage.lock("http.port", at: .system) }
        #expect(storage.get(.port) == 1)
        #expect(storage.snapshot["http.host"] == "named")
        #expect(throws: PrefsError.self) { try storage.set(.port, to: 3, in: .system) }
    }

    @Test func `added, changed and removed drop-ins are noticed`() async throws {
        let machine = try Machine { try $0.write(["http": ["port": 1]], to: $0.administrator) }
        let changes = Recorder.changes(of: .port, in: machine.storage)
        let dropIn = "\(machine.sandbox.administrator).d/50-port.plist"
        try machine.sandbox.write(["http": ["port": 2]], to: dropIn)
        try await changes.wait { $0.last?.new.value == 2 }
        try machine.sandbox.write(["http": ["port": 3]], to: dropIn)
        try await changes.wait { $0.last?.new.value == 3 }
        #expect(changes.elements.last?.new.origin?.file == dropIn)
        try machine.sandbox.remove(dropIn)
        try await changes.wait { $0.last?.new.value == 1 }
    }

    @Test func `an added and removed mask is noticed`() async throws {
        let machine = try Machine { try $0.write(["http": ["port": 2]], to: "\($0.vendor).d/50-port.plist") }
        let changes = Recorder.changes(of: .port, in: machine.storage)
        let mask = "\(machine.sandbox.administrator).d/50-port.plist"
        try FileManager.default.createDirectory(
            atPath: "\(machine.sandbox.administrator).d", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: mask, withDestinationPath: "/dev/null")
        try await changes.wait { $0.last?.new.value == 80 }
        try machine.sandbox.remove(mask)
        try await changes.wait { $0.last?.new.value == 2 }
    }

    @Test func `unreadable locks lock what their layer sets until they are readable again`() async throws {
        let machine = try Machine {
            try $0.write(["http": ["port": 1]], to: $0.vendor)
            try $0.write(["http": ["port": 2]], to: $0.user)
        }
        let locks = machine.sandbox.vendor.replacing(".plist", with: ".locks")
        #expect(machine.storage.get(.port) == 2)
        try machine.sandbox.write(bytes: [0xFF, 0xFE, 0x00], to: locks)
        machine.storage.reload()
        #expect(machine.storage.get(.port) == 1)
        try machine.sandbox.write("# nothing", to: locks)
        machine.storage.reload()
        #expect(machine.storage.get(.port) == 2)
        #expect(machine.reported.elements.map(\.severity) == [.error, .recovered])
    }

    @Test func `a line that cannot be understood locks what its layer sets and what it did lock`()
        async throws
    {
        let machine = try Machine {
            try $0.write(["http": ["port": 1]], to: $0.vendor)
            try $0.write(["http": ["port": 2], "log": ["level": "debug"], "a": 2, "b": 2], to: $0.user)
            try $0.write("a\r\n", to: $0.vendor.replacing(".plist", with: ".locks"))
        }
        let locks = machine.sandbox.vendor.replacing(".plist", with: ".locks")
        func value(_ key: String) -> PrefsValue? { machine.storage.snapshot[key] }
        #expect(value("a") == nil && value("b") == 2 && machine.storage.get(.port) == 2)
        try machine.sandbox.write("b\nhttp port\n", to: locks)
        machine.storage.reload()
        #expect(value("a") == nil && value("b") == nil && machine.storage.get(.port) == 1)
        #expect(machine.storage.snapshot["log.level"] == "debug")
        let reported = machine.reported.elements.map(\.description)
        #expect(reported.count == 1 && reported[0].contains("\(locks):2: unexpected space in a key"))
        #expect(machine.storage.status.contains { $0.file == locks && $0.problem?.code == .syntax })
        try machine.sandbox.write("b\n", to: locks)
        machine.storage.reload()
        #expect(value("a") == 2 && value("b") == nil && machine.storage.get(.port) == 2)
    }

    @Test func `an unknown variable or argument is reported with the most similar key`() throws {
        let machine = try Machine(
            environment: ["MYD_HTTP_PROT": "1", "MYD_AUTH_TOKEN_FILE": "/dev/null", "OTHER": "1"],
            arguments: ["--set", "http.prt=1"])
        // Two schemas declare their keys one after the other.
        machine.storage.declare([PrefsKeyName("http.port")])
        machine.storage.declare([PrefsKeyName("auth.token", isSecret: true)])
        machine.storage.reportUnknownKeys()
        #expect(
            Set(machine.reported.elements.map(\.description)) == [
                "warning: environment: MYD_HTTP_PROT: unknown key; did you mean “MYD_HTTP_PORT”?",
                "warning: arguments: http.prt: unknown key; did you mean “http.port”?",
            ])
    }

    @Test func `a change that needs a restart is marked as such`() async throws {
        let stack = try Stack()
        let key = PersistentKey("pool.threads", defaultValue: 4, .needsRestart)
        let typed = Recorder.changes(of: key, in: stack.storage)
        let all = Recorder.changeSets(in: stack.storage)
        stack.user.update { $0 = ["pool": ["threads": 8], "http": ["port": 1]] }
        await stack.storage.reloadAndSettle()
        #expect(typed.elements.map(\.needsRestart) == [true])
        #expect(all.elements.first?.changes.map(\.needsRestart) == [false, true])
        #expect(typed.elements.first?.description == "pool.threads: 4 → 8 (user), after a restart")
    }

    @Test func `an observer can write to the stack and register another observer`() async throws {
        let machine = try Machine()
        let storage = machine.storage
        let (outer, inner) = (Recorder<Int>(), Recorder<Int>())
        outer.keep(
            storage.observe(.port) { [weak storage] change in
                guard let storage else { return }
                if change.new.value == 1 {
                    inner.keep(storage.observe(.port) { inner.record($0.new.value) })
                }
                if change.new.value < 3 {
                    _ = try? storage.set(.port, to: change.new.value + 1, in: .overrides)
                }
                outer.record(storage.get(.port))
            })
        try storage.set(.port, to: 1, in: .overrides)
        try await outer.wait { $0.count == 3 }
        try await inner.wait { $0.contains(3) }
        #expect(outer.elements == [2, 3, 3])
        outer.stop()
        inner.stop()
    }
}
