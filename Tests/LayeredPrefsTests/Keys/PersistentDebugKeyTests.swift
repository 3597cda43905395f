import Testing

@testable import LayeredPrefs

extension PersistentKeyProtocol where Self == PersistentDebugKey<Bool> {
    fileprivate static var traces: Self {
        Self("debug.traces", debugDefaultValue: true, releaseDefaultValue: false)
    }
}

@Suite struct PersistentDebugKeyTests {
    let storage = DictionaryPrefsStorage(values: ["debug.traces": .bool(!PersistentDebugKeys.areMutable)])

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
            let answer = PersistentDebugKey<Bool>.traces.resolve(candidates: [PrefsCandidate(true)])
            #expect(answer.value == false && answer.winner == nil)
        }
    #endif
}
