import FoundationEssentials
import Glibc
import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

/// The system and user files, with a stack over them and a recorder of its change sets.
private struct Edited {
    let sandbox: PrefsSandbox
    let storage: PrefsStack
    let sets: Recorder<PrefsChangeSet>
    /// Longer than a writer may have to wait while all tests run in parallel.
    static let window = Duration.seconds(8)

    init(
        _ coalescing: PrefsCoalescing = .leadingEdge(window),
        _ prepare: (PrefsSandbox) throws -> Void = { _ in }
    ) throws {
        sandbox = try PrefsSandbox()
        try prepare(sandbox)
        var options = FilePrefsStorage.Options()
        options.coalescing = coalescing
        storage = sandbox.standard(options: options)
        sets = Recorder.changeSets(in: storage)
    }

    var files: [String] { [sandbox.vendor, sandbox.administrator, sandbox.user] }

    func write(_ number: Int, to path: String) throws {
        let key = files.firstIndex(of: path).map { "key\($0)" } ?? "key"
        try sandbox.write([key: .integer(Int128(number))], to: path)
    }
}

@Suite struct PrefsCoalescingTests {
    @Test(arguments: [1, 3]) func `fifty edits are at most two change sets`(_ count: Int) async throws {
        let edited = try Edited()
        for number in 1...50 {
            for path in edited.files.suffix(count) { try edited.write(number, to: path) }
        }
        try await edited.sets.wait(within: .seconds(60)) { _ in
            edited.files.indices.suffix(count).allSatisfy { edited.storage.snapshot["key\($0)"] == 50 }
        }
        await edited.storage.reloadAndSettle()
        #expect(edited.sets.elements.count <= 2)
    }

    @Test(arguments: [1, 3]) func `settling makes fifty edits one change set`(_ count: Int) async throws {
        let edited = try Edited(.trailingEdge(Edited.window))
        for number in 1...50 {
            for path in edited.files.suffix(count) { try edited.write(number, to: path) }
        }
        #expect(edited.sets.elements.isEmpty)
        try await edited.sets.wait(within: .seconds(60)) { !$0.isEmpty }
        #expect(edited.sets.elements.map(\.changes.count) == [count])
        #expect(edited.sets.elements.map { $0.changes.first?.new.value } == [50])
    }

    @Test func `files replaced by retargeting one link are one generation`() async throws {
        let edited = try Edited { sandbox in
            // As in a mounted ConfigMap, every file is a link through one link that is retargeted.
            for (number, release) in [(1, "old"), (2, "new"), (3, "newest")] {
                let number = PrefsValue.integer(Int128(number))
                for (index, place) in [sandbox.vendor, sandbox.administrator, sandbox.user].enumerated() {
                    try sandbox.write(
                        ["key\(index)": number], to: "\(sandbox.root)/\(release)/\(index).plist")
                    let folder = URL(filePath: place).deletingLastPathComponent().path
                    try FileManager.default.createDirectory(
                        atPath: folder, withIntermediateDirectories: true)
                    if release == "old" {
                        try FileManager.default.createSymbolicLink(
                            atPath: place, withDestinationPath: "\(sandbox.root)/now/\(index).plist")
                    }
                }
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(sandbox.root)/now", withDestinationPath: "old")
        }
        let root = edited.sandbox.root
        func retarget(to release: String) throws {
            try FileManager.default.createSymbolicLink(atPath: "\(root)/next", withDestinationPath: release)
            try #require(unsafe rename("\(root)/next", "\(root)/now") == 0)
        }
        let keys = ["key0", "key1", "key2"]
        #expect(edited.storage.snapshot["key0"] == 1)
        // The watches of some files may not have been added yet. Changes of these files come later.
        try retarget(to: "new")
        try await edited.sets.wait(within: .seconds(60)) { sets in
            Set(sets.flatMap { $0.changes.map(\.key) }) == Set(keys)
        }
        await edited.storage.reloadAndSettle()
        let count = edited.sets.elements.count
        try retarget(to: "newest")
        try await edited.sets.wait(within: .seconds(60)) { $0.count > count }
        await edited.storage.reloadAndSettle()
        #expect(edited.sets.elements.dropFirst(count).map { $0.changes.map(\.key) } == [keys])
    }

    @Test func `a stack of stacks coalesces the edits of each of them`() async throws {
        let sandbox = try PrefsSandbox()
        let storage = PrefsStack(coalescing: .trailingEdge(Edited.window)) {
            PrefsLayer("site", PrefsStack { PrefsLayer(.user, .file(at: sandbox.user)) })
            PrefsLayer("any", ErasedStorage(.file(at: sandbox.vendor)))
            PrefsLayer("more", PrefsStack { PrefsLayer(.user, .file(at: sandbox.administrator)) })
        }
        let inner = Recorder.changeSets(in: try #require(storage.layers[2].storage as? PrefsStack))
        let sets = Recorder.changeSets(in: storage)
        try sandbox.write(["a": 1], to: sandbox.user)
        try sandbox.write(["b": 1], to: sandbox.vendor)
        try sandbox.write(["c": 1], to: sandbox.administrator)
        // The inner stack commits on its own, so the outer stack may commit up to three times.
        try await sets.wait(within: .seconds(60)) { $0.flatMap { $0.changes.map(\.key) }.count == 3 }
        await storage.reloadAndSettle()
        #expect(sets.elements.flatMap { $0.changes.map(\.key) }.sorted() == ["a", "b", "c"])
        try await inner.wait { $0.map { $0.changes.map(\.key) } == [["c"]] }
    }
}
