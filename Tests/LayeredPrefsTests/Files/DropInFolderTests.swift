import FileWatching
import Foundation
import Glibc
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct DropInFolderTests {
    private let scheduler = VirtualScheduler()
    private let folder: TemporaryFolder
    private let diagnostics = PrefsDiagnosticHandler()
    private let watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)

    init() throws { folder = try TemporaryFolder() }

    private var main: String { folder["x.plist"] }
    private var dropIns: String { "\(main).d" }

    /// Options with a watcher that reports nothing on its own.
    private var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = watcher
        options.coalescing = .immediate
        options.diagnostics = diagnostics
        options.scheduler = scheduler
        return options
    }

    private func open() -> SystemPrefsStorage {
        SystemPrefsStorage(locations: [PrefsFileLocations.System(path: main)], options: options)
    }

    private func write(_ content: [String: PrefsValue], to name: String) throws {
        try FileManager.default.createDirectory(atPath: dropIns, withIntermediateDirectories: true)
        try write(content, toPath: "\(dropIns)/\(name)")
    }

    private func write(_ content: [String: PrefsValue], toPath path: String) throws {
        try Data(PrefsFileFormat.xmlPropertyList.serialize(content)).write(
            to: URL(filePath: path), options: .atomic)
    }

    /// Replaces the folder with a link to itself, which even root cannot open.
    private func breakFolder() throws {
        try FileManager.default.moveItem(atPath: dropIns, toPath: folder["kept"])
        try FileManager.default.createSymbolicLink(atPath: dropIns, withDestinationPath: dropIns)
    }

    private func mendFolder() throws {
        try FileManager.default.removeItem(atPath: dropIns)
        try FileManager.default.moveItem(atPath: folder["kept"], toPath: dropIns)
    }

    @Test func `a folder that cannot be listed keeps its drop-ins until it can be listed again`() throws {
        try write(["a": 1], to: "a.plist")
        let storage = open()
        let reported = Recorder.diagnostics(of: diagnostics)
        try breakFolder()
        storage.reload()
        storage.reload()
        #expect(storage.snapshot["a"] == 1)
        // The file in the folder cannot be read either. Its reports do not count here.
        func reports() -> [PrefsDiagnostic] {
            reported.elements.filter { $0.error.origin?.file == dropIns }
        }
        #expect(reports().map(\.severity) == [.error])
        #expect(reports().first?.error.reason.hasSuffix("; keeping the previous version") == true)
        #expect(reports().first?.error.errno == ELOOP)
        #expect(storage.status.contains { $0.file == dropIns && $0.problem?.errno == ELOOP })
        scheduler.advance(to: .seconds(100))
        #expect(storage.snapshot["a"] == 1)
        try mendFolder()
        try write(["b": 2], to: "b.plist")
        try FileManager.default.removeItem(atPath: "\(dropIns)/a.plist")
        scheduler.advance(to: .seconds(161))
        #expect(storage.snapshot.dictionary == ["b": 2])
        #expect(reports().map(\.severity) == [.error, .recovered])
        #expect(!storage.status.contains { $0.problem != nil })
        reported.stop()
    }

    @Test func `a folder that cannot be listed at the start is listed later`() throws {
        try write(["a": 1], to: "a.plist")
        try breakFolder()
        let storage = open()
        #expect(storage.snapshot["a"] == nil)
        let announced = Recorder<Int>()
        announced.keep(storage.changeSource?.observe { announced.record(1) })
        try mendFolder()
        scheduler.advance(to: .seconds(1))
        #expect(storage.snapshot["a"] == 1)
        #expect(announced.elements.count == 1)
        announced.stop()
    }

    @Test func `a folder that is gone has no drop-ins`() throws {
        try write(["a": 1], to: "a.plist")
        let storage = open()
        try FileManager.default.removeItem(atPath: dropIns)
        storage.reload()
        #expect(storage.snapshot["a"] == nil)
        #expect(!storage.status.contains { $0.problem != nil })
    }

    @Test func `of two listings the later one wins`() async throws {
        try write([:], to: "other.plist")
        let storage = open()
        for round in 0..<60 {
            async let other: Void = Task.detached { storage.reload() }.value
            try write(["a": .integer(Int128(round))], to: "a.plist")
            storage.reload()
            await other
            #expect(storage.snapshot["a"] == .integer(Int128(round)))
            async let another: Void = Task.detached { storage.reload() }.value
            try FileManager.default.removeItem(atPath: "\(dropIns)/a.plist")
            storage.reload()
            await another
            #expect(storage.snapshot["a"] == nil)
        }
    }

    @Test func `a dropped storage watches nothing`() throws {
        try write(["a": 1], to: "a.plist")
        var storage: SystemPrefsStorage? = open()
        weak let released = storage
        #expect(storage?.snapshot["a"] == 1)
        #expect(watcher.status.paths.count >= 6)
        storage = nil
        #expect(released == nil)
        #expect(watcher.status.paths.isEmpty)
    }

    @Test func `a name that is not UTF-8 is reported`() throws {
        try write(["a": 1], to: "a.plist")
        let reported = Recorder.diagnostics(of: diagnostics)
        let name = (Array("\(dropIns)/caf".utf8) + [0xE9] + Array(".plist".utf8) + [0]).map(
            CChar.init(bitPattern:))
        let descriptor = unsafe Glibc.open(name, O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        let storage = open()
        storage.reload()
        #expect(storage.snapshot["a"] == 1)
        #expect(reported.elements.map(\.severity) == [.warning])
        #expect(reported.elements.first?.error.reason.contains("caf\\xE9.plist") == true)
        #expect(storage.status.contains { $0.problem?.code == .unsupported })
        reported.stop()
    }

    @Test func `a new drop-in that is broken is not used, and says so`() throws {
        try write(["a": 1], to: "a.plist")
        let storage = open()
        let reported = Recorder.diagnostics(of: diagnostics)
        try folder.write("{", to: "x.plist.d/b.json")
        storage.reload()
        #expect(storage.snapshot["a"] == 1)
        let reasons = reported.elements.map(\.error.reason)
        #expect(reasons.map { $0.hasSuffix("; not using this file") } == [true], "\(reasons)")
        try folder.write(#"{"a": 2}"#, to: "x.plist.d/b.json")
        storage.reload()
        try folder.write("{", to: "x.plist.d/b.json")
        storage.reload()
        #expect(storage.snapshot["a"] == 2)
        #expect(reported.elements.last?.error.reason.hasSuffix("; keeping the previous version") == true)
    }

    @Test func `names that differ only in their normalization are two files`() throws {
        try write(["composed": 1], to: "\u{E9}.plist")
        try write(["decomposed": 1], to: "e\u{301}.plist")
        let storage = open()
        #expect(storage.snapshot.keys == ["composed", "decomposed"])
        let stack = PrefsStack { PrefsLayer(.system, storage) }
        try FileManager.default.removeItem(atPath: "\(dropIns)/e\u{301}.plist")
        stack.reload()
        #expect(stack.snapshot.dictionary == ["composed": 1])
        try FileManager.default.removeItem(atPath: "\(dropIns)/\u{E9}.plist")
        stack.reload()
        #expect(stack.snapshot.dictionary.isEmpty)
    }

    @Test func `a drop-in is in force until the one that replaces it is`() throws {
        try write(["a": 1], to: "a.plist")
        let storage = open()
        let seen = Recorder<PrefsValue?>()
        // The storage reports the warning while it opens the new file.
        let observation = diagnostics.observe { _ in seen.record(storage.snapshot["a"]) }
        try FileManager.default.removeItem(atPath: "\(dropIns)/a.plist")
        try folder.write(#"{"a": 2, "a": 2}"#, to: "x.plist.d/b.json")
        storage.reload()
        #expect(seen.elements == [1])
        #expect(storage.snapshot["a"] == 2)
        observation.cancel()
    }
}
