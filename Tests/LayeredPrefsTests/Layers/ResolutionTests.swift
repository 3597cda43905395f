import LayeredPrefs
import LayeredPrefsTesting
import Testing

extension PersistentKey where Value == Int {
    static var port: Self {
        Self("http.port", defaultValue: 80, in: 1...65535)
    }
}

extension PersistentKey where Value == [String: Int] {
    static var limits: Self { Self("limits", defaultValue: [:]) }
}

extension PersistentKey where Value == String {
    static var level: Self { Self("log.level", defaultValue: "info") }
}

/// A stack of dictionaries, with a recorder of its diagnostics.
struct Stack {
    let system = DictionaryPrefsStorage()
    let user = DictionaryPrefsStorage()
    let overrides = DictionaryPrefsStorage()
    let storage: PrefsStack
    let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    init(
        system: [String: PrefsValue] = [:], user: [String: PrefsValue] = [:], locking locks: [String] = []
    ) throws {
        let diagnostics: PrefsDiagnosticHandler
        (diagnostics, reported, subscription) = Recorder.recording()
        self.system.update { $0 = system }
        self.user.update { $0 = user }
        storage = PrefsStack(diagnostics: diagnostics) {
            [system = self.system, user = self.user, overrides] in
            PrefsLayer(.system, system, locking: locks)
            PrefsLayer(.user, user)
            PrefsLayer(.overrides, overrides)
        }
    }
}

@Suite("Resolution")
struct ResolutionTests {
    @Test func `a key that no layer sets has its default`() throws {
        let stack = try Stack()
        #expect(stack.storage.get(.port) == 80)
        #expect(stack.storage.resolution(for: .port).isDefault)
        #expect(stack.storage.resolution(for: .port).origin == nil)
    }

    @Test func `the highest layer wins and lists the shadowed candidates`() throws {
        let stack = try Stack(system: ["http": ["port": 8080]], user: ["http": ["port": 9090]])
        let resolution = stack.storage.resolution(for: .port)
        #expect(resolution.value == 9090)
        #expect(resolution.origin?.layer == "user")
        #expect(resolution.shadowed.map(\.value) == [8080])
    }

    @Test(arguments: [
        ["http.port": 1] as [String: PrefsValue],
        ["http": ["port": 1]],
        ["http": ["port": 2], "http.port": 1],
    ])
    func `a path is a literal key or else nested`(_ content: [String: PrefsValue]) throws {
        #expect(try Stack(user: content).storage.get(.port) == 1)
    }

    @Test(arguments: [
        ["a.b": ["c": 1]] as [String: PrefsValue], ["a.b.c": 1], ["a.b": ["c": 2], "a.b.c": 1],
        ["a": ["b": 2], "a.b": ["c": 1]], ["a": ["b": 2], "a.b": [:], "a.b.c": 1],
    ])
    func `a literal key may be the beginning of a path`(_ content: [String: PrefsValue]) throws {
        #expect(try Stack(user: content).storage.snapshot["a.b.c"] == 1)
    }

    @Test(arguments: [
        ["http": 5, "http.port": 1] as [String: PrefsValue],
        ["http": 5, "http.tls": ["x": 1], "http.port": 1],
    ])
    func `nothing lies behind what is no dictionary`(_ content: [String: PrefsValue]) throws {
        let stack = try Stack(user: content)
        #expect(stack.storage.get(.port) == 80)
        let rejected = stack.storage.resolution(for: .port).rejected
        #expect(rejected.map(\.reason) == ["expected a dictionary, found an integer at http"])
        #expect(stack.storage.snapshot["http.tls.x"] == nil)
        #expect(stack.storage.snapshot.dictionary == ["http": 5])
    }

    @Test(arguments: [
        ["a": ["b.c": 1]] as [String: PrefsValue],
        ["a": ["b": ["c.": 1]]],
    ])
    func `a dot in a deeper key is an ordinary character`(_ content: [String: PrefsValue]) throws {
        #expect(try Stack(user: content).storage.snapshot.candidates(forKey: "a.b.c").isEmpty)
    }

