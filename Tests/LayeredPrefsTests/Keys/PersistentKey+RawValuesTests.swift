import Testing

@testable import LayeredPrefs

private enum Level: String, CaseIterable, Sendable { case debug, info, warning, error }
private enum Priority: Int, Sendable { case low = 1, high = 10 }
private enum Mode: String, Codable, Sendable { case relay, submit }
private enum Shade: String, PrefsStorable, Sendable {
    case light, dark

    static var defaultPrefsCoding: some PrefsCoding<Shade> {
        ClosurePrefsCoding(encode: { $0 == .dark }, decode: { $0 ? .dark : .light })
    }
}

@PrefsSchema private final class LoggingPrefs {
    @Storage var storage: DictionaryPrefsStorage

    @Pref var level: Level = .info
    @Pref var inferred = Level.info
    @Pref var fallback: Level?
    @Pref var levels: [Level] = []
    @Pref var byModule: [String: Level] = [:]
    @Pref var optionals: [Level]?
    @Pref var priority: Priority = .low
    @Pref var mode: Mode = .relay
    @Pref var modes: [Mode] = [.relay]

    init(_ content: [String: PrefsValue]) { storage = DictionaryPrefsStorage(values: content) }
}

@Suite struct PersistentKeyRawValuesTests {
    private let level = PersistentKey("level", defaultValue: Level.info)

    private func rejection<Value>(_ key: PersistentKey<Value>, _ value: PrefsValue) -> String? {
        let answer = key.resolve(candidates: [PrefsCandidate(value)])
        return answer.rejections.first?.description
    }

    @Test func `an enum is stored as its raw value`() throws {
        let storage = DictionaryPrefsStorage(values: ["level": "debug", "priority": 10])
        let priority = PersistentKey("priority", defaultValue: Priority.low)
        #expect(storage.get(level) == .debug)
        #expect(storage.get(priority) == .high)
        try storage.set(level, to: .error)
        try storage.set(priority, to: .low)
        #expect(storage.snapshot.dictionary == ["level": "error", "priority": 1])
    }

    @Test func `optional enums, arrays and dictionaries of enums are keys`() throws {
        let storage = DictionaryPrefsStorage()
        let optional = PersistentKey<Level?>("optional")
        let array = PersistentKey<[Level]>("array", defaultValue: [.info])
        let dictionary = PersistentKey<[String: Level]>("dictionary", defaultValue: [:])
        let none = PersistentKey<[Level]?>("none")
        #expect(storage.get(optional) == nil)
        #expect(storage.get(none) == nil)
        try storage.set(optional, to: .debug)
        try storage.set(array, to: [.warning, .error])
        try storage.set(dictionary, to: ["smtp": .debug])
        try storage.set(none, to: [])
        #expect(
            storage.snapshot.dictionary == [
                "optional": "debug", "array": ["warning", "error"], "dictionary": ["smtp": "debug"],
                "none": [],
            ])
        #expect(storage.get(array) == [.warning, .error])
        #expect(storage.get(dictionary) == ["smtp": .debug])
    }

    @Test func `a rejected enum lists the allowed values and suggests the nearest`() {
        #expect(
            rejection(level, "inof") == """
                level: expected one of "debug", "info", "warning", "error", found the string "inof"; \
                did you mean “info”?
                """)
        #expect(
            rejection(level, 3)
                == #"level: expected one of "debug", "info", "warning", "error", found the integer 3"#)
        #expect(
            rejection(PersistentKey<Level?>("level"), "off")
                == #"level: expected one of "debug", "info", "warning", "error", found the string "off""#)
        #expect(
            rejection(PersistentKey("priority", defaultValue: Priority.low), 2)
                == "priority: expected an integer that is a Priority, found the integer 2")
    }

    @Test func `the suggestion for a secret is not shown`() {
        let key = PersistentKey("level", defaultValue: Level.info, .secret)
        #expect(
            rejection(key, "inof")
                == #"level: expected one of "debug", "info", "warning", "error", found a string"#)
    }

    @Test func `the wrong element of a collection is named`() {
        let array = PersistentKey<[Level]>("levels", defaultValue: [])
        #expect(
            rejection(array, ["info", "waring"]) == """
                levels[1]: expected one of "debug", "info", "warning", "error", found the string "waring"; \
                did you mean “warning”?
                """)
        let dictionary = PersistentKey<[String: [Int]]>("ports", defaultValue: [:])
        #expect(
            rejection(dictionary, ["b": [1, "x"], "c": 1, "a": [1]])
                == #"ports.b[1]: expected an integer, found the string "x""#)
        #expect(
            rejection(array, "info") == """
                levels: expected an array, each element one of "debug", "info", "warning", "error", \
                found the string "info"
                """)
    }

    @Test func `text is parsed as the raw value`() {
        let priority = PersistentKey("priority", defaultValue: Priority.low)
        #expect(priority.resolve(candidates: [PrefsCandidate("10", isText: true)]).value == .high)
        let levels = PersistentKey<[Level]>("levels", defaultValue: [])
        #expect(
            levels.resolve(candidates: [PrefsCandidate("info, debug", isText: true)]).value == [
                .info, .debug,
            ])
    }

    @Test func `a type that states its coding is stored in that coding`() throws {
        let storage = DictionaryPrefsStorage()
        try storage.set(PersistentKey("shade", defaultValue: Shade.light), to: .dark)
        try storage.set(PersistentKey<[Shade]>("shades", defaultValue: []), to: [.light])
        #expect(storage.snapshot.dictionary == ["shade": true, "shades": [false]])
    }

    @Test func `a key without options is read like any plain key`() {
        #expect(level.isPlain)
        #expect(PersistentKey<Level>("level", defaultValue: .info, .documentation("The level.")).isPlain)
        #expect(!PersistentKey<Level>("level", defaultValue: .info, .formerly("log")).isPlain)
    }

    @Test func `a debug key may be an enum`() {
        let key = PersistentKey("trace", defaultValue: Level.debug, .debugOnly(releaseValue: .info))
        #expect(key.defaultValue == (DebugKeys.areMutable ? .debug : .info))
        #expect(PersistentKey("trace", defaultValue: Level.error, .debugOnly).defaultValue == .error)
    }

    @Test func `a schema needs no annotation for enums`() {
        let prefs = LoggingPrefs([
            "level": "error", "fallback": "warning", "levels": ["debug"], "byModule": ["smtp": "info"],
            "optionals": ["error"], "priority": 10, "mode": "submit", "modes": ["submit"],
        ])
        #expect(prefs.level == .error)
        #expect(prefs.inferred == .info)
        #expect(prefs.fallback == .warning)
        #expect(prefs.levels == [.debug])
        #expect(prefs.byModule == ["smtp": .info])
        #expect(prefs.optionals == [.error])
        #expect(prefs.priority == .high)
        #expect(prefs.mode == .submit)
        #expect(prefs.modes == [.submit])
        prefs.level = .debug
        prefs.levels.append(.info)
        #expect(prefs.storage.snapshot["level"] == "debug")
        #expect(prefs.storage.snapshot["levels"] == ["debug", "info"])
    }

    @Test func `a schema describes the allowed values of an enum`() {
        let limits = LoggingPrefs.keys.first { $0.name == "level" }?.limits
        #expect(limits?.values == ["debug", "info", "warning", "error"])
    }
}
