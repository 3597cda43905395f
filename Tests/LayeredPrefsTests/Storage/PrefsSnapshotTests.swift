import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite struct PrefsSnapshotTests {
    @Test func `a changed copy keeps everything else`() {
        let snapshot = PrefsSnapshot(["http.port": 1], keysAreLiteral: true)
        let copy = snapshot.with { $0.generation = 7 }
        #expect(copy.generation == 7)
        #expect(copy["http.port"] == 1 && copy["http"] == nil)
        #expect(snapshot.generation == 0)
        #expect(!copy.isCopy(of: snapshot))
    }

    @Test func `the topmost value of a name is found without its origin`() {
        let snapshot = PrefsSnapshot(["a": 1, "http.port": 2, "off": "x"])
        #expect(snapshot.stored("a") == 1)
        #expect(snapshot.stored("http") == ["port": 2])
        #expect(snapshot.stored("off.a") == nil)
        #expect(snapshot.stored("b") == nil)
    }
}

extension PrefsSnapshot {
    fileprivate func stored(_ key: String) -> PrefsValue? {
        if case .stored(let value) = topValue(of: PrefsKeyName(key), at: [PrefsPath(key)]) {
            value
        } else {
            nil
        }
    }
}
