import Foundation
import PrefsSystem
import Testing

@testable import FileWatching

@Suite struct PollWaitTests {
    @Test(arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max), .zero, .seconds(-Int64.max)])
    func `a wait of any length ends when another thread wakes it`(length: Duration) throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        let wait = PollWait(
            wakeup: pipe.fileHandleForReading.fileDescriptor, until: ContinuousClock.now + length)
        #expect(wait.wait().isWoken)
    }
}
