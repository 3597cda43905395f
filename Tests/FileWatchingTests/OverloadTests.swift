import PrefsSystem
import FileWatching
import Foundation
import Testing

/// More events than the kernel can queue, and reads while a writer is writing.
@Suite(.serialized) struct OverloadTests {
    @Test(arguments: [FileWatcherEngine.kernel, .inotifyTools])
    func `every path is rechecked after an overflow`(_ engine: FileWatcherEngine) async {
        // In a separate process, because all watchers share the queue.
        await #expect(processExitsWith: .success) { [name = engine.description as String] in
            let engine = try #require(engines.first { $0.description == name })
            try QueueOverflow().happens(on: engine)
        }
    }

    /// Truncates a file of 64 KiB and writes it in two halves, 2 ms apart.
    @Test(arguments: [FileWatcherEngine.kernel, .inotifyTools]) func `no half-written file is read`(
        _ engine: FileWatcherEngine
    ) throws {
        let sandbox = try Sandbox()
        let path = sandbox("f")
        try writeInHalves("A", to: path)
        let reader = CarefulReader()
        // Only the close ends the wait: the limit is longer than a busy machine delays a writer.
        let patience = FileSettling(quiet: .zero, limit: .seconds(30))
        let watcher = FileWatcher(engine: engine, settling: patience, safetyPoll: nil)
        let watch = watcher.watch(path) { reader.read($0) }
        let rounds = ProcessInfo.processInfo.environment["FILEWATCHING_REPEAT"] == nil ? 100 : 400
        for round in 0..<rounds {
            try writeInHalves(["B", "C", "D"][round % 3], to: path)
            // This is the writer's own pace, without an event to wait for: half of the rounds follow immediately.
            usleep(round % 2 == 0 ? 0 : 3_000)
        }
        try writeInHalves("Z", to: path)
        #expect(eventually { reader.last == UInt8(ascii: "Z") })
        #expect(reader.torn == 0)
        print("\(engine): \(reader.taken) reads taken, \(reader.torn) torn, of \(rounds) writes")
        watch.cancel()
    }

    private func writeInHalves(_ letter: Character, to path: String) throws {
        let half = [UInt8](repeating: letter.asciiValue ?? 0, count: 32 << 10)
        let file = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        #expect(unsafe write(file, half, half.count) == half.count)
        // The gap between the halves is under test. The consumer must not accept a read during the gap.
        usleep(2_000)
        #expect(unsafe write(file, half, half.count) == half.count)
    }

    @Test func `ten thousand paths are watched independently`() throws {
        let sandbox = try Sandbox()
        let watcher = FileWatcher(engine: .kernel, safetyPoll: nil)
        let recorder = Recorder()
        let watches = (0..<10_000).map { number in
            watcher.watch(sandbox("f\(number)")) { recorder.record($0) }
        }
        try sandbox.replace("f7777", by: "new")
        #expect(recorder.hasCaughtUp(with: sandbox("f7777"), after: 0))
        #expect(recorder.records.allSatisfy { $0.event.path == sandbox("f7777") })
        #expect(watcher.status.paths.count == 10_000)
        watches.forEach { $0.cancel() }
    }
}

/// A consumer that accepts its reading only if the file is still the same as in the event.
private final class CarefulReader: Sendable {
    private struct Tally {
        var taken = 0
        var torn = 0
        var last: UInt8?
    }

    private let tally = Lock(Tally())

    var taken: Int { tally.withLock { $0.taken } }
    var torn: Int { tally.withLock { $0.torn } }
    var last: UInt8? { tally.withLock { $0.last } }

    func read(_ event: FileEvent) {
        guard let file = FileHandle(forReadingAtPath: event.path), let data = try? file.readToEnd() else {
            return
        }
        guard FileSignature(fileDescriptor: file.fileDescriptor) == event.signature else { return }
        let isWhole = data.count == 64 << 10 && data.allSatisfy { $0 == data.first }
        tally.withLock { tally in
            tally.taken += 1
            tally.torn += isWhole ? 0 : 1
            tally.last = data.last
        }
    }
}
