import FileWatching
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct FileWatchesTests {
    private let watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)

    @Test func `of two threads that follow paths, the later one decides`() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (folder["a"], folder["b"])
        let watches = FileWatches()
        // The second thread begins before the first one has begun its watch.
        _ = watches.follow({ [a] }) { path in
            _ = watches.follow({ [b] }) { watcher.watch($0) { _ in } }
            return watcher.watch(path) { _ in }
        }
        #expect(watches[a] == nil)
        #expect(watches[b] != nil)
        #expect(watcher.status.paths.map(\.path) == [b])
    }
}
