import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

/// Calls every public function from every kind of callback, over every kind of storage: each call works, or
/// throws an error that says why, and nothing waits for itself.
@Suite struct CallbackTests {
    @Test(arguments: CallbackStorage.allCases)
    func `every function can be called from every callback`(kind: CallbackStorage) async throws {
        for callback in Callback.allCases where !callback.needsNotifications || kind.notifies {
            let bench = try CallbackBench(kind)
            let trigger = try bench.prepare(callback)
            for (number, function) in CallbackFunction.all.enumerated() {
                let place: Comment = "\(function.name) in \(callback) over \(kind)"
                let results = Recorder<String>()
                let ended = Recorder<Bool>()
                bench.hook.arm { results.record(function.result(of: bench)) }
                TestThread.start {
                    trigger(number + 1)
                    ended.record(true)
                }
                _ = try await ended.wait { !$0.isEmpty }
                _ = try await results.wait { !$0.isEmpty }
                #expect(function.expected(bench, from: callback).contains(results.elements[0]), place)
                #expect(results.elements.count == 1, place)
                await bench.stack.flush()
                // A change that a storage of the program reports by itself is coalesced, and one that is made while
                // any thread has the turn is committed after that.
                #expect(eventually { function.holdsAfterwards(bench, from: callback) }, place)
            }
        }
    }

    @Test func `a default that depends on itself is empty within itself`() {
        let storage = Weak<PrefsStack>()
        let stack = PrefsStack { PrefsLayer.overrides }
        storage.value = stack
        #expect(stack.get(.count(storage)) == 4)
        #expect(stack.get(.name(storage)) == nil)
    }

    @Test func `a validator that reads its own key accepts the innermost value`() throws {
        let storage = Weak<PrefsStack>()
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer.overrides }
        storage.value = stack
        try stack.setValue(7, forKey: "own", in: .overrides)
        #expect(stack.get(.validatedByItself(storage)) == 7)
        #expect(throws: PrefsError.self) { try stack.setValue(3, forKey: "own", in: .overrides) }
        #expect(stack.get(.validatedByItself(storage)) == 7)
    }

    @Test(arguments: CircularKey.allCases)
    func `a coding that reads its own key finds the default within itself`(kind: CircularKey) throws {
        let storage = Weak<PrefsStack>()
        let memory = DictionaryPrefsStorage(values: ["own": kind.stored])
        let environment = EnvironmentPrefsStorage(
            prefix: "MYD_", environment: kind == .text ? ["MYD_OWN": #"{"number": 7}"#] : [:])
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer(.overrides, memory)
            PrefsLayer(.environment, environment)
        }
        storage.value = stack
        // Twice, because the second one reads from a cache.
        for _ in 0..<2 { #expect(kind.number(in: storage) == 7) }
        if kind == .text { return }
        try memory.setValue(kind.other, forKey: "own")
        for _ in 0..<2 { #expect(kind.number(in: storage) == 8) }
        #expect(kind.resolution(in: storage) == 8)
        #expect(kind.snapshot(in: storage) == 8)
    }

    @Test func `two codings that read each other's keys come to an end`() {
        let storage = Weak<PrefsStack>()
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: ["first": 1, "second": 2]))
        }
        storage.value = stack
        for _ in 0..<2 {
            #expect(stack.get(.reading("second", from: "first", storage)) == 1)
            #expect(stack.get(.reading("first", from: "second", storage)) == 2)
        }
    }

    @Test func `a coding that stores the key that it encodes is an error`() throws {
        let storage = Weak<PrefsStack>()
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer.overrides }
        storage.value = stack
        let errors = Recorder<PrefsError>()
        try stack.set(.storingItself(storage, errors), to: 7, in: .overrides)
        #expect(stack.value(forKey: "own") != nil)
        #expect(errors.elements.first?.key == "own")
        #expect(errors.elements.first?.reason.hasPrefix("not written, because the coding writes") == true)
    }

    @Test func `a property whose struct reads it shows the stored value`() throws {
        let memory = DictionaryPrefsStorage(values: ["server": ["port": 26]])
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.user, memory) }
        let prefs = SelfReadingPrefs(stack)
        unsafe SelfReadingServer.prefs = prefs
        defer { unsafe SelfReadingServer.prefs = nil }
        for _ in 0..<2 { #expect(prefs.server.port == 26) }
        try memory.setValue(["port": 27], forKey: "server")
        for _ in 0..<2 { #expect(prefs.server.port == 27) }
        // A value that is wrong leaves the one in force.
        try memory.setValue(["port": "many"], forKey: "server")
        for _ in 0..<2 { #expect(prefs.server.port == 27) }
    }
}

/// The kinds of keys whose coding reads the key itself.
enum CircularKey: CaseIterable, Sendable {
    case coding, constant, element, optional, structure, text

    var stored: PrefsValue {
        switch self {
        case .coding, .constant, .optional: 7
        case .element: [["number": 7]]
        case .structure: ["number": 7]
        case .text: [:]
        }
    }

    var other: PrefsValue {
        switch self {
        case .coding, .constant, .optional: 8
        case .element: [["number": 8]]
        case .structure, .text: ["number": 8]
        }
    }

    private static let constantKey = PersistentKey(
        "own", defaultValue: 0, coding: SelfReading.coding("constant"))

    fileprivate func number(in storage: Weak<PrefsStack>) -> Int? {
        SelfReading.$storage.withValue(storage) {
            switch self {
            case .coding:
                storage.value?.get(PersistentKey("own", defaultValue: 0, coding: SelfReading.coding("own")))
            case .constant: storage.value?.get(Self.constantKey)
            case .optional: storage.value?.get(SelfReading.optional) ?? nil
            case .element: storage.value?.get(SelfReading.elements).first?.number
            case .structure, .text: storage.value?.get(SelfReading.structure).number
            }
        }
    }

    fileprivate func resolution(in storage: Weak<PrefsStack>) -> Int? {
        SelfReading.$storage.withValue(storage) {
            switch self {
            case .coding, .constant: storage.value?.resolution(for: Self.constantKey).value
            case .optional: storage.value?.resolution(for: SelfReading.optional).value ?? nil
            case .element: storage.value?.resolution(for: SelfReading.elements).value.first?.number
            case .structure, .text: storage.value?.resolution(for: SelfReading.structure).value.number
            }
        }
    }

    fileprivate func snapshot(in storage: Weak<PrefsStack>) -> Int? {
        SelfReading.$storage.withValue(storage) {
            switch self {
            case .coding, .constant: storage.value?.snapshot.get(Self.constantKey)
            case .optional: storage.value?.snapshot.get(SelfReading.optional) ?? nil
            case .element: storage.value?.snapshot.get(SelfReading.elements).first?.number
            case .structure, .text: storage.value?.snapshot.get(SelfReading.structure).number
            }
        }
    }
}

/// Keys of the name `own` whose values read that key while they are decoded.
private enum SelfReading {
    @TaskLocal static var storage: Weak<PrefsStack>?

    static let structure = PersistentKey("own", defaultValue: Structure(number: 0))
    static let elements = PersistentKey("own", defaultValue: [Element]())
    static let optional = PersistentKey<Int?>("own", coding: coding("optional").optionalPrefsCoding) { nil }

    /// - Parameter key: The name of the kind of key to read.
    static func coding(_ key: String) -> PrefsCoding<Int, Int> {
        PrefsCoding(
            encode: { $0 },
            decode: { stored in
                _ = storage?.value?.get(PersistentKey("own", defaultValue: 0, coding: coding(key)))
                return stored
            })
    }

    struct Structure: Codable, Sendable {
        var number: Int

        init(number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            _ = SelfReading.storage?.value?.get(SelfReading.structure)
            number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        }
    }

    struct Element: Codable, Sendable {
        var number: Int

        init(from decoder: any Decoder) throws {
            _ = SelfReading.storage?.value?.get(SelfReading.elements)
            number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        }
    }
}

private struct SelfReadingServer: Codable, Sendable {
    // Set by the one test that decodes this type, before it does.
    nonisolated(unsafe) static var prefs: SelfReadingPrefs?

    var port: Int

    init(port: Int = 25) { self.port = port }

    init(from decoder: any Decoder) throws {
        _ = unsafe Self.prefs?.server
        port = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .port)
    }
}

