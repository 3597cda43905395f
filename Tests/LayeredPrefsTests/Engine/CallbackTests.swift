import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

/// Calls every public function from every kind of callback, over every kind of storage. Each call works, or
/// throws an error that gives the reason, and nothing waits for itself.
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
                // A change that a storage of the program announces is coalesced. A change that is made while
                // another thread commits is committed after that.
                #expect(eventually { function.holdsAfterwards(bench, from: callback) }, place)
            }
        }
    }
}
