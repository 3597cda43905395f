@testable import PrefsDocuments
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    static var minimum: Self { Self("pool.minimum", defaultValue: 1) }
    static var maximum: Self { Self("pool.maximum", defaultValue: 10) }
}

extension PersistentKey where Value == String {
    static var renamed: Self {
        Self("log.level", defaultValue: "info", .formerly("verbosity"))
    }
}

@Suite("Declared keys")
struct DeclaringTests {
    @Test func `an unknown key is reported once with the most similar name`() throws {
        let stack = try Stack(user: ["http": ["prot": 1], "limits": ["any": 1], "zzz": 1])
        stack.storage.declare([PrefsKeyName("http.port"), PrefsKeyName("limits")])
        stack.storage.reportUnknownKeys()
        stack.storage.reportUnknownKeys()
        let received = stack.reported.elements
        #expect(received.allSatisfy { $0.severity == .warning && $0.error.code == .unknownKey })
        #expect(
            Dictionary(uniqueKeysWithValues: received.map { ($0.error.key ?? "", $0.error.reason) }) == [
                "http.prot": "unknown key; did you mean “http.port”?",
                "zzz": "unknown key",
            ])
    }

    @Test func `a layer without the present name is read by the former name`() throws {
        let stack = try Stack(system: ["verbosity": "debug"], user: [:])
        #expect(stack.storage.get(.renamed) == "debug")
        stack.system.update { $0["log"] = ["level": "error"] }
        #expect(stack.storage.get(.renamed) == "error")
        stack.user.update { $0["verbosity"] = "trace" }
        #expect(stack.storage.get(.renamed) == "trace")
    }

    @Test func `a constraint is reported at the start, and must hold from the next edit on`() throws {
        let stack = try Stack(
            system: ["pool": ["maximum": 5]], user: ["pool": ["minimum": 7, "maximum": 6]])
        stack.storage.constrain(.minimum, .maximum) {
            $0 <= $1 ? nil : "expected the minimum below the maximum"
        }
        #expect(stack.storage.get(.minimum) == 7 && stack.storage.get(.maximum) == 6)
        #expect(stack.reported.elements.map(\.error.key) == ["pool.minimum, pool.maximum"])
        #expect(throws: PrefsError.self) { try stack.storage.set(.minimum, to: 8, in: .user) }
        #expect(try stack.storage.set(.minimum, to: 6, in: .user) == .effective)
        #expect(stack.storage.get(.maximum) == 6)
        #expect(stack.reported.elements.map(\.severity) == [.error, .recovered])
    }
}

@Suite("Keys that map to one variable")
struct VariableClaimTests {
    private let first = PersistentKey<Int>("cache.size", defaultValue: 1)
    private let second = PersistentKey<Int>("cacheSize", defaultValue: 2)
    private let storage: PrefsStack
    private let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    init() {
        let (diagnostics, reported, subscription) = Recorder<PrefsDiagnostic>.recording()
        (self.reported, self.subscription) = (reported, subscription)
        storage = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_", environment: ["MYD_CACHE_SIZE": "7", "MYD_TOKEN": "many"]))
        }
    }

    @Test func `a variable sets the key that was declared first`() {
        #expect(storage.get(second) == 7)
        storage.declare(first)
        storage.declare(second)
        storage.declare(second)
        #expect(storage.get(first) == 7)
        #expect(storage.get(second) == 2)
        #expect(storage.snapshot.candidates(forKey: "cacheSize").isEmpty)
        #expect(storage.explanation(for: second).variables.isEmpty)
        #expect(
            reported.elements.map(\.description) == [
                "error: cacheSize: MYD_CACHE_SIZE already sets “cache.size”; give one of the keys another "
                    + "environment name"
            ])
    }

    @Test func `a change names a key that has lost its variable`() async {
        let changes = Recorder<PrefsChange<PrefsValue?>>()
        let observation = storage.observe(under: "cacheSize") { $0.changes.forEach(changes.record) }
        storage.declare(first)
        storage.declare(second)
        await storage.settled()
        #expect(changes.elements.map(\.old.value) == ["7"])
        #expect(changes.elements.map(\.new.value) == [nil])
        withExtendedLifetime(observation) {}
    }

    @Test func `another environment name avoids the collision`() {
        storage.declare(first)
        storage.declare(PersistentKey<Int>("cacheSize", defaultValue: 2, .environmentName("MYD_SIZE")))
        #expect(reported.elements.isEmpty)
    }

    @Test func `a former name has no variable that sets another key`() {
        let renamed = PersistentKey<Int>("cache.limit", defaultValue: 3, .formerly("cacheSize"))
        storage.declare(first)
        storage.declare(renamed)
        #expect(storage.get(first) == 7)
        #expect(storage.get(renamed) == 3)
        #expect(reported.elements.map(\.error.key) == ["cache.limit"])
    }

    @Test func `a key that is only read has its variable and takes it from no other`() {
        storage.declare(first)
        #expect(storage.get(second) == 7)
        let token = PersistentKey<Int>("token", defaultValue: 0)
        #expect(storage.get(token) == 0)
        storage.declare(PersistentKey<String>("TOKEN", defaultValue: ""))
        #expect(storage.get(PersistentKey<String>("TOKEN", defaultValue: "")) == "many")
        // Only the text that is not a number has been reported.
        #expect(reported.elements.map(\.error.key) == ["token"])
    }
}

