import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Bool {
    fileprivate static var traces: Self {
        Self("debug.traces", defaultValue: true, .debugOnly(releaseValue: false))
    }
}

@Suite struct PersistentKeyOptionTests {
    @Test func `the range is checked first, then each validation`() {
        let key = PersistentKey(
            "port", defaultValue: 80, in: 1...,
            .validate { $0 % 2 == 0 ? nil : "expected an even number" },
            .validate { $0 < 10 ? nil : "expected a digit" })
        let answer = key.resolve(candidates: [-1, 11, 12, 8].map { PrefsCandidate(.integer($0)) })
        #expect(answer.value == 8)
        #expect(
            answer.rejections.map(\.reason) == [
                "expected 1..., found the integer -1",
                "expected an even number, found the integer 11", "expected a digit, found the integer 12",
            ])
    }

    @Test func `the error of a write says what it found, but of a secret only the type`() throws {
        func reason<Value>(of key: PersistentKey<Value>, _ value: Value) throws -> String {
            let storage = DictionaryPrefsStorage()
            let error = try #require(throws: PrefsError.self) { try storage.set(key, to: value) }
            let report = try PrefsStack { PrefsLayer.overrides }
                .transaction(writingOthers: true) { $0.set(key, to: value, in: .overrides) }
            #expect(report.failures.map(\.description) == [error.description])
            #expect(error.origin == nil && storage.snapshot.keys.isEmpty)
            return error.description
        }
        let autosave = PersistentKey(
            "autosave", defaultValue: Duration.seconds(60), in: .seconds(1) ... .seconds(3600))
        #expect(
            try reason(of: autosave, .seconds(7200)) == #"autosave: expected 1s...1h, found the string "2h""#)
        let even = PersistentKey(
            "n", defaultValue: 2, .validate { $0 % 2 == 0 ? nil : "expected an even number" })
        #expect(try reason(of: even, 3) == "n: expected an even number, found the integer 3")
        let pin = PersistentKey(
            "pin", defaultValue: "", .secret, .validate { "expected fewer digits than \($0)" })
        #expect(try reason(of: pin, "1234") == "pin: expected fewer digits than ••••, found a string")
        let name = PersistentKey<String?>("name", .validate { $0 == nil ? "expected a name" : nil })
        #expect(try reason(of: name, nil) == "name: expected a name")
    }

    @Test func `the last of several options of one kind counts`() {
        let key = PersistentKey("a", defaultValue: 0, .formerly("b"), .formerly("c", "d"))
        #expect(key.traits.formerNames == ["c", "d"])
    }

    @Test func `a key has its options whatever determines its coding`() {
        enum Level: String, Codable { case low }
        let traits: [(isSecret: Bool, needsRestart: Bool)] = [
            PersistentKey("a", defaultValue: 1, .secret, .needsRestart).isMarked,
            PersistentKey<Int?>("a", .secret, .needsRestart).isMarked,
            PersistentKey("a", defaultValue: 1, coding: Int.defaultPrefsCoding, .secret, .needsRestart)
                .isMarked,
            PersistentKey("a", .secret, .needsRestart, default: { 1 }).isMarked,
            PersistentKey("a", coding: Int.defaultPrefsCoding, .secret, .needsRestart, default: { 1 })
                .isMarked,
            PersistentKey("a", defaultValue: Level.low, .secret, .needsRestart).isMarked,
            PersistentKey<Level?>("a", .secret, .needsRestart).isMarked,
            PersistentKey("a", defaultValue: [Level.low], .secret, .needsRestart).isMarked,
            PersistentKey<[Level]?>("a", .secret, .needsRestart).isMarked,
            PersistentKey("a", defaultValue: [[Level.low]], .secret, .needsRestart).isMarked,
            PersistentKey<[[Level]]?>("a", .secret, .needsRestart).isMarked,
        ]
        #expect(traits.allSatisfy { $0.isSecret && $0.needsRestart })
    }
}

extension PersistentKey {
    fileprivate var isMarked: (isSecret: Bool, needsRestart: Bool) {
        (traits.isSecret, traits.needsRestart)
    }
}

@Suite struct DebugOnlyKeyTests {
    let storage = DictionaryPrefsStorage(values: ["debug.traces": .bool(!DebugKeys.areMutable)])

    #if DEBUG
        @Test func `a debug build reads and writes debug keys`() async throws {
            #expect(storage.get(.traces) == false)
            try storage.remove(.traces)
            #expect(storage.get(.traces) == true)
            try storage.set(.traces, to: false)
            #expect(storage.snapshot["debug.traces"] == false)
        }
    #else
        @Test func `a release build reads the release default and ignores writes`() async throws {
            #expect(storage.get(.traces) == false)
            try storage.set(.traces, to: true)
            try storage.remove(.traces)
            #expect(storage.snapshot["debug.traces"] == true)
            #expect(storage.snapshot.get(.traces) == false)
            var values = storage.values(for: .traces).makeAsyncIterator()
            #expect(await values.next() == false)
            let answer = PersistentKey<Bool>.traces.resolve(candidates: [PrefsCandidate(true)])
            #expect(answer.value == false && answer.winner == nil)
        }
    #endif
}
