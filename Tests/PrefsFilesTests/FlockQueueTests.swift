import Foundation
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsFiles

struct FlockQueueTests {
    /// Prepares a write that changes nothing, but holds the file lock.
    static func prepare(_ path: String, timeout: Duration) throws -> PrefsPreparedWrite {
        try PrefsFileWriter(path, options: PrefsFileWriteOptions(lockTimeout: timeout)).prepare { _ in nil }
    }

    // This test needs a process whose threads and files no other test uses.
    @Test func `writers that time out leave one thread and one file open until the lock is free`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder["f.plist"]
            try FlockQueueTests.prepare(path, timeout: .zero).discard()
            let before = ProcessCounts.now
            let held = try FlockQueueTests.prepare(path, timeout: .zero)
            for _ in 0..<200 {
                #expect(throws: PrefsError.self) { _ = try FlockQueueTests.prepare(path, timeout: .zero) }
            }
            let during = ProcessCounts.now
            // The held lock is an open file in an open folder, and the helper thread has another open file.
            // The runtime may start threads and open files, too, but not one for each write.
            #expect(during.threads <= before.threads + 10)
            #expect(during.files <= before.files + 10)
            held.discard()
            #expect(eventually { ProcessCounts.now.files <= before.files + 5 })
            #expect(eventually { ProcessCounts.now.threads <= before.threads + 8 })
        }
    }

    @Test func `waiting writers all get the lock, one after the other`() throws {
        let folder = try TemporaryFolder()
        let path = folder["f.plist"]
        let held = try FlockQueueTests.prepare(path, timeout: .zero)
        let holders = Lock(0)
        let (acquired, overlaps) = (Tally(), Tally())
        let writers = (0..<8).map { _ in
            Thread {
                guard let write = try? FlockQueueTests.prepare(path, timeout: .seconds(60)) else { return }
                if holders.withLock({ holders in
                    holders += 1
                    return holders
                }) > 1 {
                    overlaps.add()
                }
                acquired.add()
                holders.withLock { $0 -= 1 }
                write.discard()
            }
        }
        for writer in writers { writer.start() }
        for _ in 0..<20 {
            #expect(throws: PrefsError.self) { _ = try FlockQueueTests.prepare(path, timeout: .zero) }
        }
        held.discard()
        #expect(eventually { acquired.count == 8 })
        #expect(overlaps.count == 0)
    }
}
