import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var count: Self { Self("reading.count", defaultValue: 1) }
}

/// Reads by typed key come from a table that each thread caches. They must never return an outdated value.
struct TypedReadingTests {
    private func stack(_ layers: DictionaryPrefsStorage...) -> PrefsStack {
        PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            for (index, layer) in layers.enumerated() { PrefsLayer(PrefsLayer.Name("l\(index)"), layer) }
        }
    }

    @Test func `the next read returns the new value after every kind of change`() throws {
        let (low, high) = (DictionaryPrefsStorage(), DictionaryPrefsStorage())
        let storage = stack(low, high)
        #expect(storage.get(.count) == 1)
        try low.setValue(2, forKey: "reading.count")
        #expect(storage.get(.count) == 2)
        high.update { $0["reading"] = ["count": 3] }
        #expect(storage.get(.count) == 3)
        storage.lock("reading", at: "l0")
        #expect(storage.get(.count) == 2)
        storage.unlock("reading", at: "l0")
        #expect(storage.get(.count) == 3)
        high.update { $0["reading"] = "no dictionary" }
        #expect(storage.get(.count) == 3)
        high.update { $0["reading"] = ["count": "no integer"] }
        #expect(storage.get(.count) == 3)
        high.update { $0 = [:] }
        low.update { $0 = [:] }
        #expect(storage.get(.count) == 1)
    }

    @Test func `scoped overrides are visible only in their own task`() async {
        let storage = stack(DictionaryPrefsStorage(values: ["reading.count": 2]))
        #expect(storage.get(.count) == 2)
        await storage.withOverrides(["reading.count": 3]) {
            #expect(storage.get(.count) == 3)
            let detached = await Task.detached { storage.get(.count) }.value
            #expect(detached == 2)
        }
        #expect(storage.get(.count) == 2)
    }

    @Test func `keys with the same name and type keep their own codings`() {
        let storage = stack(DictionaryPrefsStorage(values: ["flag": 1]))
        let plain = PersistentKey<Bool>("flag", defaultValue: false)
        let number = PersistentKey<Bool>(
            "flag", defaultValue: false,
            coding: ClosurePrefsCoding(encode: { $0 ? 1 : 0 }, decode: { $0 == 1 }))
        for _ in 0..<3 {
            #expect(!storage.get(plain))
            #expect(storage.get(number))
        }
    }

    @Test func `many names are cached and invalidated one by one`() throws {
        let layer = DictionaryPrefsStorage()
        let storage = stack(layer)
        func key(_ number: Int) -> PersistentKey<Int> {
            // Names of all lengths around the length of a machine word, to cover every way of comparing bytes.
            PersistentKey(String(repeating: "k", count: number % 37) + "\(number)", defaultValue: -1)
        }
        for number in 0..<3000 {
            try layer.setValue(.integer(Int128(number)), forKey: key(number).id)
        }
        #expect((0..<3000).allSatisfy { storage.get(key($0)) == $0 })
        for number in stride(from: 0, to: 3000, by: 7) {
            try layer.setValue(nil, forKey: key(number).id)
        }
        #expect((0..<3000).allSatisfy { storage.get(key($0)) == ($0 % 7 == 0 ? -1 : $0) })
    }

    @Test func `a reader never sees an older value than before`() async throws {
        let layer = DictionaryPrefsStorage(values: ["reading.count": 0])
        let storage = stack(layer)
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var (last, failures) = (0, 0)
                    while last < 20_000 {
                        let now = storage.get(.count)
                        if now < last { failures += 1 }
                        last = now
                    }
                    return failures
                }
            }
            for number in 1...20_000 {
                _ = try? layer.setValue(.integer(Int128(number)), forKey: "reading.count")
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }

    @Test func `a writer reads its own write despite concurrent writers`() async throws {
        let storage = stack(DictionaryPrefsStorage())
        let stale = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let key = PersistentKey<Int>("writer.number\(writer)", defaultValue: -1)
                    return try (0..<500).count { number in
                        try storage.set(key, to: number, in: "l0")
                        return storage.get(key) != number
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stale == 0)
    }
}
