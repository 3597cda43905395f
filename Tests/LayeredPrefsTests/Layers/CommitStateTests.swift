import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite struct ForeignSnapshotsTests {
    private var foreign = ForeignSnapshots()

    private func reading(_ number: PrefsValue) -> [Int: PrefsSnapshot] { [0: PrefsSnapshot(["k": number])] }

    @Test mutating func `a reading that another one overtook is made again`() {
        let first = foreign.begin()
        let second = foreign.begin()
        let third = foreign.begin()
        #expect(foreign.store(reading(2), begun: second))
        // Began later, but may have read earlier.
        #expect(!foreign.store(reading(1), begun: third))
        // The stored one began later, and so shows all that this one has to.
        #expect(foreign.store(reading(0), begun: first))
        #expect(foreign.snapshots[0]?["k"] == 2)
        let again = foreign.begin()
        #expect(foreign.store(reading(3), begun: again))
        #expect(foreign.snapshots[0]?["k"] == 3)
    }
}
