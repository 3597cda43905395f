import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite struct SystemPrefsStorageTests {
    private let sandbox: PrefsSandbox
    private let storage: SystemPrefsStorage

    init() throws {
        sandbox = try PrefsSandbox()
        for number in 0..<20 {
            try sandbox.write(["a\(number)": 0], to: "\(sandbox.administrator).d/\(number).plist")
        }
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        storage = SystemPrefsStorage(locations: sandbox.locations.system, options: options)
    }

    @Test func `the snapshot is composed again only after something changed`() throws {
        let first = storage.snapshot
        #expect(storage.snapshot.isCopy(of: first))
        let stack = PrefsStack {
            PrefsLayer(.system, storage)
            PrefsLayer.overrides
        }
        try stack.setValue(1, forKey: "b", in: .overrides)
        storage.reload()
        #expect(storage.snapshot.isCopy(of: first))
        try sandbox.write("a0\n", to: sandbox.administrator.replacing(".plist", with: ".locks"))
        storage.reload()
        let locked = storage.snapshot
        #expect(!locked.isCopy(of: first) && locked.state.rules.locks.all.map(\.key) == ["a0"])
        try sandbox.write(["a0": 1], to: "\(sandbox.administrator).d/0.plist")
        storage.reload()
        #expect(storage.snapshot["a0"] == 1)
        #expect(storage.snapshot.state.rules.locks === locked.state.rules.locks)
    }

    @Test func `a write to another layer does not touch the system's files and locks`() throws {
        try sandbox.write("a0\n", to: sandbox.administrator.replacing(".plist", with: ".locks"))
        storage.reload()
        let stack = PrefsStack {
            PrefsLayer(.system, storage)
            PrefsLayer.overrides
        }
        let before = stack.snapshot.state
        try stack.setValue(1, forKey: "b", in: .overrides)
        stack.declare(PersistentKey("c", defaultValue: 0, .formerly("d")))
        let after = stack.snapshot.state
        #expect(stack.snapshot["b"] == 1)
        #expect(after.parts.groups.count == 2)
        #expect(after.parts.groups.last === before.parts.groups.last)
        #expect(after.rules.locks === before.rules.locks)
    }

    @Test func `files that changed together are announced once`() throws {
        let announced = Recorder<PrefsValue?>()
        announced.keep(
            storage.changeSource?.observe { [storage] in announced.record(storage.snapshot["a19"]) })
        for number in 0..<20 {
            try sandbox.write(["a\(number)": 1], to: "\(sandbox.administrator).d/\(number).plist")
        }
        try sandbox.write(["a": 1], to: sandbox.vendor)
        try sandbox.write("a1\n", to: sandbox.vendor.replacing(".plist", with: ".locks"))
        storage.reload()
        #expect(announced.elements == [1])
        storage.reload()
        #expect(announced.elements == [1])
        announced.stop()
    }
}
