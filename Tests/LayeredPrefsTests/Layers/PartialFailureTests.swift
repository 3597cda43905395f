import Glibc
import LayeredPrefsTesting
import PrefsDocuments
import PrefsFiles
import TestSupport
import Testing

@testable import LayeredPrefs

/// Memory agrees with the disk, whatever fails.
@Suite struct PartialFailureTests {
    private let folder: TemporaryFolder
    private let storage: PrefsStack

    init() throws {
        let folder = try TemporaryFolder()
        for name in ["a.json", "b.json"] { try folder.write("{}", to: name) }
        self.folder = folder
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer("a", .file(at: folder["a.json"]))
            PrefsLayer("b", .file(at: folder["b.json"]))
            PrefsLayer(.overrides, DictionaryPrefsStorage())
        }
    }

    /// Edits of a file that another process keeps changing, or whose second preparation fails.
    private struct Failing: PreparedEdits {
        let error: PrefsError?
        var file: String? { "/f.json" }
        var preview: PrefsSource? { nil }
        func commit() -> CommittedEdits? { nil }
        func preparedAgain() throws -> any PreparedEdits {
            if let error { throw error }
            return self
        }
    }

    /// Edits that are effective, but that a crash of the system may lose.
    private struct NotDurable: PreparedEdits {
        let edits: any PreparedEdits
        var file: String? { edits.file }
        var preview: PrefsSource? { edits.preview }
        func commit() throws -> CommittedEdits? {
            guard var committed = try edits.commit() else { return nil }
            committed.synchronize = { () throws(PrefsError) in
                throw PrefsError(.notDurable, reason: "stored, but")
            }
            return committed
        }
        func preparedAgain() throws -> any PreparedEdits { NotDurable(edits: try edits.preparedAgain()) }
    }

    private func write(_ value: PrefsValue, to name: PrefsLayer.Name) throws -> PreparedWrite {
        let layer = try storage.target(name, forKey: "k")
        let edit = PathEdit(path: PrefsPath("k"), value: value)
        return PreparedWrite(layers: [layer], edits: try layer.prepare(.fixed([edit])))
    }

    @Test(arguments: [nil, PrefsError(.unwritable, reason: "no space left")])
    func `every failure lists the files that are replaced, and what is in memory stays`(
        error: PrefsError?
    ) throws {
        let layer = try storage.target("b", forKey: nil)
        let failing = PreparedWrite(layers: [layer], edits: Failing(error: error))
        let writes = [try write(1, to: "a"), failing, try write(2, to: .overrides)]
        let thrown = #expect(throws: PrefsError.self) { try storage.commit(writes) }
        #expect(thrown?.code == error?.code ?? .busy)
        #expect(thrown?.reason.contains("these files were already written: \(folder["a.json"])") == true)
        #expect(storage.snapshot["k"] == 1)
        #expect(FilePrefsStorage(path: folder["a.json"]).snapshot["k"] == 1)
    }

    @Test func `what the disk may lose is effective, and the error says so`() throws {
        let first = try write(1, to: "a")
        let notDurable = PreparedWrite(layers: first.layers, edits: NotDurable(edits: first.edits))
        let writes = [notDurable, try write(2, to: "b"), try write(3, to: .overrides)]
        let thrown = #expect(throws: PrefsError.self) { try storage.commit(writes) }
        #expect(thrown?.code == .notDurable)
        #expect(storage.snapshot["k"] == 3)
        #expect(storage.layer("a")?.storage.snapshot["k"] == 1)
        #expect(storage.layer("b")?.storage.snapshot["k"] == 2)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount"))
    func `a file that cannot be replaced fails a transaction before anything is committed`() throws {
        guard let mount = Tool.find("mount"), let umount = Tool.find("umount") else { return }
        try folder.write("{}", to: "host.json")
        guard try mount.run(["--bind", folder["host.json"], folder["b.json"]]).status == 0 else { return }
        defer { _ = try? umount.run([folder["b.json"]]) }
        let thrown = #expect(throws: PrefsError.self) {
            try storage.transaction {
                $0.setValue(1, forKey: "k", in: "a")
                $0.setValue(2, forKey: "k", in: "b")
                $0.setValue(3, forKey: "k", in: .overrides)
            }
        }
        #expect(thrown?.code == .unwritable && thrown?.reason.contains("mounted by itself") == true)
        #expect(storage.snapshot["k"] == nil)
        #expect(try folder.read("a.json") == Array("{}".utf8))
    }

    @Test func `layers that share a file in a missing folder are written together`() throws {
        let path = folder.path
        let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer("a", .file(at: path + "/new/u.json"))
            PrefsLayer("b", .file(at: path + "/new/./u.json"))
        }
        try stack.transaction {
            $0.setValue(1, forKey: "x", in: "a")
            $0.setValue(2, forKey: "y", in: "b")
        }
        let content = FilePrefsStorage(path: folder["new/u.json"]).snapshot
        #expect(content["x"] == 1 && content["y"] == 2)
    }

    /// Edits of a file that cannot be put in place.
    private struct Throwing: PreparedEdits {
        var file: String? { "/f.json" }
        var preview: PrefsSource? { nil }
        func commit() throws -> CommittedEdits? { throw PrefsError(.unwritable, reason: "no space left") }
        func preparedAgain() -> any PreparedEdits { self }
    }

    @Test func `no file is locked when observers are called, if another write fails`() throws {
        let outcomes = Log<PrefsError?>()
        let observation = storage.changeSource?.observe { [path = folder["b.json"]] in
            do {
                _ = try PrefsFileWriter(path).update { _ in Array(#"{"k": 3}"#.utf8) }
                outcomes.add(nil)
            } catch {
                outcomes.add(error as? PrefsError)
            }
        }
        let layer = try storage.target("b", forKey: nil)
        let throwing = PreparedWrite(layers: [layer], edits: Throwing())
        let writes = [try write(1, to: "a"), throwing, try write(2, to: "b")]
        #expect(throws: PrefsError.self) { try storage.commit(writes) }
        #expect(outcomes.all.first == .some(nil))
        observation?.cancel()
    }
}
