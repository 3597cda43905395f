import FileWatching
import Foundation
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

struct RetryTimerTests {
    private let scheduler = VirtualScheduler()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Options whose watcher reports nothing by itself, as one that has already reported the edit.
    private var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()))
        options.coalescing = .immediate
        options.diagnostics = PrefsDiagnostics()
        options.scheduler = scheduler
        return options
    }

    /// Lets a path lead to a regular file that opens but fails to be read, with `EIO`.
    private func breakReading(_ name: String) throws {
        try? FileManager.default.removeItem(atPath: folder[name])
        try FileManager.default.createSymbolicLink(
            atPath: folder[name], withDestinationPath: "/proc/self/mem")
    }

    private func repair(_ name: String, _ text: String) throws {
        try FileManager.default.removeItem(atPath: folder[name])
        try folder.write(text, to: name)
    }

    @Test func `a read that fails is repeated until it succeeds`() throws {
        try folder.write(#"{"a": 1}"#, to: "f.json")
        let storage = FilePrefsStorage(path: folder["f.json"], options: options)
        try breakReading("f.json")
        storage.reload()
        #expect(storage.problem?.errno == EIO)
        #expect(storage.snapshot["a"] == 1)
        scheduler.advance(to: .seconds(100))
        #expect(storage.problem?.errno == EIO)
        try repair("f.json", #"{"a": 2}"#)
        scheduler.advance(to: .seconds(161))
        #expect(storage.problem == nil)
        #expect(storage.snapshot["a"] == 2)
    }

    @Test func `a read that fails at the start is repeated`() throws {
        try breakReading("f.json")
        let storage = FilePrefsStorage(path: folder["f.json"], options: options)
        try repair("f.json", #"{"a": 1}"#)
        #expect(storage.snapshot["a"] == nil)
        scheduler.advance(to: .seconds(1))
        #expect(storage.snapshot["a"] == 1)
    }

    @Test func `a locks file that cannot be read for a moment locks all keys for a moment`() throws {
        let path = folder["f.plist"]
        try folder.write("<plist><dict><key>a</key><true/></dict></plist>", to: "f.plist")
        try breakReading("f.locks")
        let storage = SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: path)], options: options)
        #expect(storage.snapshot.state.rules.locks.all.map(\.key) == ["a"])
        try repair("f.locks", "b\n")
        scheduler.advance(to: .seconds(1))
        #expect(storage.snapshot.state.rules.locks.all.map(\.key) == ["b"])
    }

    @Test func `reads become less frequent, and frequent again after one succeeds`() {
        let timer = RetryTimer(scheduler)
        let reads = Log<Duration>()
        let failure = PrefsError(.unreadable, errno: EMFILE, reason: "too many open files")
        @Sendable func read() {
            reads.add(scheduler.now)
            timer.note(reads.all.count == 8 ? nil : failure, retry: read)
        }
        timer.note(failure, retry: read)
        scheduler.advance(to: .seconds(1000))
        #expect(reads.all == [1, 3, 7, 15, 31, 63, 123, 183].map { .seconds($0) })
        timer.note(failure, retry: read)
        scheduler.advance(to: .seconds(1001))
        #expect(reads.all.last == .seconds(1001))
    }

    @Test(arguments: [PrefsError.Code.syntax, .untrusted, .notARegularFile, .tooLarge])
    func `a file that was read and rejected waits for an edit`(_ code: PrefsError.Code) {
        let (timer, reads) = (RetryTimer(scheduler), Tally())
        timer.note(PrefsError(code, reason: "rejected")) { reads.add() }
        scheduler.advance(to: .seconds(1000))
        #expect(reads.count == 0)
    }
}
