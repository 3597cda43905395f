import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

@Suite struct FieldWritingTests {
    @Test func `writing a struct stores the fields that differ from the layers below`() throws {
        let stack = try Stack(system: ["server": ["timeout": "1m", "tls": ["minimum": "1.3"]]])
        var options = stack.storage.get(.server)
        options.host = "a"
        options.tls.certificate = "/c"
        #expect(try stack.storage.set(.server, to: options, in: .user) == .effective)
        #expect(stack.user.snapshot.dictionary == ["server": ["host": "a", "tls": ["certificate": "/c"]]])
        #expect(stack.storage.get(.server) == options)
        #expect(try stack.storage.set(.server, to: options, in: .user) == .effective)
        #expect(stack.user.snapshot.dictionary == ["server": ["host": "a", "tls": ["certificate": "/c"]]])
    }

    @Test func `a field that equals the value below is removed, and unknown fields stay`() throws {
        let stack = try Stack(
            user: ["server": ["host": "a", "tls": ["minimum": "1.3", "cipher": "x"], "extra": 1]])
        var options = stack.storage.get(.server)
        options.host = "::"
        options.tls.minimum = "1.2"
        try stack.storage.set(.server, to: options, in: .user)
        #expect(stack.user.snapshot.dictionary == ["server": ["tls": ["cipher": "x"], "extra": 1]])
        #expect(stack.storage.get(.server) == ServerOptions())
    }

    @Test func `a field that becomes nil hides the value below`() throws {
        let stack = try Stack(
            system: ["server": ["tls": ["certificate": "/s"]]],
            user: ["server": ["backup": ["minimum": "1.0"]]])
        var options = stack.storage.get(.server)
        #expect(options.tls.certificate == "/s")
        options.tls.certificate = nil
        options.backup = nil
        try stack.storage.set(.server, to: options, in: .user)
        #expect(stack.user.snapshot.dictionary == ["server": ["tls": ["certificate": "$null"]]])
        #expect(stack.storage.get(.server) == options)
    }