    @Test func `layers merge by key path`() throws {
        let stack = try Stack(
            system: ["http": ["host": "a", "port": 1]], user: ["http": ["port": 2], "http.workers": 3])
        #expect(stack.storage.snapshot["http"] == ["host": "a", "port": 2, "workers": 3])
        #expect(stack.storage.snapshot.dictionary == ["http": ["host": "a", "port": 2, "workers": 3]])
    }

    @Test func `a key declared as a dictionary is replaced as a whole`() throws {
        let stack = try Stack(system: ["limits": ["a": 1, "b": 2]], user: ["limits": ["b": 3]])
        #expect(stack.storage.get(.limits) == ["b": 3])
    }

    @Test(
        arguments: [
            ("many", "expected an integer, found the string \"many\""),
            (8080.0, "expected an integer, found the real 8080.0"),
            (true, "expected an integer, found the boolean true"),
            ("8080", "expected an integer, found the string \"8080\""),
            (70000, "expected 1...65535, found the integer 70000"),
        ] as [(PrefsValue, String)])
    func `a rejected value counts as absent`(_ value: PrefsValue, reason: String) throws {
        let stack = try Stack(system: ["http": ["port": 8080]], user: ["http": ["port": value]])
        let resolution = stack.storage.resolution(for: .port)
        #expect(resolution.value == 8080)
        #expect(resolution.origin?.layer == "system")
        #expect(resolution.rejected.map(\.reason) == [reason])
        #expect(resolution.rejected.map(\.key) == ["http.port"])
    }

    @Test func `a non-dictionary does not hide keys below it in lower layers`() throws {
        let stack = try Stack(system: ["http": ["port": 8080]], user: ["http": 5])
        let resolution = stack.storage.resolution(for: .port)
        #expect(resolution.value == 8080)
        #expect(resolution.rejected.map(\.reason) == ["expected a dictionary, found an integer at http"])
        #expect(stack.storage.snapshot["http"] == 5)
    }

    @Test func `a bad version is reported once and its recovery once`() throws {
        let stack = try Stack(user: ["http.port": "many"])
        for _ in 1...3 { #expect(stack.storage.get(.port) == 80) }
        stack.user.update { $0["other"] = 1 }
        #expect(stack.reported.elements.map(\.severity) == [.error])
        stack.user.update { $0["http.port"] = "more" }
        stack.user.update { $0["http.port"] = 1 }
        #expect(stack.reported.elements.map(\.severity) == [.error, .error, .recovered])
        #expect(stack.reported.elements.allSatisfy { $0.error.key == "http.port" })
    }

    @Test func `a snapshot is immutable`() throws {
        let stack = try Stack(user: ["http.port": 1])
        let before = stack.storage.snapshot
        stack.user.update { $0["http.port"] = 2 }
        #expect(before.get(.port) == 1)
        #expect(stack.storage.snapshot.get(.port) == 2)
        #expect(before.generation < stack.storage.snapshot.generation)
    }

    @Test func `a stack can be a layer of another stack`() throws {
        let inner = try Stack(system: ["http.port": 1], user: ["http.port": 2], locking: ["http"])
        let outer = PrefsStack {
            PrefsLayer.defaults(["http.port": 0, "log.level": "debug"])
            PrefsLayer("site", inner.storage)
            PrefsLayer("top", DictionaryPrefsStorage(values: ["http.port": 3]))
        }
        #expect(outer.get(.port) == 1)
        #expect(outer.resolution(for: .port).origin?.layer == "site.system")
        #expect(outer.get(.level) == "debug")
        inner.system.update { $0["http.port"] = 4 }
        #expect(outer.get(.port) == 4)
    }

    @Test func `a stack without layers has only defaults`() {
        let storage = PrefsStack {}
        #expect(storage.get(.port) == 80)
        #expect(throws: PrefsError.self) { try storage.setValue(1, forKey: "http.port") }
    }
}
