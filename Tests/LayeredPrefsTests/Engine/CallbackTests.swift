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
                #expect(function.expected(bench).contains(results.elements[0]), place)
                #expect(results.elements.count == 1, place)
                await bench.stack.flush()
                // A change that a storage of the program reports by itself is coalesced.
                let holds = { function.holdsAfterwards(bench) }
                #expect(kind == .foreign ? eventually(holds) : holds(), place)
            }
        }
    }

    @Test func `a default that depends on itself is empty within itself`() {
        let storage = Weak<LayeredPrefsStorage>()
        let stack = LayeredPrefsStorage { PrefsLayer.overrides }
        storage.value = stack
        #expect(stack.get(.count(storage)) == 4)
        #expect(stack.get(.name(storage)) == nil)
    }

    @Test func `a validator that reads its own key accepts the innermost value`() throws {
        let storage = Weak<LayeredPrefsStorage>()
        let stack = LayeredPrefsStorage(diagnostics: .silent) { PrefsLayer.overrides }
        storage.value = stack
        try stack.setValue(7, forKey: "own", in: .overrides)
        #expect(stack.get(.validatedByItself(storage)) == 7)
        try stack.setValue(3, forKey: "own", in: .overrides)
        #expect(stack.get(.validatedByItself(storage)) == 0)
    }
}

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static func count(_ storage: Weak<LayeredPrefsStorage>) -> Self {
        Self("count") { (storage.value?.get(.count(storage)) ?? 100) + 1 }
    }

    fileprivate static func validatedByItself(_ storage: Weak<LayeredPrefsStorage>) -> Self {
        Self(
            "own", defaultValue: 0,
            validate: { value in
                _ = storage.value?.get(.validatedByItself(storage))
                return value > 5 ? nil : "expected more than 5"
            })
    }
}

extension PersistentKeyProtocol where Self == PersistentKey<String?> {
    fileprivate static func name(_ storage: Weak<LayeredPrefsStorage>) -> Self {
        Self("name", coding: String.defaultPrefsCoding.optionalPrefsCoding) {
            storage.value?.get(.name(storage)) ?? nil
        }
    }
}
