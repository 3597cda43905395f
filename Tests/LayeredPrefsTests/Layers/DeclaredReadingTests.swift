import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Reads by keys with options come from the table, too. They must never return an outdated or a rejected value.
@Suite struct DeclaredReadingTests {
    private let low = DictionaryPrefsStorage()
    private let high = DictionaryPrefsStorage()
    private let storage: PrefsStack
    private let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    init() {
        let (diagnostics, reported, subscription) = Recorder<PrefsDiagnostic>.recording()
        (self.reported, self.subscription) = (reported, subscription)
        storage = PrefsStack(diagnostics: diagnostics) { [low, high] in
            PrefsLayer("low", low)
            PrefsLayer("high", high)
        }
    }

    private static let name = "reading.count"

    /// Keys with one option each, and an integer that the key rejects.
    private static let kinds: [(key: PersistentKey<Int>, rejected: PrefsValue)] = [
        (PersistentKey(name, defaultValue: 1, in: 0...100), 101),
        (PersistentKey(name, defaultValue: 1, .validate { $0 < 100 ? nil : "expected less" }), 101),
        (PersistentKey(name, defaultValue: 1, in: 0...100, .secret), 101),
        (PersistentKey(name, defaultValue: 1, in: 0..., .formerly("count")), -1),
        (PersistentKey(name, defaultValue: 1, in: 0..., .environmentName("COUNT")), -1),
    ]

    /// Returns a key's value and thereby makes this thread cache it.
    private func read<Value: Equatable>(
        _ key: PersistentKey<Value>, in storage: PrefsStack? = nil
    ) -> Value {
        let storage = storage ?? self.storage
        let value = storage.get(key)
        #expect(storage.get(key) == value)
        let kept = key.lookup.flatMap { key.value(of: storage.keptValue(of: $0)) }
        #expect(kept == value, "the read is not answered from the table")
        return value
    }

