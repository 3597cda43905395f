import FoundationEssentials
import LayeredPrefs
import LayeredPrefsTesting
import PrefsSystem
import Testing

@testable import LayeredPrefsInspection

@Suite struct PrefsInspectionTests {
    private let sandbox: PrefsSandbox
    private let user = DictionaryPrefsStorage()
    private let storage: PrefsStack
    private let port = PersistentKey("http.port", defaultValue: 8080, in: 1...65535)
    private let token = PersistentKey("auth.token", defaultValue: "none", .secret)
    private var folder: String { "\(sandbox.root)/sockets" }

    init() throws {
        sandbox = try PrefsSandbox()
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { [user] in
            PrefsLayer.defaults(["http": ["host": "localhost"]])
            PrefsLayer("user", user)
        }
    }

    private func serve() throws -> (PrefsInspection, InspectionClient) {
        let inspection = try storage.serveInspection(
            domain: "com.example.myd", keys: [PrefsKeyDescription(port), PrefsKeyDescription(token)],
            in: folder)
        let socket = try #require(InspectionFolder.sockets(in: folder, domain: nil).first)
        #expect(socket.path == inspection.path)
        return (inspection, InspectionClient(socket))
    }

    @Test func `a process describes itself`() throws {
        let (inspection, client) = try serve()
        defer { inspection.close() }
        try user.setValue("many", forKey: "http.port")
        let status = try #require(try client.ask(InspectionRequest(.status)).status)
        #expect(status.domain == "com.example.myd")
        #expect(status.pid == getpid())
        #expect(status.generation == storage.snapshot.generation)
        #expect(status.rejected == ["http.port"])
        #expect(status.sources.map(\.layer).contains("user"))
    }

    /// In a unit that forbids `setpriority(2)`, systemd may end a process that calls it.
    @Test func `an answer is given at the priority of the process`() throws {
        let own = getpriority(__priority_which_t(0), 0)
        let priorities = Lock<Set<Int32>>([])
        let key = PersistentKey(
            "workers", defaultValue: 4,
            .validate { _ in
                let priority = getpriority(__priority_which_t(0), 0)
                priorities.withLock { _ = $0.insert(priority) }
                return nil
            })
        try user.setValue(8, forKey: "workers")
        let inspection = try storage.serveInspection(
            domain: "com.example.myd", keys: [PrefsKeyDescription(key)], in: folder)
        defer { inspection.close() }
        let socket = try #require(InspectionFolder.sockets(in: folder, domain: nil).first)
        priorities.withLock { $0 = [] }
        _ = try InspectionClient(socket).ask(InspectionRequest(.explain, key: "workers"))
        #expect(priorities.withLock { $0 } == [own])
    }

