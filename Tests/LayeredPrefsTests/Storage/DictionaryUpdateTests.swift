import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

/// Read-modify-write updates of a storage in memory.
@Suite struct DictionaryUpdateTests {
    @Test func `concurrent updates lose nothing`() async throws {
        let storage = DictionaryPrefsStorage(values: ["count": 0])
        let ended = Recorder<Bool>()
        for _ in 0..<4 {
            TestThread.start {
                for _ in 0..<50 {
                    storage.update { content in
                        guard case .integer(let count)? = content["count"] else { return }
                        content["count"] = .integer(count + 1)
                    }
                }
                ended.record(true)
            }
        }
        _ = try await ended.wait { $0.count == 4 }
        #expect(storage.value(forKey: "count") == 200)
    }

    @Test func `an update is made again if another thread writes in the meantime`() async throws {
        let storage = DictionaryPrefsStorage(values: ["count": 1])
        let calls = Recorder<PrefsValue?>()
        storage.update { content in
            if calls.elements.isEmpty { write(5, to: storage) }
            calls.record(content["count"])
            content["copy"] = content["count"]
        }
        #expect(calls.elements == [1, 5])
        #expect(storage.value(forKey: "copy") == 5)
    }

    /// Writes on another thread, and waits for that thread.
    private func write(_ value: PrefsValue, to storage: DictionaryPrefsStorage) {
        let latch = Latch()
        TestThread.start {
            _ = try? storage.setValue(value, forKey: "count")
            latch.open()
        }
        latch.wait()
    }

    @Test func `an update is made again if it writes to the same storage itself`() {
        let storage = DictionaryPrefsStorage(values: ["count": 1])
        let calls = Tally()
        storage.update { content in
            calls.add()
            _ = try? storage.setValue(1, forKey: "inside")
            content["outside"] = 2
        }
        #expect(calls.count == 2)
        #expect(storage.value(forKey: "inside") == 1)
        #expect(storage.value(forKey: "outside") == 2)
    }
}
