import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite final class ForeignSnapshotsTests {
    private var foreign = ForeignSnapshots()

    private func store(_ reading: [Int: PrefsSnapshot], begun start: UInt64) -> Bool {
        foreign.store(reading, begun: start)
    }

    private func reading(_ number: PrefsValue) -> [Int: PrefsSnapshot] { [0: PrefsSnapshot(["k": number])] }

    @Test func `a reading that another one overtook is made again`() {
        let first = foreign.begin()
        let second = foreign.begin()
        let third = foreign.begin()
        #expect(store(reading(2), begun: second))
        // Began later, but may have read earlier.
        #expect(!store(reading(1), begun: third))
        // The stored one began later, and so shows all that this one has to.
        #expect(store(reading(0), begun: first))
        #expect(foreign.snapshots[0]?["k"] == 2)
        let again = foreign.begin()
        #expect(store(reading(3), begun: again))
        #expect(foreign.snapshots[0]?["k"] == 3)
    }
}
