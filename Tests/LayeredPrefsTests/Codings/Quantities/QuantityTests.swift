import LayeredPrefsReference
import Testing

@testable import LayeredPrefs

@PrefsSchema private final class RelayPrefs {
    @Storage var storage: DictionaryPrefsStorage

    @Pref(in: .seconds(1)...(.seconds(3600))) var timeout: Duration = .seconds(30)
    @Pref var delays: [Duration] = [.milliseconds(250)]
    @Pref(in: .kibibytes(1)...(.mebibytes(4))) var buffer: PrefsByteCount?
    @Pref var grace: Duration?
    @Pref(coding: .duration(in: .milliseconds)) var interval: Duration = .milliseconds(500)
    @Pref(in: PrefsByteCount.kibibytes(1)...) var spool: PrefsByteCount = .mebibytes(64)

    init(_ content: [String: PrefsValue] = [:]) { storage = DictionaryPrefsStorage(values: content) }
}

@Suite struct QuantityTests {
    private let timeout = PersistentKey(
        "timeout", defaultValue: Duration.seconds(30), in: .seconds(1)...(.seconds(3600)))
    private let size = PersistentKey(
        "size", defaultValue: PrefsByteCount.kibibytes(64), in: .kibibytes(1)...(.gibibytes(4)))

    private func rejection<Value>(_ key: PersistentKey<Value>, _ value: PrefsValue) -> String? {
        key.resolve(candidates: [PrefsCandidate(value)]).rejections.first?.description
    }

    @Test(
        arguments: [
            (
                30,
                #"timeout: expected a duration such as "30s" or "1h30m", found the integer 30; did you mean “30s”?"#
            ),
            ("soon", #"timeout: expected a duration such as "30s" or "1h30m", found the string "soon""#),
            ("-5s", #"timeout: expected a duration such as "30s" or "1h30m", found the string "-5s""#),
            (.real(.nan), #"timeout: expected a duration such as "30s" or "1h30m", found the real nan"#),
            (
                "99999999999999999999h",
                #"timeout: expected a duration such as "30s" or "1h30m", found the string "99999999999999999999h""#
            ),
            ("90m", #"timeout: expected 1s...1h, found the string "90m""#), ("10m", nil), ("PT1M30S", nil),
        ] as [(PrefsValue, String?)])
    func `a stored duration has a unit and is in range`(stored: PrefsValue, message: String?) {
        #expect(rejection(timeout, stored) == message)
    }

    @Test(
        arguments: [
            (
                "64 K",
                #"size: expected a size such as "64 KiB", or an integer of bytes, found the string "64 K""#
            ),
            (-1, #"size: expected a size such as "64 KiB", or an integer of bytes, found the integer -1"#),
            (1.5, #"size: expected a size such as "64 KiB", or an integer of bytes, found the real 1.5"#),
            (
                .integer(.max),
                """
                size: expected a size such as "64 KiB", or an integer of bytes, found the integer \
                170141183460469231731687303715884105727
                """
            ),
            ("512 B", #"size: expected 1 KiB...4 GiB, found the string "512 B""#), ("10MB", nil), (2048, nil),
        ] as [(PrefsValue, String?)])
    func `a stored size is a number of bytes or has a unit, and is in range`(
        stored: PrefsValue, message: String?
    ) {
        #expect(rejection(size, stored) == message)
    }

    @Test func `quantities are written with units`() throws {
        let storage = DictionaryPrefsStorage()
        try storage.set(timeout, to: .seconds(90))
        try storage.set(size, to: .mebibytes(1))
        #expect(storage.snapshot.dictionary == ["timeout": "1m30s", "size": "1 MiB"])
        try storage.set(size, to: .bytes(1500))
        #expect(storage.snapshot["size"] == 1500)
    }

    @Test func `a negative duration cannot be written`() {
        let storage = DictionaryPrefsStorage(values: ["delay": "1s"])
        #expect(throws: PrefsError.self) {
            try storage.set(PersistentKey("delay", defaultValue: Duration.zero), to: .seconds(-1))
        }
        #expect(storage.snapshot.dictionary == ["delay": "1s"])
    }

    @Test(
        arguments: [
            (250, .milliseconds(250)), ("1s", .seconds(1)), (-1, nil), (1.5, nil), (.integer(.max), nil),
            ("250", nil),
        ] as [(PrefsValue, Duration?)])
    func `a key with a unit also reads numbers`(stored: PrefsValue, duration: Duration?) {
        #expect(DurationPrefsCoding(unit: .milliseconds).decode(stored) == duration)
    }

    @Test(arguments: DurationPrefsCoding.Unit.allCases)
    func `a key with a unit writes whole numbers of it`(unit: DurationPrefsCoding.Unit) throws {
        let coding = DurationPrefsCoding(unit: unit)
        let three = try #require(coding.decode(3))
        #expect(try coding.encode(three) == 3)
        #expect(try coding.encode(three + .nanoseconds(1))?.kind == .string)
        #expect(coding.storedForm(ofText: "3") == 3)
        #expect(throws: PrefsError.self) { try coding.encode(.seconds(-1)) }
    }

    @Test func `text of the environment is parsed`() {
        let text = { (text: PrefsValue) in [PrefsCandidate(text, isText: true)] }
        #expect(timeout.resolve(candidates: text("2m")).value == .seconds(120))
        #expect(size.resolve(candidates: text("2048")).value == .kibibytes(2))
        #expect(size.resolve(candidates: text("1 MiB")).value == .mebibytes(1))
        let delays = PersistentKey<[Duration]>("delays", defaultValue: [])
        #expect(delays.resolve(candidates: text("1s, 250ms")).value == [.seconds(1), .milliseconds(250)])
    }

    @Test func `a schema declares durations and sizes`() {
        let prefs = RelayPrefs([
            "timeout": "1m", "delays": ["1s"], "grace": "2h", "interval": 20, "spool": "1 GiB",
        ])
        #expect(prefs.timeout == .seconds(60))
        #expect(prefs.delays == [.seconds(1)])
        #expect(prefs.grace == .seconds(7200))
        #expect(prefs.interval == .milliseconds(20))
        #expect(prefs.spool == .gibibytes(1))
        prefs.interval = .milliseconds(30)
        prefs.spool = .kibibytes(4)
        #expect(prefs.storage.snapshot["interval"] == 30)
        #expect(prefs.storage.snapshot["spool"] == "4 KiB")
    }

    @Test func `generated documents name the types and their bounds`() {
        let reference = RelayPrefs.reference
        #expect(reference.contains("- Type: duration\n- Default: `\"30s\"`\n- Allowed: `1s...1h`\n"))
        #expect(reference.contains("- Type: byte count\n- Default: `\"64 MiB\"`\n- Allowed: `1 KiB...`\n"))
        #expect(RelayPrefs.samplePropertyList.contains("<string>30s</string>"))
        let schema = RelayPrefs.jsonSchema
        #expect(schema.contains(#""type": "duration""#))
        #expect(schema.contains(#""maximum": "1h""#))
        #expect(schema.contains(#""type": "byte count""#))
    }
}
