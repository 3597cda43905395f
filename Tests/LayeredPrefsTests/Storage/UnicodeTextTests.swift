import FileWatching
import FoundationEssentials
import LayeredPrefsTesting
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable {
    var name = ""
    var tables: [String: Int] = [:]
}

/// An `é` as one character, and as two: equal as `String`s, but different bytes, and so different values.
private let spellings = ["caf\u{E9}", "cafe\u{301}"]

/// A text in different bytes is a different value, whoever writes it.
@Suite struct UnicodeTextTests {
    private let folder: TemporaryFolder
    private let seen = Recorder<[UInt8]>()
    private let name = PersistentKey("name", defaultValue: "")
    private let tables = PersistentKey<[String: Int]>("tables", defaultValue: [:])

    init() throws { folder = try TemporaryFolder() }

    private var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return options
    }

    private func stack(_ file: String) -> PrefsStack {
        PrefsStack(diagnostics: options.diagnostics) {
            PrefsLayer(.user, FilePrefsStorage(path: folder[file], options: options))
        }
    }

    private func holds(_ file: String, _ text: String) throws -> Bool {
        try folder.read(file).indices.contains { try folder.read(file)[$0...].starts(with: text.utf8) }
    }

    @Test func `a write in memory is a change`() async throws {
        let storage = DictionaryPrefsStorage(values: ["name": .string(spellings[0])])
        let observation = storage.observe(name) { [seen] in seen.record(Array($0.new.value.utf8)) }
        try storage.set(name, to: spellings[1])
        #expect(try await seen.wait { $0.count == 1 } == [Array(spellings[1].utf8)])
        observation.cancel()
    }

    @Test(arguments: PrefsFileFormat.texts.map { "f.\($0.fileExtension)" })
    func `a write to a file is stored`(file: String) throws {
        let storage = stack(file)
        try storage.set(name, to: spellings[0])
        try storage.set(tables, to: [spellings[0]: 1, "x": 2])
        for spelling in spellings.reversed() {
            try storage.set(name, to: spelling)
            #expect(storage.get(name).utf8.elementsEqual(spelling.utf8))
            try storage.set(tables, to: [spelling: 1, "x": 2])
            #expect(storage.get(tables).keys.contains { $0.utf8.elementsEqual(spelling.utf8) })
            let other = spellings.first { !$0.utf8.elementsEqual(spelling.utf8) } ?? ""
            #expect(try !holds(file, other))
        }
    }

    @Test(arguments: PrefsFileFormat.texts.map { "f.\($0.fileExtension)" })
    func `an edit of a file is reported`(file: String) async throws {
        let format = PrefsFileFormat.named(by: file) ?? .xmlPropertyList
        func write(_ spelling: String) throws {
            let content: [String: PrefsValue] = ["name": .string(spelling), "tables": [spelling: 1]]
            try folder.write(String(decoding: format.serialize(content), as: UTF8.self), to: file)
        }
        try write(spellings[0])
        let storage = stack(file)
        let keys = Recorder<[UInt8]>()
        let observations = [
            storage.observe(name) { [seen] in seen.record(Array($0.new.value.utf8)) },
            storage.observe(tables) { keys.record(Array($0.new.value.keys.first?.utf8 ?? "".utf8)) },
        ]
        try write(spellings[1])
        storage.reload()
        #expect(try await seen.wait { $0.count == 1 } == [Array(spellings[1].utf8)])
        #expect(try await keys.wait { $0.count == 1 } == [Array(spellings[1].utf8)])
        for observation in observations { observation.cancel() }
    }

    @Test func `a configuration's closures are asked about it`() async throws {
        try folder.write("name = '\(spellings[0])'\n", to: "f.toml")
        let relay = try Live(Relay(), stack("f.toml"))
        let applying = relay.apply(\.name) { [seen] _, new in seen.record(Array(new.utf8)) }
        try folder.write("name = '\(spellings[1])'\n", to: "f.toml")
        relay.storage.reload()
        try await relay.applied()
        #expect(seen.elements == [Array(spellings[1].utf8)])
        _ = try await relay.update { $0.name = spellings[0] }
        #expect(seen.elements.count == 2)
        #expect(try holds("f.toml", spellings[0]))
        applying.cancel()
    }

    @Test func `a new secret is adopted`() throws {
        try folder.write(spellings[0], to: "token")
        let storage = EnvironmentPrefsStorage(
            prefix: "MYD_", environment: ["MYD_TOKEN_FILE": folder["token"]])
        let stack = PrefsStack { PrefsLayer(.environment, storage) }
        let token = PersistentKey("token", defaultValue: "", .secret)
        #expect(stack.get(token).utf8.elementsEqual(spellings[0].utf8))
        try folder.write(spellings[1], to: "token")
        stack.reload()
        #expect(stack.get(token).utf8.elementsEqual(spellings[1].utf8))
    }

    @Test func `a new text in a directory or an environment file is adopted`() throws {
        try folder.write("MYD_NAME=\(spellings[0])\n", to: ".env")
        let mount = try TemporaryFolder()
        try mount.write(spellings[0], to: "name")
        let directory: DirectoryPrefsStorage = .directory(at: mount.path)
        let variables = EnvironmentPrefsStorage.DotEnv(path: folder[".env"], prefix: "MYD_")
        try folder.write("MYD_NAME=\(spellings[1])\n", to: ".env")
        try mount.write(spellings[1], to: "name")
        for storage in [directory, variables] as [any PrefsStorage] {
            storage.reload()
            #expect(storage.get(name).utf8.elementsEqual(spellings[1].utf8))
        }
    }

    @Test func `a property of a schema differs`() {
        #expect(!SchemaKey(name).isEqual(spellings[0], spellings[1]))
        #expect(SchemaKey(name).isEqual(spellings[0], spellings[0]))
    }
}
