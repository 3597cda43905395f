import Testing

@testable import LayeredPrefs

@Suite struct PrefsChangeSourceTests {
    private let changes = PrefsChangeSource(isExact: true)

    @Test func `what several sources have published is announced once`() {
        let announced = Log<UInt64>()
        let observation = changes.observe { [changes] in announced.add(changes.publicationCount) }
        changes.announce()
        #expect(announced.all == [])
        for _ in 0..<3 { changes.notePublication(at: PrefsChangeSource.nextGeneration()) }
        changes.announce()
        changes.announce()
        #expect(announced.all == [3])
        changes.notePublication(at: nil)
        changes.announce()
        #expect(announced.all == [3, 4])
        observation.cancel()
    }

    @Test func `a version advances the generation even if a later one was published before it`() {
        let early = PrefsChangeSource.nextGeneration()
        changes.notePublication(at: PrefsChangeSource.nextGeneration())
        let seen = changes.generation
        changes.notePublication(at: early)
        #expect(changes.generation > seen)
    }
}