    @Test(arguments: 0..<kinds.count) func `the next read returns the new value after every kind of change`(
        _ kind: Int
    ) throws {
        let (key, rejected) = Self.kinds[kind]
        #expect(read(key) == 1)
        try low.setValue(2, forKey: key.id)
        #expect(read(key) == 2)
        high.update { $0["reading"] = ["count": 3] }
        #expect(read(key) == 3)
        storage.lock("reading", at: "low")
        #expect(read(key) == 2)
        storage.unlock("reading", at: "low")
        #expect(read(key) == 3)
        for wrong in [rejected, "no integer"] {
            high.update { $0["reading"] = ["count": wrong] }
            // The key keeps its previous value.
            #expect(storage.get(key) == 3)
            #expect(storage.get(key) == 3)
        }
        high.update { $0 = [:] }
        #expect(read(key) == 2)
        storage.withOverrides([key.id: 4]) { #expect(storage.get(key) == 4) }
        low.update { $0 = [:] }
        #expect(read(key) == 1)
    }

    @Test func `a value that a kept key comes to reject is reported once, and its recovery`() throws {
        let key = Self.kinds[0].key
        high.update { $0 = [Self.name: 3] }
        #expect(read(key) == 3)
        high.update { $0 = [Self.name: 101] }
        for _ in 0..<3 { #expect(storage.get(key) == 3) }
        high.update { $0 = [Self.name: 4] }
        #expect(read(key) == 4)
        #expect(reported.elements.map(\.severity) == [.error, .recovered])
        #expect(
            reported.elements.first?.error.reason
                == "expected 0...100, found the integer 101; keeping the previous value")
    }

    @Test func `keys of one name validate each for itself`() {
        let (ranged, plain) = (Self.kinds[0].key, PersistentKey(Self.name, defaultValue: 2))
        high.update { $0 = [Self.name: 200] }
        for _ in 0..<2 {
            #expect(read(plain) == 200)
            #expect(storage.get(ranged) == 1)
        }
    }

    @Test func `a validation is called at each read`() {
        let limit = Lock(10)
        let calls = Tally()
        let key = PersistentKey(
            Self.name, defaultValue: 1,
            .validate { value in
                calls.add()
                return value < limit.withLock { $0 } ? nil : "too much"
            })
        high.update { $0 = [Self.name: 5] }
        #expect(read(key) == 5)
        let before = calls.count
        #expect(storage.get(key) == 5)
        #expect(calls.count == before + 1)
        limit.withLock { $0 = 3 }
        #expect(storage.get(key) == 1)
    }

    @Test func `a former name follows its own changes`() throws {
        let key = PersistentKey("log.level", defaultValue: "info", .formerly("log", "verbosity"))
        #expect(read(key) == "info")
        try low.setValue("a", forKey: "verbosity")
        #expect(read(key) == "a")
        try low.setValue("b", forKey: "log")
        #expect(read(key) == "b")
        try low.setValue(["level": "c", "file": "x"], forKey: "log")
        #expect(read(key) == "c")
        try high.setValue("d", forKey: "verbosity")
        #expect(read(key) == "d")
        storage.lock("log", at: "low")
        #expect(read(key) == "c")
        storage.unlock("log", at: "low")
        high.update { $0 = [:] }
        low.update { $0 = ["log": ["file": "x"]] }
        #expect(read(key) == "info")
    }

    @Test func `keys with other former names are other lookups`() throws {
        let first = PersistentKey("a", defaultValue: 0, .formerly("b"))
        let second = PersistentKey("a", defaultValue: 0, .formerly("c"))
        let third = PersistentKey("a", defaultValue: 0)
        low.update { $0 = ["b": 1, "c": 2] }
        for _ in 0..<2 {
            #expect(read(first) == 1)
            #expect(read(second) == 2)
            #expect(read(third) == 0)
        }
    }

    @Test func `text is parsed by each key`() throws {
        let stack = PrefsStack(diagnostics: .silent) { [low, high] in
            PrefsLayer("low", low)
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_",
                    environment: ["MYD_COUNT": "7", "PORT": "8", "MYD_PAUSE": "2m", "MYD_WRONG": "many"]))
            PrefsLayer("high", high)
        }
        let count = PersistentKey("count", defaultValue: 1)
        let ranged = PersistentKey("count", defaultValue: 1, in: 0...5)
        let text = PersistentKey("count", defaultValue: "")
        let port = PersistentKey("port", defaultValue: 1, .environmentName("PORT"))
        let pause = PersistentKey("pause", defaultValue: Duration.zero)
        let wrong = PersistentKey("wrong", defaultValue: 1)
        low.update { $0 = ["wrong": 9, "count": 3] }
        #expect(read(count, in: stack) == 7)
        #expect(read(text, in: stack) == "7")
        #expect(stack.get(ranged) == 3)
        #expect(read(port, in: stack) == 8)
        #expect(read(pause, in: stack) == .seconds(120))
        #expect(stack.get(wrong) == 9)
        try high.setValue(4, forKey: "count")
        #expect(read(count, in: stack) == 4)
        #expect(read(ranged, in: stack) == 4)
    }

    @Test func `a flag is read as the type of the key`() {
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer(
                .arguments, ArgumentsPrefsStorage(["--tracing", "next", "--level", "3"], style: .flags))
        }
        let tracing = PersistentKey("tracing", defaultValue: false)
        let next = PersistentKey("tracing", defaultValue: "")
        for _ in 0..<2 {
            #expect(read(next, in: stack) == "next")
            #expect(read(tracing, in: stack))
            #expect(read(PersistentKey("level", defaultValue: 0), in: stack) == 3)
        }
    }

    @Test func `a secret in a file is found although another key has looked in vain`() throws {
        let sandbox = try PrefsSandbox()
        let file = sandbox.root + "/token"
        try sandbox.write("first", to: file)
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer(
                .environment, EnvironmentPrefsStorage(prefix: "MYD_", environment: ["MYD_TOKEN_FILE": file]))
        }
        #expect(read(PersistentKey("token", defaultValue: "none"), in: stack) == "none")
        let secret = PersistentKey("token", defaultValue: "none", .secret)
        #expect(read(secret, in: stack) == "first")
        try sandbox.write("second", to: file)
        stack.reload()
        #expect(read(secret, in: stack) == "second")
    }

    @Test func `the options of a key that is created for one read are not applied`() {
        let applied = Tally()
        let option = PersistentKeyOption<Int> { _ in applied.add() }
        high.update { $0 = [Self.name: 3] }
        #expect(read(PersistentKey(Self.name, defaultValue: 1, in: 0...100)) == 3)
        #expect(storage.get(PersistentKey(Self.name, defaultValue: 1, in: 0...100, option)) == 3)
        #expect(applied.count == 0)
        let key = PersistentKey(Self.name, defaultValue: 1, in: 0...100, option)
        #expect(key.traits.validate?(101) != nil && key.traits.validate?(100) == nil)
        #expect(applied.count == 1)
    }

    @Test func `a dictionary that merges deeply is merged once`() {
        let decoded = Tally()
        let key = PersistentKey(
            "limits", defaultValue: 0,
            coding: ClosurePrefsCoding<Int, [String: Int]>(
                encode: { ["count": $0] },
                decode: {
                    decoded.add()
                    return $0.values.reduce(0, +)
                }), .merge(.deep))
        low.update { $0 = ["limits": ["a": 1]] }
        high.update { $0 = ["limits": ["b": 2]] }
        #expect(storage.get(key) == 3)
        let before = decoded.count
        #expect(storage.get(key) == 3)
        #expect(decoded.count == before)
        high.update { $0 = ["limits": ["b": 3]] }
        #expect(storage.get(key) == 4)
    }

    @Test(arguments: [false, true]) func `an observer decodes each value once, under locks as well`(
        isLocked: Bool
    ) async throws {
        let decoded = Tally()
        let key = PersistentKey(
            Self.name, defaultValue: 0,
            coding: ClosurePrefsCoding<Int, Int>(
                encode: { $0 },
                decode: {
                    decoded.add()
                    return $0
                }))
        if isLocked { storage.lock("other", at: "low") }
        let values = Recorder<[Int]>()
        let observation = storage.observe(key) { values.record([$0.old.value, $0.new.value]) }
        try high.setValue(1, forKey: key.id)
        await storage.settled()
        let before = decoded.count
        try high.setValue(2, forKey: key.id)
        await storage.settled()
        #expect(values.elements == [[0, 1], [1, 2]])
        // The write, the check and the delivery decode once each; the delivery knows the old value.
        #expect(decoded.count - before == 3)
        observation.cancel()
    }
}
