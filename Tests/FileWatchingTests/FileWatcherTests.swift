import Foundation
import PrefsSystem
import Testing

@testable import FileWatching

/// The guarantees of every engine, apart from noticing changes.
@Suite struct FileWatcherTests {
    private let sandbox: Sandbox
    private let recorder = Recorder()

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("old", to: "f")
    }

    private func watch(_ name: String, on engine: FileWatcherEngine) -> FileWatch {
        FileWatcher(engine: engine, safetyPoll: nil).watch(sandbox(name)) { [recorder] in recorder.record($0)
        }
    }

    @Test(arguments: engines) func `an event has the path as given and the signature of the file`(
        _ engine: FileWatcherEngine
    ) throws {
        let watch = watch("./f", on: engine)
        #expect(watch.path == sandbox("./f"))
        try sandbox.replace("f", by: "new")
        #expect(recorder.hasCaughtUp(with: sandbox("f"), after: 0))
        let event = try #require(recorder.records.last?.event)
        #expect(event.path == sandbox("./f"))
        #expect(event.signature == FileSignature(path: sandbox("f")))
        watch.cancel()
    }

    @Test(arguments: engines) func `a watcher may never poll and never settle`(_ engine: FileWatcherEngine)
        throws
    {
        let watcher = FileWatcher(
            engine: engine, settling: FileSettling(quiet: .zero, limit: .seconds(Int64.max)),
            safetyPoll: .seconds(Int64.max))
        let watch = watcher.watch(sandbox("f")) { [recorder] in recorder.record($0) }
        try sandbox.replace("f", by: "new")
        #expect(recorder.hasCaughtUp(with: sandbox("f"), after: 0))
        watch.cancel()
    }

    @Test(arguments: engines) func `a program recognises its own write by the signature`(
        _ engine: FileWatcherEngine
    ) throws {
        let watch = watch("f", on: engine)
        try sandbox.replace("f", by: "mine")
        let file = try FileHandle(forReadingFrom: URL(filePath: sandbox("f")))
        let mine = FileSignature(fileDescriptor: file.fileDescriptor)
        #expect(recorder.wait { $0.last?.event.signature == mine })
        watch.cancel()
    }

    @Test(arguments: engines) func `no callback starts after cancelling`(_ engine: FileWatcherEngine) throws {
        let cancelled = watch("f", on: engine)
        let other = Recorder()
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let kept = watcher.watch(sandbox("f")) { other.record($0) }
        cancelled.cancel()
        cancelled.cancel()
        try sandbox.replace("f", by: "new")
        #expect(other.hasCaughtUp(with: sandbox("f"), after: 0))
        #expect(recorder.count == 0)
        kept.cancel()
    }

    @Test(arguments: engines) func `names that are equal strings but differ in their bytes are two files`(
        _ engine: FileWatcherEngine
    ) throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try sandbox.write("1", to: composed)
        try sandbox.write("2", to: decomposed)
        let (first, second) = (Recorder(), Recorder())
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let watches = [
            watcher.watch(sandbox(composed)) { first.record($0) },
            watcher.watch(sandbox(decomposed)) { second.record($0) },
        ]
        try sandbox.replace(decomposed, by: "new")
        #expect(second.hasCaughtUp(with: sandbox(decomposed), after: 0))
        #expect(first.count == 0)
        let before = second.count
        watcher.recheck()
        #expect(first.hasCaughtUp(with: sandbox(composed), after: 0))
        #expect(second.hasCaughtUp(with: sandbox(decomposed), after: before))
        for watch in watches { watch.cancel() }
    }

    @Test(arguments: engines) func `a released watch is cancelled`(_ engine: FileWatcherEngine) throws {
        _ = watch("f", on: engine)
        let other = watch("g", on: engine)
        try sandbox.replace("f", by: "new")
        try sandbox.replace("g", by: "new")
        #expect(recorder.hasCaughtUp(with: sandbox("g"), after: 0))
        #expect(recorder.records.allSatisfy { $0.event.path == sandbox("g") })
        other.cancel()
    }

    @Test(arguments: engines) func `a callback may watch and cancel`(_ engine: FileWatcherEngine) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let chain = Lock<[FileWatch]>([])
        let (sandbox, recorder) = (sandbox, recorder)
        let first = watcher.watch(sandbox("f")) { _ in
            let previous = chain.withLock { watches in
                defer { watches = [] }
                return watches
            }
            previous.forEach { $0.cancel() }
            let next = watcher.watch(sandbox("g")) { recorder.record($0) }
            chain.withLock { $0.append(next) }
            try? sandbox.replace("g", by: content(of: sandbox("f")) ?? "")
        }
        for text in ["one", "two"] {
            try sandbox.replace("f", by: text)
            #expect(recorder.wait { $0.last?.content == text })
        }
        first.cancel()
        chain.withLock { $0.forEach { $0.cancel() } }
    }

    @Test(arguments: engines) func `watching does not hang while a callback waits for the caller`(
        _ engine: FileWatcherEngine
    ) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let (entered, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let slow = watcher.watch(sandbox("f")) { _ in
            entered.signal()
            mayLeave.wait()
        }
        try sandbox.replace("f", by: "new")
        entered.wait()
        let late = watch("g", on: engine)
        try sandbox.replace("g", by: "new")
        slow.cancel()
        mayLeave.signal()
        #expect(recorder.hasCaughtUp(with: sandbox("g"), after: 0))
        late.cancel()
    }

    @Test(arguments: engines) func `rechecking sends an event for every path of the watcher`(
        _ engine: FileWatcherEngine
    ) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let watches = ["f", "missing"].map { name in
            watcher.watch(sandbox(name)) { [recorder] in recorder.record($0) }
        }
        let foreign = watch("f", on: engine)
        watcher.recheck()
        #expect(recorder.wait { $0.count >= 2 })
        #expect(recorder.records.map(\.event.source) == [.recheck, .recheck])
        #expect(Set(recorder.records.map(\.event.path)) == [sandbox("f"), sandbox("missing")])
        watches.forEach { $0.cancel() }
        foreign.cancel()
    }

    @Test(arguments: engines) func `the sequence yields events until its task is cancelled`(
        _ engine: FileWatcherEngine
    ) async throws {
        let events = FileWatcher(engine: engine, safetyPoll: nil).events(for: sandbox("f"))
        try sandbox.replace("f", by: "new")
        let task = Task {
            var contents: [String?] = []
            for await event in events {
                contents.append(content(of: event.path))
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            return contents
        }
        #expect(await task.value == ["new"])
    }

    @Test(arguments: engines) func `the status names the engine of each path`(_ engine: FileWatcherEngine) {
        let watcher = FileWatcher(engine: engine)
        let watches = ["b", "a"].map { watcher.watch(sandbox($0)) { _ in } }
        let status = watcher.status
        #expect(status.paths.map(\.path) == [sandbox("a"), sandbox("b")])
        #expect(status.paths.allSatisfy { $0.engine == status.engine && $0.reason == nil })
        watches.forEach { $0.cancel() }
        #expect(watcher.status.paths.isEmpty)
    }

    @Test(arguments: engines) func `a relative path may be watched and is reported as given`(
        _ engine: FileWatcherEngine
    ) {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let watch = watcher.watch("no-such-file") { _ in }
        #expect(watcher.status.paths.map(\.path) == ["no-such-file"])
        watch.cancel()
    }

    @Test func `a file system without reliable events is polled`() throws {
        let watcher = FileWatcher(engine: .kernel)
        let watch = watcher.watch("/proc/self/status") { _ in }
        let path = try #require(watcher.status.paths.first)
        #expect(path.engine == .polling)
        #expect(path.reason == "proc does not report all changes to inotify")
        watch.cancel()
    }

    @Test func `a test drives the manual engine`() throws {
        let engine = ManualFileEngine()
        let watcher = FileWatcher(engine: .manual(engine), settling: .none)
        let watch = watcher.watch(sandbox("f")) { [recorder] in recorder.record($0) }
        try sandbox.replace("f", by: "unnoticed")
        engine.signal(sandbox("g"))
        // A program that only reads needs no thread.
        #expect(engine.hub.state.withLock { $0.timer == nil })
        engine.signal(sandbox("f"))
        engine.signal(sandbox("f"))
        #expect(recorder.wait { $0.count == 2 })
        engine.signal(sandbox("f"))
        #expect(recorder.wait { $0.count == 3 })
        #expect(recorder.records.allSatisfy { $0.event.source == .manual })
        #expect(watcher.status.engine == .manual(engine))
        watch.cancel()
    }
}
