import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

/// A broken user's file, which can be put aside and then written again.
@Suite struct RepairTests {
    private let level = PersistentKey("level", defaultValue: 1)
    private let sandbox: PrefsSandbox
    private let storage: PrefsStack

    init() throws {
        sandbox = try PrefsSandbox(format: .toml)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        storage = sandbox.standard(options: options)
    }

    private static let broken = [String(repeating: "\0", count: 4096), "level = = 1\n", "[window\n"]

    @Test(arguments: broken)
    func `a write to a broken file names a command and a call that help, and they do`(text: String) throws {
        try storage.set(level, to: 5)
        try sandbox.write(text, to: sandbox.user)
        storage.reload()
        #expect(storage.get(level) == 5)
        let error = #expect(throws: PrefsError.self) { try storage.set(level, to: 2) }
        #expect(error?.code == .broken && error?.origin?.file == sandbox.user)
        let advice = "run `prefs repair --layer user=\(sandbox.user)`, or call `repair()`"
        #expect(error?.reason.contains(advice) == true, "\(error as Any)")
        #expect(try String(contentsOfFile: sandbox.user, encoding: .utf8) == text)

        let kept = try storage.repair()
        #expect(kept == "\(sandbox.user).broken")
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == text)
        #expect(storage.get(level) == 1)
        #expect(storage.status.allSatisfy { $0.problem == nil })
        #expect(try storage.set(level, to: 2) == .effective)
        #expect(try String(contentsOfFile: sandbox.user, encoding: .utf8) == "level = 2\n")
    }

    @Test func `a file that can be read is not put aside`() throws {
        #expect(#expect(throws: PrefsError.self) { try storage.repair() }?.code == .missing)
        try storage.set(level, to: 5)
        #expect(#expect(throws: PrefsError.self) { try storage.repair() }?.code == .unsupported)
        #expect(storage.get(level) == 5)
    }

    @Test func `a file that another process has mended in the meantime stays`() throws {
        try sandbox.write("level = ", to: sandbox.user)
        storage.reload()
        try sandbox.write("level = 7", to: sandbox.user)
        #expect(#expect(throws: PrefsError.self) { try storage.repair() }?.code == .unsupported)
        #expect(try String(contentsOfFile: sandbox.user, encoding: .utf8) == "level = 7")
    }

    @Test func `observers learn of the values that apply then`() async throws {
        try sandbox.write("level = 3", to: sandbox.administrator)
        try storage.set(level, to: 5)
        let values = Recorder<Int>()
        let observation = storage.observe(level) { values.record($0.new.value) }
        try sandbox.write("level = ", to: sandbox.user)
        await storage.reloadAndSettle()
        try storage.repair(in: .user)
        await storage.settled()
        #expect(values.elements == [3])
        observation.cancel()
    }

    @Test func `only the file of a layer with one file is put aside`() throws {
        try sandbox.write("level = ", to: sandbox.administrator)
        storage.reload()
        for layer in [PrefsLayer.Name.system, .overrides] {
            #expect(#expect(throws: PrefsError.self) { try storage.repair(in: layer) }?.code == .unsupported)
        }
        #expect(#expect(throws: PrefsError.self) { try storage.repair(in: "other") }?.code == .missing)
        // A person has to mend the administrator's file.
        let error = #expect(throws: PrefsError.self) { try storage.set(level, to: 2, in: .system) }
        #expect(error?.code == .broken && error?.reason.contains("repair") == false)
        #expect(try String(contentsOfFile: sandbox.administrator, encoding: .utf8) == "level = ")
    }

    @Test func `an inner stack puts its own file aside`() throws {
        try sandbox.write("level = ", to: sandbox.user)
        let inner = sandbox.standard(options: storage.silentOptions)
        let outer = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { PrefsLayer("inner", inner) }
        #expect(throws: PrefsError.self) { try outer.set(level, to: 2) }
        #expect(try outer.repair() == "\(sandbox.user).broken")
        #expect(try outer.set(level, to: 2) == .effective)
        #expect(outer.get(level) == 2)
    }
}

extension PrefsStack {
    fileprivate var silentOptions: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        return options
    }
}
