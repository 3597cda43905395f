import PrefsSystem
import Testing

@testable import FileWatching

@Suite struct NewEntriesTests {
    private let start = ContinuousClock.now
    private var entries = NewEntries()

    @Test mutating func `a file is new until it is closed`() {
        entries.add("f", in: 1, isFolder: false, at: start)
        #expect(entries.contains("f", in: 1, at: start))
        #expect(!entries.contains("g", in: 1, at: start))
        #expect(!entries.contains("f", in: 2, at: start))
        let wasNew = entries.remove("f", in: 1)
        #expect(wasNew)
        #expect(!entries.contains("f", in: 1, at: start))
    }

    @Test mutating func `a close of a file that is not new is none of a new file`() {
        let wasNew = entries.remove("f", in: 1)
        #expect(!wasNew)
    }

    @Test mutating func `a folder is new for a second, a file for ten`() {
        entries.add("f", in: 1, isFolder: false, at: start)
        entries.add("d", in: 1, isFolder: true, at: start)
        #expect(entries.contains("d", in: 1, at: start + .milliseconds(999)))
        #expect(!entries.contains("d", in: 1, at: start + .seconds(1)))
        #expect(entries.contains("f", in: 1, at: start + .milliseconds(9_999)))
        #expect(!entries.contains("f", in: 1, at: start + .seconds(10)))
    }

    @Test mutating func `old entries are dropped`() {
        for number in 0..<1000 {
            entries.add(RawPath("\(number)"), in: 1, isFolder: false, at: start + .seconds(number))
        }
        #expect(!entries.contains("0", in: 1, at: start))
        #expect(entries.contains("999", in: 1, at: start + .seconds(1000)))
    }
}