    @Test func `a check of the configuration says what a restart would change`() throws {
        let storage = PrefsStack { PrefsLayer.overrides }
        #expect(PrefsInspection.restartChanges(domain: "com.example.myd", in: folder) == [])
        let inspection = try storage.serveInspection(
            domain: "com.example.myd", keys: [PrefsKeyDescription(port), PrefsKeyDescription(token)],
            in: folder)
        #expect(PrefsInspection.restartChanges(domain: "com.example.myd", in: folder) == [])
        try storage.setValue(9090, forKey: "http.port", in: .overrides)
        try storage.setValue("hunter2", forKey: "auth.token", in: .overrides)
        #expect(
            PrefsInspection.restartChanges(domain: "com.example.myd", in: folder) == [
                "process \(getpid()): auth.token: a secret (the override in memory is lost)",
                "process \(getpid()): http.port: 9090 → 8080 (the override in memory is lost)",
            ])
        #expect(PrefsInspection.restartChanges(domain: "com.example.other", in: folder) == [])
        inspection.close()
        #expect(unsafe mkfifo("\(folder)/com.example.myd/\(getpid())", 0o600) == 0)
        let lines = PrefsInspection.restartChanges(domain: "com.example.myd", in: folder)
        #expect(lines.count == 1)
        #expect(lines.first?.contains("process \(getpid()) (com.example.myd) cannot be reached") == true)
    }

    @Test func `a socket in a relative folder is removed wherever the working directory is`() async {
        await #expect(processExitsWith: .success) {
            let sandbox = try PrefsSandbox()
            precondition(unsafe chdir(sandbox.root) == 0)
            let inspection = try PrefsStack { PrefsLayer.overrides }
                .serveInspection(domain: "com.example.myd", in: "sockets")
            precondition(unsafe chdir("/") == 0)
            precondition(unsafe access(inspection.path, F_OK) == 0)
            inspection.close()
            precondition(unsafe access(inspection.path, F_OK) != 0)
            precondition(InspectionFolder.sockets(in: sandbox.root + "/sockets", domain: nil).isEmpty)
        }
    }

    @Test func `values are those that the process uses`() throws {
        let (inspection, client) = try serve()
        defer { inspection.close() }
        try user.setValue("many", forKey: "http.port")
        try user.setValue("::", forKey: "http.host")
        let keys = try #require(try client.ask(InspectionRequest(.list, key: "http")).keys)
        #expect(keys.map(\.key) == ["http.host", "http.port"])
        #expect(keys.map(\.value) == ["\"::\"", "8080"])
        #expect(keys.map(\.origin) == ["user", nil])
        #expect(keys.map(\.isDeclared) == [false, true])
        #expect(keys[1].rejected.count == 1)
        let explanation = try #require(
            try client.ask(InspectionRequest(.explain, key: "http.port")).explanation)
        #expect(explanation.rows.map(\.layer) == ["default"] && explanation.rows[0].role == "effective")
        #expect(explanation.rejections?.flatMap(\.problems).map(\.key) == ["http.port"])
        #expect(!explanation.isUntyped)
    }

    @Test func `an entry of a declared dictionary is answered with the dictionary`() throws {
        let limits = PersistentKey("limits", defaultValue: [String: Int]())
        let inspection = try storage.serveInspection(
            domain: "com.example.limits", keys: [PrefsKeyDescription(limits)], in: folder)
        defer { inspection.close() }
        try user.setValue(["cpu": 2], forKey: "limits")
        let socket = try #require(InspectionFolder.sockets(in: folder, domain: "com.example.limits").first)
        for name in ["limits", "limits.cpu", "limits.cpu.x"] {
            let keys = try #require(
                try InspectionClient(socket).ask(InspectionRequest(.list, key: name)).keys)
            #expect(keys.map(\.key) == ["limits"], "\(name)")
            #expect(keys.map(\.value) == ["{\"cpu\": 2}"], "\(name)")
        }
        let others = try InspectionClient(socket).ask(InspectionRequest(.list, key: "limit")).keys
        #expect(others?.isEmpty == true)
    }

    @Test func `the lock on a key is listed`() throws {
        let (inspection, client) = try serve()
        defer { inspection.close() }
        storage.lock("http", at: .defaults)
        let keys = try #require(try client.ask(InspectionRequest(.list, key: "http.host")).keys)
        #expect(keys.first?.lock == "defaults")
    }

    @Test(arguments: [
        (InspectionRequest.Kind.status, ""), (.list, ""), (.explain, "auth.token"),
        (.explain, "auth"), (.explain, "auth.token.part"),
    ])
    func `no answer contains a secret`(kind: InspectionRequest.Kind, key: String) throws {
        let (inspection, client) = try serve()
        defer { inspection.close() }
        try user.setValue("hunter2", forKey: "auth.token")
        let reply = try client.ask(
            InspectionRequest(kind, key: kind == .explain ? key : nil))
        let text = String(decoding: try JSONEncoder().encode(reply), as: UTF8.self)
        #expect(!text.contains("hunter2"))
    }

    @Test func `a described key below a secret dictionary is secret`() throws {
        storage.declare(PersistentKey("auth", defaultValue: [String: String](), .secret))
        let inspection = try storage.serveInspection(
            domain: "com.example.below",
            keys: [PrefsKeyDescription(PersistentKey("auth.user", defaultValue: ""))], in: folder)
        defer { inspection.close() }
        try user.setValue("hunter2", forKey: "auth.user")
        let socket = try #require(InspectionFolder.sockets(in: folder, domain: "com.example.below").first)
        for request in [InspectionRequest(.list), InspectionRequest(.explain, key: "auth.user")] {
            let reply = try InspectionClient(socket).ask(request)
            #expect(!String(decoding: try JSONEncoder().encode(reply), as: UTF8.self).contains("hunter2"))
        }
    }

    @Test func `changes are streamed without the values of secrets`() throws {
        let (inspection, client) = try serve()
        defer { inspection.close() }
        var received: [InspectionReply.Changes] = []
        try client.follow(InspectionRequest(.watch)) { reply in
            if let changes = reply.changes {
                received.append(changes)
            } else {
                #expect(reply.status != nil)
                try user.setValue(9090, forKey: "http.port")
                try user.setValue("hunter2", forKey: "auth.token")
            }
            return received.count < 4
        }
        // The changes of declared keys arrive separately from the sets of stored keys, in any order.
        let changes = received.flatMap { $0.details ?? [] }.sorted { $0.key < $1.key }
        #expect(changes.map(\.key) == ["auth.token", "http.port"])
        #expect(changes.map(\.new) == [nil, "9090"])
        #expect(changes.map(\.isSecret) == [true, false])
        #expect(Set(received.flatMap { $0.keys ?? [] }) == ["auth.token", "http.port"])
        #expect(received.allSatisfy { $0.cause == "write" })
    }

    @Test(arguments: [
        "", "{", "[]", "{\"request\":\"halt\"}", "{\"request\":\"explain\"}", "\u{0}\u{1B}[2J",
        String(repeating: "[", count: 10_000),
    ])
    func `a malformed request is answered with an error`(request: String) throws {
        let (inspection, _) = try serve()
        defer { inspection.close() }
        let connection = try StreamSocket.connected(to: inspection.path)
        connection.setTimeout(seconds: 10)
        var channel = LineChannel(connection)
        let isWritten = channel.write(request.utf8)
        #expect(isWritten)
        let line = channel.next(limit: 1 << 20)
        let answer = try #require(line)
        let reply = try JSONDecoder().decode(InspectionReply.self, from: Data(answer))
        #expect(reply.error?.hasPrefix("expected ") == true)
        // The connection can still be used.
        _ = channel.write(#"{"request":"status"}"#.utf8)
        let next = channel.next(limit: 1 << 20)
        #expect(next != nil)
    }

    @Test func `an endless request ends the connection`() throws {
        let (inspection, client) = try serve()
        defer { inspection.close() }
        let connection = try StreamSocket.connected(to: inspection.path)
        connection.setTimeout(seconds: 10)
        var channel = LineChannel(connection)
        let chunk = Array(repeating: UInt8(ascii: "x"), count: 600_000)
        _ = channel.write(chunk)
        let answer = channel.next(limit: 1 << 20)
        #expect(answer == nil)
        #expect(try client.ask(InspectionRequest(.status)).status != nil)
    }

    @Test func `the socket is private and removed at the end`() throws {
        let (inspection, client) = try serve()
        var status = stat()
        #expect(unsafe lstat(inspection.path, &status) == 0)
        #expect(status.st_mode == S_IFSOCK | 0o600)
        #expect(unsafe lstat("\(folder)/com.example.myd", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        inspection.close()
        #expect(unsafe lstat(inspection.path, &status) != 0)
        #expect(throws: PrefsError.self) { try client.ask(InspectionRequest(.status)) }
    }

    @Test func `a client that watches is disconnected at the end`() throws {
        let (inspection, client) = try serve()
        var answers = 0
        try client.follow(InspectionRequest(.watch)) { _ in
            answers += 1
            inspection.close()
            return true
        }
        #expect(answers == 1)
    }

    @Test func `sockets of dead processes are removed`() throws {
        let (first, _) = try serve()
        first.close()
        let stale = "\(folder)/com.example.myd/999999999"
        try Data().write(to: URL(filePath: stale))
        let (second, _) = try serve()
        defer { second.close() }
        #expect(!FileManager.default.fileExists(atPath: stale))
        #expect(InspectionFolder.sockets(in: folder, domain: "com.example.myd").count == 1)
    }

    @Test(arguments: ["", ".", "../etc", "a/b", "a\u{0}b"])
    func `a domain that is no name is rejected`(domain: String) {
        #expect(throws: PrefsError.self) { try storage.serveInspection(domain: domain, in: folder) }
    }

    @Test func `a folder of another user is not used`() throws {
        guard geteuid() == 0 else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(unsafe chown(folder, 12345, 12345) == 0)
        let error = #expect(throws: PrefsError.self) {
            try storage.serveInspection(domain: "com.example.myd", in: folder)
        }
        #expect(error?.code == .untrusted)
    }

    @Test func `a folder that others may write to is not used`() throws {
        let domain = "\(folder)/com.example.myd"
        try FileManager.default.createDirectory(atPath: domain, withIntermediateDirectories: true)
        let modes: [(String, mode_t)] = [(folder, 0o777), (folder, 0o775), (domain, 0o777), (domain, 0o1777)]
        for (path, mode) in modes {
            #expect(unsafe chmod(path, mode) == 0)
            let error = #expect(throws: PrefsError.self) {
                try storage.serveInspection(domain: "com.example.myd", in: folder)
            }
            #expect(error?.code == .untrusted && error?.origin?.file == path)
            #expect(unsafe chmod(path, 0o755) == 0)
        }
        // As in `/tmp`, others cannot replace the files that this user creates there.
        #expect(unsafe chmod(folder, 0o1777) == 0)
        try storage.serveInspection(domain: "com.example.myd", in: folder).close()
    }

    @Test func `a server that is closed leaves the socket of its successor`() throws {
        let (first, _) = try serve()
        let (second, client) = try serve()
        #expect(first.path == second.path)
        first.close()
        #expect(try client.ask(InspectionRequest(.status)).status != nil)
        second.close()
        #expect(unsafe access(second.path, F_OK) != 0)
    }

    /// Returns a client of a socket that this test listens on in place of a process.
    private func impostor(_ pid: CInt = getpid()) throws -> (StreamSocket, InspectionClient) {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/com.example.myd", withIntermediateDirectories: true)
        let socket = InspectionSocket(
            domain: "com.example.myd", pid: pid, path: "\(folder)/com.example.myd/\(pid)")
        return (
            try StreamSocket.listening(at: socket.path), InspectionClient(socket, secondsToAnswer: 1)
        )
    }

    @Test(arguments: [InspectionRequest.Kind.status, .watch])
    func `a process that accepts no connection is given up`(kind: InspectionRequest.Kind) throws {
        let (listener, client) = try impostor()
        // This many connections can wait to be accepted.
        let waiting = try (0...8).map { _ in try StreamSocket.connected(to: client.socket.path) }
        let error = #expect(throws: PrefsError.self) {
            try client.follow(InspectionRequest(kind)) { _ in true }
        }
        #expect(error?.reason.contains("cannot be reached") == true, "\(error?.reason ?? "")")
        withExtendedLifetime((listener, waiting)) {}
    }

    @Test func `a process that answers without end has a limited time`() throws {
        let (listener, client) = try impostor()
        let isStarted = BackgroundThread.start(named: "answering") {
            var events = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&events, 1, -1)
            guard let connection = listener.acceptConnection() else { return }
            // Send a byte from time to time, until the client has gone.
            events = pollfd(fd: connection.descriptor, events: 0, revents: 0)
            while unsafe poll(&events, 1, 200) == 0 { _ = connection.send([0x20]) }
        }
        #expect(isStarted)
        #expect(throws: PrefsError.self) { try client.ask(InspectionRequest(.status)) }
    }

    @Test func `an empty line is no answer`() throws {
        let (listener, client) = try impostor()
        let isStarted = BackgroundThread.start(named: "answering") {
            var events = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&events, 1, -1)
            guard let connection = listener.acceptConnection() else { return }
            _ = connection.send([0x0A])
            // Wait until the client has gone.
            events = pollfd(fd: connection.descriptor, events: 0, revents: 0)
            _ = unsafe poll(&events, 1, -1)
        }
        #expect(isStarted)
        #expect(throws: PrefsError.self) { try client.ask(InspectionRequest(.status)) }
    }

    @Test func `a socket of another user is not believed`() throws {
        guard geteuid() == 0 else { return }
        let (inspection, client) = try serve()
        defer { inspection.close() }
        #expect(try client.ask(InspectionRequest(.status)).status != nil)
        #expect(unsafe chown(inspection.path, 12345, 12345) == 0)
        let error = #expect(throws: PrefsError.self) { try client.ask(InspectionRequest(.status)) }
        #expect(error?.code == .untrusted)
        #expect(
            error?.reason.hasSuffix("answered by process \(getpid()) of user 0") == true,
            "\(error?.reason ?? "")")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can ask the process of another user"))
    func `a process of another user is sent no variables`() async {
        await #expect(processExitsWith: .success) {
            let sandbox = try PrefsSandbox()
            precondition(unsafe chmod(sandbox.root, 0o777) == 0)
            let socket = InspectionSocket(
                domain: "com.example.myd", pid: getpid(), path: "\(sandbox.root)/\(getpid())")
            seteuid(65534)
            let listener = try StreamSocket.listening(at: socket.path)
            seteuid(0)
            let client = InspectionClient(socket, secondsToAnswer: 1)
            do {
                _ = try client.ask(InspectionRequest(.drift, environment: ["MY_SECRET": "hunter2"]))
                preconditionFailure("the process was asked")
            } catch let error as PrefsError {
                precondition(error.code == .untrusted && error.reason.contains("belongs to another user"))
            }
            precondition(listener.acceptConnection()?.receive().isEmpty == true)
            // Without variables, the process is asked as before.
            _ = try? client.ask(InspectionRequest(.drift))
            precondition(listener.acceptConnection()?.receive().isEmpty == false)
        }
    }

    @Test func `a released stack is reported`() throws {
        var released: PrefsStack? = PrefsStack { PrefsLayer.defaults(["a": 1]) }
        let inspection = try #require(try released?.serveInspection(domain: "com.example.gone", in: folder))
        defer { inspection.close() }
        released = nil
        let socket = try #require(InspectionFolder.sockets(in: folder, domain: "com.example.gone").first)
        let error = #expect(throws: PrefsError.self) {
            try InspectionClient(socket).ask(InspectionRequest(.status))
        }
        #expect(error?.reason.contains("no longer uses these preferences") == true)
    }
}