@Suite("Scopes, migration and secret files")
struct ScopeTests {
    @Test func `scoped overrides are visible only in their own task and its child tasks`() async throws {
        let stack = try Stack(user: ["http.port": 1], locking: ["log.level"])
        let storage = stack.storage
        let (inner, child, detached) = await storage.withOverrides(["http.port": 2, "log.level": "x"]) {
            async let child = storage.get(.port)
            let detached = await Task.detached { storage.get(.port) }.value
            return (storage.get(.port), await child, detached)
        }
        #expect((inner, child, detached) == (2, 2, 1))
        #expect(storage.withOverrides(["log.level": "x"]) { storage.get(.level) } == "info")
        #expect(storage.get(.port) == 1)
        stack.user.update { $0["http.port"] = 3 }
        #expect(storage.get(.port) == 3)
    }

    @Test func `a task that outlives a scope has its overrides no more`() async throws {
        let storage = try Stack(user: ["http.port": 1]).storage
        let (hasEnded, end) = AsyncStream<Never>.makeStream()
        let task = storage.withOverrides(["http.port": 2]) {
            Task {
                for await _ in hasEnded {}
                return [storage.get(.port)]
                    + storage.withOverrides(["log.level": "x"]) { [storage.get(.port)] }
            }
        }
        end.finish()
        // Another scope is open at the same time.
        let values = await storage.withOverrides(["log.level": "x"]) { await task.value }
        #expect(values == [1, 1])
    }

    @Test func `the inner of two nested scopes wins`() throws {
        let stack = try Stack()
        let values = stack.storage.withOverrides(["http.port": 1]) {
            (
                stack.storage.withOverrides(["http.port": 2]) { stack.storage.get(.port) },
                stack.storage.get(.port)
            )
        }
        #expect(values == (2, 1))
    }

    @Test func `migration moves former names once`() throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["verbosity": "debug", "other": 1], to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        let storage = sandbox.standard(options: options)
        storage.declare(.renamed)
        #expect(storage.migrate() == [.user: ["verbosity"]])
        #expect(storage.migrate() == [:])
        #expect(storage.layer(.user)?.storage.snapshot.dictionary == ["log": ["level": "debug"], "other": 1])
        #expect(storage.get(.renamed) == "debug")
    }

    @Test func `a key declared twice is migrated once`() throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["verbosity": "debug"], to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        let storage = sandbox.standard(options: options)
        var secret = PersistentKey<String>.renamed
        secret.traits.isSecret = true
        storage.declare(.renamed)
        storage.declare(secret)
        #expect(storage.migrate() == [.user: ["verbosity"]])
        #expect(storage.get(.renamed) == "debug")
    }

    @Test func `a secret can come from a file`() throws {
        let sandbox = try PrefsSandbox()
        let path = "\(sandbox.root)/token"
        try sandbox.write("hush\n", to: path)
        try sandbox.write("psst", to: "\(sandbox.root)/credentials/http.password")
        let storage = PrefsStack {
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_",
                    environment: [
                        "MYD_TOKEN_FILE": path, "CREDENTIALS_DIRECTORY": "\(sandbox.root)/credentials",
                    ]))
        }
        var token = PersistentKey<String>("token", defaultValue: "")
        #expect(storage.get(token) == "")
        token.traits.isSecret = true
        #expect(storage.get(token) == "hush")
        var password = PersistentKey<String>("http.password", defaultValue: "")
        password.traits.isSecret = true
        #expect(storage.get(password) == "psst")
        #expect(!storage.explanation(for: password).description.contains("psst"))
    }
}
