import FileWatching
import Foundation
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

struct RetryTests {
    private let scheduler = VirtualScheduler()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Options with a watcher that reports nothing on its own, like one that has already reported the edit.
    private var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()))
        options.coalescing = .immediate
        options.diagnostics = PrefsDiagnosticHandler()
        options.scheduler = scheduler
        return options
    }

    /// Makes a path lead to a regular file that opens, but fails with `EIO` when it is read.
    private func breakReading(_ name: String) throws {
        try? FileManager.default.removeItem(atPath: folder[name])
        try FileManager.default.createSymbolicLink(
            atPath: folder[name], withDestinationPath: "/proc/self/mem")
    }

    private func repair(_ name: String, _ text: String) throws {
        try FileManager.default.removeItem(atPath: folder[name])
        try folder.write(text, to: name)
    }

    @Test func `a version that cannot be read is not said to be about to be loaded`() throws {
        try folder.write(#"{"a": 1}"#, to: "f.json")
        let storage = FilePrefsStorage(path: folder["f.json"], options: options)
        try FileManager.default.removeItem(atPath: folder["f.json"])
        try FileManager.default.createDirectory(
            atPath: folder["f.json"], withIntermediateDirectories: false)
        #expect(storage.status[0].isBehind)
        storage.reload()
        #expect(storage.problem?.code == .notARegularFile)
        #expect(!storage.status[0].isBehind)
        try repair("f.json", #"{"a": 2}"#)
        storage.reload()
        #expect(storage.snapshot["a"] == 2 && storage.problem == nil && !storage.status[0].isBehind)
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

    @Test func `reads become less frequent, and frequent again after one succeeds`() throws {
        try folder.write(#"{"a": 1}"#, to: "f.json")
        let storage = FilePrefsStorage(path: folder["f.json"], options: options)
        try breakReading("f.json")
        storage.reload()
        // The reads are 1, 3, 7, 15, 31, 63 and 123 s after the first one.
        scheduler.advance(to: .seconds(64))
        try repair("f.json", #"{"a": 2}"#)
        scheduler.advance(to: .seconds(122))
        #expect(storage.snapshot["a"] == 1)
        scheduler.advance(to: .seconds(123))
        #expect(storage.snapshot["a"] == 2)
        try breakReading("f.json")
        storage.reload()
        try repair("f.json", #"{"a": 3}"#)
        scheduler.advance(to: .seconds(124))
        #expect(storage.snapshot["a"] == 3)
    }

    @Test(arguments: [PrefsError.Code.syntax, .untrusted, .notARegularFile, .tooLarge])
    func `a file that was read and rejected waits for an edit`(_ code: PrefsError.Code) throws {
        var options = options
        options.policy = .trusted
        options.limits.fileSize = 100
        try folder.write(#"{"a": 1}"#, to: "f.json")
        let storage = FilePrefsStorage(path: folder["f.json"], options: options)
        try reject("f.json", with: code)
        storage.reload()
        #expect(storage.problem?.code == code)
        try repair("f.json", #"{"a": 2}"#)
        scheduler.advance(to: .seconds(1000))
        #expect(storage.snapshot["a"] == 1)
    }

    /// Puts a file in place that is rejected with the given code.
    private func reject(_ name: String, with code: PrefsError.Code) throws {
        try FileManager.default.removeItem(atPath: folder[name])
        switch code {
        case .notARegularFile:
            try FileManager.default.createDirectory(
                atPath: folder[name], withIntermediateDirectories: false)
        case .tooLarge: try folder.write(String(repeating: " ", count: 101), to: name)
        case .untrusted:
            try folder.write(#"{"a": 0}"#, to: name)
            #expect(unsafe chmod(folder[name], 0o666) == 0)
        default: try folder.write("{", to: name)
        }
    }
}