    @Test func `arrays, dictionaries and payloads are written as a whole`() throws {
        let stack = try Stack(system: ["server": ["labels": ["a": 1], "ports": [1, 2]]])
        var options = stack.storage.get(.server)
        options.labels["b"] = 2
        options.ports = [1]
        options.target = .relay(host: "h")
        try stack.storage.set(.server, to: options, in: .user)
        #expect(
            stack.user.snapshot.dictionary == [
                "server": [
                    "labels": ["a": 1, "b": 2], "ports": [1], "target": ["relay": ["host": "h"]],
                ]
            ])
        #expect(stack.storage.get(.server) == options)
    }

    @Test func `a transaction stores the fields that differ, too`() throws {
        let stack = try Stack(system: ["server": ["timeout": "1m"]], locking: ["server.timeout"])
        var options = stack.storage.get(.server)
        options.host = "a"
        try stack.storage.transaction { transaction in
            transaction.set(.server, to: options, in: .user)
            transaction.setValue(1, forKey: "other", in: .user)
        }
        #expect(stack.user.snapshot.dictionary == ["server": ["host": "a"], "other": 1])
        #expect(stack.storage.get(.server) == options)
    }

    @Test func `other writes of a transaction are taken into account`() throws {
        let stack = try Stack(user: ["server": ["host": "a"]])
        let options = stack.storage.get(.server)
        try stack.storage.transaction { transaction in
            transaction.removeValue(forKey: "server", in: .user)
            transaction.set(.server, to: options, in: .user)
        }
        #expect(stack.storage.get(.server) == options)
    }

    @Test func `a struct that is spelled literally is edited there`() throws {
        let stack = try Stack(user: ["mail.server": ["host": "a", "extra": 1], "mail": ["other": 1]])
        let key = PersistentKey("mail.server", defaultValue: ServerOptions())
        var options = stack.storage.get(key)
        options.timeout = .seconds(1)
        #expect(try stack.storage.set(key, to: options, in: .user) == .effective)
        #expect(
            stack.user.snapshot.dictionary == [
                "mail.server": ["host": "a", "extra": 1, "timeout": "1s"], "mail": ["other": 1],
            ])
        #expect(stack.storage.get(key) == options)
    }

    @Test func `a literal struct that loses its last field shows no nested one`() throws {
        let stack = try Stack(user: ["mail.server": ["timeout": "1s"], "mail": ["server": ["host": "a"]]])
        let key = PersistentKey("mail.server", defaultValue: ServerOptions())
        #expect(stack.storage.get(key) == ServerOptions(timeout: .seconds(1)))
        #expect(try stack.storage.set(key, to: ServerOptions(), in: .user) == .effective)
        #expect(stack.user.snapshot.dictionary == [:])
        #expect(stack.storage.get(key) == ServerOptions())
    }

    @Test func `fields under a former name are kept under the present one`() throws {
        let stack = try Stack(user: ["old": ["host": "a"]])
        let key = PersistentKey("server", defaultValue: ServerOptions(), .formerly("old"))
        var options = stack.storage.get(key)
        #expect(options.host == "a")
        options.timeout = .seconds(1)
        try stack.storage.set(key, to: options, in: .user)
        #expect(stack.storage.get(key) == options)
    }

    @Test func `a locked field cannot be changed, the others can`() throws {
        let stack = try Stack(system: ["server": ["host": "s"]], locking: ["server.host"])
        var options = stack.storage.get(.server)
        options.timeout = .seconds(1)
        try stack.storage.set(.server, to: options, in: .user)
        #expect(stack.user.snapshot.dictionary == ["server": ["timeout": "1s"]])
        options.host = "u"
        let error = #expect(throws: PrefsError.self) {
            try stack.storage.set(.server, to: options, in: .user)
        }
        #expect(error?.code == .locked)
        #expect(stack.user.snapshot.dictionary == ["server": ["timeout": "1s"]])
    }

    @Test func `a higher layer shadows a written field`() throws {
        let stack = try Stack()
        try stack.storage.set(.server, to: ServerOptions(host: "o"), in: .overrides)
        let outcome = try stack.storage.set(.server, to: ServerOptions(host: "u"), in: .user)
        #expect(stack.storage.get(.server).host == "o")
        guard case .shadowed(let origin) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(origin.layer == "overrides")
    }

    @Test func `a struct that replaces a non-dictionary is effective if no field above differs`() throws {
        let stack = try Stack(user: ["server": "off"])
        try stack.storage.setValue(["host": "o"], forKey: "server", in: .overrides)
        #expect(try stack.storage.set(.server, to: ServerOptions(host: "o"), in: .user) == .effective)
        #expect(stack.storage.get(.server) == ServerOptions(host: "o"))
    }

    @Test func `a struct that other layers make invalid is not written`() throws {
        let stack = try Stack(
            system: ["server": ["labels": "off"]], user: ["server": ["timeout": "1000s"]])
        let key = PersistentKey(
            "server", defaultValue: ServerOptions(),
            .validate { $0.timeout < .seconds(100) ? nil : "expected a short timeout" })
        var options = ServerOptions()
        options.labels = ["b": 1]
        for isRead in [false, true] {
            if isRead { #expect(stack.storage.get(key) == ServerOptions()) }
            let error = #expect(throws: PrefsError.self) {
                try stack.storage.set(key, to: options, in: .overrides)
            }
            #expect(error?.key == "server" && error?.origin?.layer == "overrides")
            #expect(throws: PrefsError.self) {
                try stack.storage.transaction { $0.set(key, to: options, in: .overrides) }
            }
            #expect(stack.storage.value(forKey: "server.labels") == "off")
        }
    }

    @Test func `a struct that differs nowhere is not written to a broken file`() throws {
        let sandbox = try PrefsSandbox()
        let path = sandbox.root + "/prefs.json"
        try sandbox.write(#"{"server": }"#, to: path)
        let storage = PrefsStack { PrefsLayer(.user, FilePrefsStorage(path: path)) }
        let options = storage.get(.server)
        let error = #expect(throws: PrefsError.self) { try storage.set(.server, to: options, in: .user) }
        #expect(error?.code == .broken && error?.origin?.file == path)
        #expect(throws: PrefsError.self) {
            try storage.transaction { $0.set(.server, to: options, in: .user) }
        }
        try sandbox.write("{}", to: path)
        #expect(try storage.set(.server, to: options, in: .user) == .effective)
        #expect(try PrefsFileReader.read(path)?.bytes == Array("{}".utf8))
    }

    @Test func `what stands in a file stays as it is written`() throws {
        let sandbox = try PrefsSandbox()
        let path = sandbox.root + "/prefs.json"
        try sandbox.write(#"{"server": { "host": "a",   "extra": 1, "timeout": "60s" }}"#, to: path)
        let storage = PrefsStack { PrefsLayer(.user, FilePrefsStorage(path: path)) }
        var options = storage.get(.server)
        options.host = "b"
        try storage.set(.server, to: options, in: .user)
        let written = try #require(try PrefsFileReader.read(path)?.bytes)
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"server": { "host": "b",   "extra": 1, "timeout": "60s" }}"#)
    }
}
