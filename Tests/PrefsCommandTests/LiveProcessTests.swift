import Foundation
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefsInspection

/// `ps`, and `--pid` with the commands that read. They ask this test process.
@Suite struct LiveProcessTests {
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let user = DictionaryPrefsStorage()
    private let storage: PrefsStack
    private let inspection: PrefsInspection
    private let pid = "\(ProcessInfo.processInfo.processIdentifier)"

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { [user] in
            PrefsLayer("user", user)
            PrefsLayer.overrides
        }
        inspection = try storage.serveInspection(
            domain: "com.example.live",
            keys: [
                PrefsKeyDescription(PersistentKey("http.port", defaultValue: 8080, in: 1...65535)),
                PrefsKeyDescription(PersistentKey("token", defaultValue: "", .secret)),
            ],
            in: "\(sockets.root)/prefs", permitting: [.overrides, .reload])
    }

    private func live(_ arguments: String...) throws -> Run {
        try sandbox.run(Sandbox.tool, arguments, environment: ["XDG_RUNTIME_DIR": sockets.root])
    }

    @Test func `running processes are listed`() async throws {
        try user.setValue("many", forKey: "http.port")
        await storage.settled()
        let run = try live("ps", "--domain", "com.example.live")
        #expect(run.status == 0, "\(run)")
        #expect(run.lines.count == 1)
        #expect(run.output.hasPrefix("\(pid)\tcom.example.live\tgeneration "))
        #expect(run.output.contains("\t1 rejected value\t0 broken files\t1 rejected version\t0 behind\t"))
        let process = try #require(try live("ps", "--json", "--domain", "com.example.live").objects.first)
        #expect(process["pid"] as? Int == Int(pid))
        #expect(process["rejected"] as? [String] == ["http.port"])
        #expect(try live("ps", "--domain", "com.example.other").output == "")
    }

    @Test func `all processes are asked at the same time`() throws {
        let children = try (0..<6).map { _ in
            try Process.run(URL(filePath: "/bin/sleep"), arguments: ["600"])
        }
        defer { for child in children { child.terminate() } }
        let folder = "\(sockets.root)/prefs/com.example.slow"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let listeners = try children.map { child in
            try StreamSocket.listening(at: "\(folder)/\(child.processIdentifier)")
        }
        // No process answers before all have been asked.
        Thread.detachNewThread {
            let connections = listeners.compactMap { listener in
                var events = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&events, 1, 60_000)
                return listener.acceptConnection()
            }
            for connection in connections {
                _ = connection.receive()
                let status =
                    #"{"domain":"com.example.slow","pid":1,"program":"x","generation":1,"keys":0,"#
                    + #""rejected":[],"locks":0,"sources":[]}"#
                _ = connection.send(Array("{\"version\":1,\"status\":\(status)}\n".utf8))
            }
        }
        let run = try live("ps", "--domain", "com.example.slow")
        #expect(run.status == 0 && run.lines.count == 6, "\(run)")
    }

    @Test func `processes that answer nothing are named, and keep nobody else from being listed`() throws {
        let children = try (0..<3).map { _ in
            try Process.run(URL(filePath: "/bin/sleep"), arguments: ["600"])
        }
        defer { for child in children { child.terminate() } }
        let folder = "\(sockets.root)/prefs/com.example.hung"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pids = children.map { "\($0.processIdentifier)" }
        let listeners = try pids.map { try StreamSocket.listening(at: "\(folder)/\($0)") }
        let run = try live("ps")
        #expect(run.status == 6 && run.output.hasPrefix("\(pid)\tcom.example.live\t"), "\(run)")
        let doctor = try live("doctor", "--domain", "com.example.hung")
        for pid in pids {
            let sentence = "process \(pid) (com.example.hung) does not answer"
            #expect(run.errors.contains(sentence), "\(run)")
            #expect(doctor.output.contains(sentence), "\(doctor)")
        }
        #expect(doctor.status == 1 && !doctor.output.contains("No problems found"), "\(doctor)")
        for command in [["get", "a", "--default", "x"], ["set", "a", "1"], ["explain", "a"]] {
            let run = try sandbox.run(
                Sandbox.tool, command + ["--domain", "com.example.hung"],
                environment: ["XDG_RUNTIME_DIR": sockets.root])
            #expect(run.status == 0, "\(run)")
            for pid in pids {
                #expect("\(run)".contains("process \(pid) (com.example.hung) does not answer"))
            }
        }
        withExtendedLifetime(listeners) {}
    }

    @Test func `a value is the one that the process uses`() throws {
        #expect(try live("get", "http.port", "--pid", pid).output == "8080\n")
        try user.setValue(9090, forKey: "http.port")
        #expect(try live("get", "http.port", "--pid", pid).output == "9090\n")
        #expect(try live("list", "--pid", pid).lines == ["http.port\t9090\tuser", "token\t••••\tdefault"])
    }

    /// Values of every type, with strings that a shell or a description would change.
    static let values: [PrefsValue] = [
        "plain", "with spaces", "it's \"quoted\"", "", "8080", "true", "ü\nline", 42, -1, 0.5, true,
        .date(Date(timeIntervalSince1970: 1_700_000_000)), .data(Data([0, 1, 255])), ["a", 1],
        ["entry": ["nested": 1.5]],
    ]

    @Test(arguments: values)
    func `a value that get prints is stored as the same by set`(value: PrefsValue) throws {
        try user.setValue(value, forKey: "copied")
        let printed = try live("get", "copied", "--pid", pid)
        #expect(printed.status == 0, "\(printed)")
        let text = String(printed.output.dropLast())
        let type: [PrefsValue.Kind: String] = [.integer: "int", .dictionary: "dict"]
        let stored = try sandbox.layered(
            "set", "copied", "--type", type[value.kind] ?? value.kind.rawValue, "--", text)
        #expect(stored.status == 0, "\(stored)")
        #expect(try sandbox.layered("get", "copied").output == printed.output)
        let content = try PrefsDocument(parsing: Array(try sandbox.text(of: sandbox.user).utf8)).content
        #expect(content["copied"] == value)
    }

    @Test func `a prefix is explained key by key`() throws {
        let run = try live("explain", "http", "--pid", pid)
        #expect(run.status == 0, "\(run)")
        #expect(run.lines.first == "http.port", "\(run)")
    }

    @Test func `an explanation shows what the process rejected`() async throws {
        try user.setValue(99999, forKey: "http.port")
        await storage.settled()
        let run = try live("explain", "http.port", "--pid", pid)
        #expect(run.lines.first == "http.port")
        #expect(run.lines.contains { $0.contains("default") && $0.contains("effective") }, "\(run)")
        #expect(run.lines.contains { $0.contains("user") && $0.contains("rejected since") }, "\(run)")
        #expect(run.lines.last == "  a restart would use the same value", "\(run)")
        let object = try live("explain", "http.port", "--pid", pid, "--json").object
        #expect((object["layers"] as? [[String: Any]])?.map { $0["layer"] as? String } == ["default"])
        #expect((object["rejected"] as? [Any])?.count == 1)
        for command in ["get", "list"] {
            let warned = try live(command, "http.port", "--pid", pid)
            #expect(warned.errors.components(separatedBy: "http.port: expected").count == 2, "\(warned)")
        }
    }

    @Test func `a secret is not printed`() throws {
        try user.setValue("hunter2", forKey: "token")
        for command in [["get", "token"], ["list"], ["explain", "token"], ["get", "token", "--json"]] {
            let arguments = command + ["--pid", pid]
            let run = try sandbox.run(
                Sandbox.tool, arguments, environment: ["XDG_RUNTIME_DIR": sockets.root])
            #expect(!"\(run)".contains("hunter2"), "\(arguments)")
        }
    }

    @Test func `an entry of a declared dictionary is read and watched through it`() async throws {
        let limits = PersistentKey("limits", defaultValue: [String: Int]())
        let inspection = try storage.serveInspection(
            domain: "com.example.limits", keys: [PrefsKeyDescription(limits)], in: "\(sockets.root)/prefs")
        defer { inspection.close() }
        let process = ["--pid", pid, "--domain", "com.example.limits"]
        func live(_ words: String...) throws -> Run {
            try sandbox.run(Sandbox.tool, words + process, environment: ["XDG_RUNTIME_DIR": sockets.root])
        }
        try user.setValue(["cpu": 2], forKey: "limits")
        #expect(try live("get", "limits.cpu").output == "2\n")
        #expect(try live("get", "limits.memory").status == 1)
        #expect(try live("explain", "limits.cpu").lines.first?.hasPrefix("limits.cpu") == true)
        let watch = try WatchRun(
            sandbox, ["limits.cpu"] + process, environment: ["XDG_RUNTIME_DIR": sockets.root])
        try watch.waitUntilReady()
        try user.setValue(9090, forKey: "http.port")
        try user.setValue(["cpu": 3], forKey: "limits")
        let change = try watch.change()
        #expect(change["key"] as? String == "limits" && change["new"] as? String == "{\"cpu\": 3}")
        await storage.settled()
        #expect(try live("history", "limits.cpu").output.contains(" limits: {\"cpu\": 2} → {\"cpu\": 3}"))
    }

    @Test func `a process that serves no inspection is reported`() throws {
        let run = try live("get", "http.port", "--pid", "1")
        #expect(run.status == 1)
        #expect(run.errors == "prefs: process 1 serves no inspection; 'prefs ps' lists those that do\n")
    }

    @Test func `the only process of a domain is found`() throws {
        #expect(try live("get", "http.port", "--live", "--domain", "com.example.live").output == "8080\n")
        let none = try live("get", "http.port", "--live", "--domain", "com.example.none")
        #expect(none.status == 1)
        #expect(none.errors == "prefs: no running process of com.example.none serves inspection\n")
        #expect(try live("history").status == 2)
    }

    @Test func `the history shows values and causes`() async throws {
        try user.setValue(9090, forKey: "http.port")
        try user.setValue("hunter2", forKey: "token")
        await storage.settled()
        let run = try live("history", "--pid", pid)
        #expect(run.lines.count == 2, "\(run)")
        #expect(run.lines.first?.hasSuffix(" http.port: 8080 → 9090 (user), write") == true)
        #expect(run.lines.last?.contains("token: •••• → ••••") == true)
        #expect(try live("history", "token", "--pid", pid).lines.count == 1)
        let sets = try live("history", "--json", "--pid", pid).objects
        let changes = sets.first?["changes"] as? [[String: Any]]
        #expect(changes?.first?["key"] as? String == "http.port")
    }

    @Test func `an override is set, drifts and is removed`() throws {
        #expect(try live("drift", "--pid", pid).status == 0)
        #expect(try live("set", "http.port", "9191", "--pid", pid).status == 0)
        #expect(storage.value(forKey: "http.port") == 9191)
        let drift = try live("drift", "--pid", pid)
        #expect(drift.status == 1)
        #expect(drift.output == "http.port\t9191\t8080\tthe override in memory is lost\n")
        #expect(try live("unset", "http.port", "--pid", pid).status == 0)
        #expect(storage.value(forKey: "http.port") == nil)
        let wrong = try live("set", "http.port", "0", "--pid", pid)
        #expect(wrong.status == 3)
        #expect(wrong.errors.contains("1...65535"))
        #expect(try live("set", "http.port", "1", "--pid", pid, "--to", "user").status == 2)
        #expect(try live("reload", "--pid", pid).status == 0)
    }

    @Test func `the keys that were read are listed with source lines`() throws {
        let rejected = try live("reads", "--pid", pid)
        #expect(rejected.status != 0 && rejected.errors.contains("does not record its reads"), "\(rejected)")
        storage.trackReads()
        try user.setValue(8443, forKey: "http.port")
        #expect(storage.get(PersistentKey("http.port", defaultValue: 80)) == 8443)
        let line = #line - 1
        let place = "PrefsCommandTests/LiveProcessTests.swift:\(line)"
        #expect(try live("reads", "--pid", pid).lines == ["http.port\t80\tuser\t\(place)"])
        let unread = try live("reads", "--unread", "--pid", pid)
        #expect(unread.lines.contains("token") && !unread.lines.contains("http.port"), "\(unread)")
        let object = try live("reads", "--json", "--pid", pid).object
        #expect((object["read"] as? [[String: Any]])?.first?["location"] as? String == place)
    }

    @Test func `the doctor examines a process`() throws {
        #expect(try live("doctor", "--pid", pid).status == 0)
        try user.setValue("many", forKey: "http.port")
        let run = try live("doctor", "--pid", pid)
        #expect(run.status == 1)
        #expect(run.output.contains("http.port: expected an integer"))
        let object = try live("doctor", "--json", "--pid", pid).object
        #expect((object["rejected"] as? [[String: Any]])?.first?["key"] as? String == "http.port")
    }

    @Test func `the doctor suggests a declared key in place of an unknown one`() throws {
        try user.setValue(9090, forKey: "http.prot")
        let run = try live("doctor", "--pid", pid)
        #expect(run.status == 1)
        #expect(
            run.output.contains("user: http.prot: unknown key; did you mean “http.port”?"),
            "\(run)")
        let object = try live("doctor", "--json", "--pid", pid).object
        #expect(object["undeclared"] as? [String] == ["http.prot"])
    }

    @Test func `changes are printed as the program reads them`() throws {
        let watch = try WatchRun(
            sandbox, ["--pid", pid], asText: true, environment: ["XDG_RUNTIME_DIR": sockets.root])
        try watch.wait(for: "watching process \(pid)")
        try change()
        var output = watch.output
        while !["http.port: 8080 → 9090 (user), write", "other: none → \"x\" (user), write"].allSatisfy(
            output.contains)
        {
            _ = try watch.line("the changes")
            output = watch.output
        }
        #expect(!watch.output.contains("many") && !watch.output.contains("hunter2"))
    }

    @Test func `changes are printed as objects`() throws {
        let watch = try WatchRun(
            sandbox, ["--pid", pid], environment: ["XDG_RUNTIME_DIR": sockets.root])
        try watch.waitUntilReady()
        try change()
        var changes: [String: [String: Any]] = [:]
        while changes.count < 3 {
            let change = try watch.change()
            changes[try #require(change["key"] as? String)] = change
        }
        #expect(changes["http.port"]?["old"] as? String == "8080")
        #expect(changes["http.port"]?["new"] as? String == "9090")
        #expect(changes["http.port"]?["origin"] as? String == "user")
        #expect(changes["token"]?["new"] is NSNull && changes["token"]?["secret"] as? Bool == true)
        #expect(changes["other"]?["cause"] as? String == "write")
    }

    @Test func `a watch ends when its output cannot be written`() throws {
        let line = "timeout 60 '\(Sandbox.tool)' watch --json --pid \(pid) > /dev/full"
        let run = try sandbox.run(
            "/bin/sh", ["-c", line], environment: ["XDG_RUNTIME_DIR": sockets.root])
        #expect(run.status == 3, "\(run)")
    }

    @Test(arguments: [SIGINT, SIGTERM], [false, true])
    func `a signal ends the watch with success`(signal: Int32, isText: Bool) throws {
        let watch = try WatchRun(
            sandbox, ["--pid", pid], asText: isText, environment: ["XDG_RUNTIME_DIR": sockets.root])
        try isText ? watch.wait(for: "watching process \(pid)") : watch.waitUntilReady()
        #expect(watch.end(signal) == 0)
    }

    @Test(
        arguments: [
            ["get", "http.port", "--type", "real"], ["get", "none", "--default", "x"],
            ["list", "--type", "int"], ["list", "--commands"], ["watch", "--initial"],
        ])
    func `an option that has no effect on a process is rejected`(command: [String]) throws {
        let line = ["60", Sandbox.tool] + command
        for process in [["--pid", pid], ["--live", "--domain", "com.example.live"]] {
            let run = try sandbox.run(
                "/usr/bin/timeout", line + process, environment: ["XDG_RUNTIME_DIR": sockets.root])
            #expect(run.status == 2 && run.errors.contains("cannot be combined with --pid"), "\(run)")
        }
    }

    /// Changes a declared key, a secret, and a key that is not declared.
    private func change() throws {
        try user.setValue("many", forKey: "http.port")
        try user.setValue(9090, forKey: "http.port")
        try user.setValue("hunter2", forKey: "token")
        try user.setValue("x", forKey: "other")
    }
}