@PrefsSchema private final class SelfReadingPrefs {
    @Storage var storage: PrefsStack
    @Pref var server: SelfReadingServer = SelfReadingServer()

    init(_ storage: PrefsStack) { self.storage = storage }
}

extension PersistentKey where Value == Int {
    /// A key whose coding reads another key, whose coding reads this one.
    fileprivate static func reading(
        _ other: String, from key: String, _ storage: Weak<PrefsStack>
    ) -> Self {
        Self(
            key, defaultValue: 0,
            coding: PrefsCoding<Int, Int>(
                encode: { $0 },
                decode: { stored in
                    _ = storage.value?.get(.reading(key, from: other, storage))
                    return stored
                }))
    }

    /// A key whose coding stores the key itself.
    fileprivate static func storingItself(
        _ storage: Weak<PrefsStack>, _ errors: Recorder<PrefsError>
    ) -> Self {
        Self(
            "own", defaultValue: 0,
            coding: PrefsCoding<Int, Int>(
                encode: { value in
                    do {
                        try storage.value?.set(.storingItself(storage, errors), to: value + 1, in: .overrides)
                    } catch {
                        if let error = error as? PrefsError { errors.record(error) }
                    }
                    return value
                },
                decode: { $0 }))
    }

    fileprivate static func count(_ storage: Weak<PrefsStack>) -> Self {
        Self("count") { (storage.value?.get(.count(storage)) ?? 100) + 1 }
    }

    fileprivate static func validatedByItself(_ storage: Weak<PrefsStack>) -> Self {
        Self(
            "own", defaultValue: 0,
            .validate { value in
                _ = storage.value?.get(.validatedByItself(storage))
                return value > 5 ? nil : "expected more than 5"
            })
    }
}

extension PersistentKey where Value == String? {
    fileprivate static func name(_ storage: Weak<PrefsStack>) -> Self {
        Self("name", coding: String.defaultPrefsCoding.optionalPrefsCoding) {
            storage.value?.get(.name(storage)) ?? nil
        }
    }
}
