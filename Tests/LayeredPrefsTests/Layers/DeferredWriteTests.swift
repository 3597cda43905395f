import LayeredPrefsTesting
import PrefsDocuments
import PrefsFiles
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct DeferredWriteTests {
    private let folder: TemporaryFolder
    private let storage: PrefsStack
    private let level = PersistentKey("level", defaultValue: 0, in: 0...1_000_000)

    init() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}", to: "u.json")
        self.folder = folder
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.user, .file(at: path))
            PrefsLayer(.overrides, DictionaryPrefsStorage())
        }
    }

    @Test func `a later write of any kind comes after a deferred one`() async throws {
        for round in 1...60 {
            let last = 3 * round
            storage.setLater(level, to: last - 1)
            switch round % 3 {
            case 0: try storage.set(level, to: last)
            case 1: try storage.setValue(.integer(Int128(last)), forKey: "level")
            default: try storage.transaction { $0.set(level, to: last) }
            }
            await storage.flush()
            #expect(storage.get(level) == last)
            #expect(FilePrefsStorage(path: folder["u.json"]).snapshot["level"] == .integer(Int128(last)))
        }
    }

    @Test func `deferred writes of one file that wait together are one write`() async throws {
        let commits = Tally()
        let observation = storage.changeSource?.observe { commits.add() }
        let held = try PrefsFileWriter(folder["u.json"]).prepare { _ in nil }
        for number in 1...3000 { storage.setLater(level, to: number) }
        for number in 1...200 { storage.setValueLater(.integer(Int128(number)), forKey: "other.k\(number)") }
        held.discard()
        await storage.flush()
        // The first call may be written alone.
        #expect((1...2).contains(commits.count))
        #expect(storage.get(level) == 3000)
        #expect(storage.snapshot["other"]?.dictionary?.count == 200)
        observation?.cancel()
    }

    @Test func `more keys than may wait are all written`() async throws {
        for number in 1...2500 { storage.setValueLater(.integer(Int128(number)), forKey: "k\(number)") }
        await storage.flush()
        let content = FilePrefsStorage(path: folder["u.json"]).snapshot
        for number in 1...2500 { #expect(content["k\(number)"] == .integer(Int128(number))) }
    }

    @Test func `a rejected write replaces neither an earlier nor a later one`() async throws {
        let held = try PrefsFileWriter(folder["u.json"]).prepare { _ in nil }
        storage.setLater(level, to: 1)
        storage.setLater(level, to: 2)
        storage.setLater(level, to: -1)
        held.discard()
        await storage.flush()
        #expect(storage.get(level) == 2)
    }

    @Test func `a write that fails leaves the others`() async throws {
        let held = try PrefsFileWriter(folder["u.json"]).prepare { _ in nil }
        storage.setValueLater(1, forKey: "a", in: "none")
        storage.setValueLater(2, forKey: "b", in: .user)
        storage.setValueLater(3, forKey: "c", in: .overrides)
        held.discard()
        await storage.flush()
        #expect(storage.snapshot["b"] == 2 && storage.snapshot["c"] == 3)
    }

    /// A storage in memory whose writes are effective, but never durable. The first preparation waits.
    private final class Undurable: PathWritablePrefsStorage {
        let contents = DictionaryPrefsStorage()
        let commits = Tally()
        let isPreparing = Latch()
        let mayPrepare = Latch()

        var snapshot: PrefsSnapshot { contents.snapshot }
        var isWritable: Bool { true }
        var isPersistent: Bool { true }

        func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
            try contents.setValue(value, forKey: key)
        }

        func prepare(_ edits: PathEdits) throws -> any PreparedEdits {
            if commits.count == 0 {
                isPreparing.open()
                mayPrepare.wait()
            }
            return Edits(storage: self, edits: try contents.prepare(edits))
        }

        private struct Edits: PreparedEdits {
            let storage: Undurable
            let edits: any PreparedEdits
            var file: String? { edits.file }
            var preview: PrefsSource? { edits.preview }

            func commit() throws -> CommittedEdits? {
                storage.commits.add()
                var committed = try edits.commit()
                committed?.synchronize = { () throws(PrefsError) in
                    throw PrefsError(.notDurable, reason: "stored, but")
                }
                return committed
            }

            func preparedAgain() throws -> any PreparedEdits { self }
        }
    }

    @Test func `deferred writes that may not be durable are reported and not repeated`() async throws {
        let (diagnostics, reported, subscription) = Recorder<PrefsDiagnostic>.recording()
        let undurable = Undurable()
        let storage = PrefsStack(diagnostics: diagnostics) { PrefsLayer(.user, undurable) }
        storage.setValueLater(1, forKey: "a")
        undurable.isPreparing.wait()
        storage.setValueLater(2, forKey: "b")
        storage.setValueLater(3, forKey: "c")
        storage.setValueLater(4, forKey: "d", in: "none")
        undurable.mayPrepare.open()
        await storage.flush()
        #expect(storage.snapshot.dictionary == ["a": 1, "b": 2, "c": 3])
        // The first one is written alone, then the others together.
        #expect(undurable.commits.count == 2)
        #expect(reported.elements.map(\.error.code) == [.notDurable, .missing, .notDurable])
        withExtendedLifetime(subscription) {}
    }

    @Test func `repeated deferred removals of one key are one write`() async throws {
        let name = PersistentKey<String?>("name")
        try storage.set(name, to: "a")
        let held = try PrefsFileWriter(folder["u.json"]).prepare { _ in nil }
        // If each of these counted, `setLater` would write them itself at the limit, and wait for the file.
        for _ in 1...3 * DeferredWrites.limit { storage.setLater(name, to: nil) }
        #expect(storage.get(name) == "a")
        held.discard()
        await storage.flush()
        #expect(storage.get(name) == nil)
    }

    @Test func `a write that cannot wait for the deferred ones throws, and they do not overwrite it`()
        async throws
    {
        let undurable = Undurable()
        let storage = PrefsStack(
            coalescing: .standard, diagnostics: PrefsDiagnosticHandler(),
            deferred: DeferredWrites(patience: .milliseconds(1)), [PrefsLayer(.user, undurable)])
        storage.setLater(level, to: 1)
        undurable.isPreparing.wait()
        var written = 0
        let error = #expect(throws: PrefsError.self) {
            try storage.set(level, to: 2)
            written = 2
        }
        undurable.mayPrepare.open()
        await storage.flush()
        #expect(error?.code == .busy)
        #expect(storage.get(level) == max(written, 1))
    }

    @Test func `an observer that is called while deferred writes are made may write`() async throws {
        let observation = storage.observe(level) { [storage] change in
            guard change.new.value == 1 else { return }
            _ = try? storage.setValue("seen", forKey: "log", in: .overrides)
        }
        let direct = storage.changeSource?.observe { [storage] in
            if storage.snapshot["direct"] == nil {
                _ = try? storage.setValue(true, forKey: "direct", in: .overrides)
            }
        }
        storage.setLater(level, to: 1)
        await storage.flush()
        await storage.settled()
        #expect(storage.snapshot["log"] == "seen" && storage.snapshot["direct"] == true)
        observation.cancel()
        direct?.cancel()
    }
}
