import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var openCount: Self { Self("openCount", defaultValue: 0, in: 0...1000) }
    fileprivate static var renamed: Self { Self("present", defaultValue: 0, .formerly("former")) }
    fileprivate static var switchable: Self {
        Self("switchable", defaultValue: 1, .debugOnly(releaseValue: 7))
    }
}

extension PersistentKey where Value == Int? {
    fileprivate static var optional: Self { Self("optional") }
}

extension PersistentKey where Value == [String] {
    fileprivate static var recentFiles: Self { Self("recentFiles", defaultValue: []) }
}

extension PersistentKey where Value == String {
    fileprivate static var token: Self { Self("token", defaultValue: "", .secret) }
}

extension PersistentKey where Value == [String: Bool] {
    fileprivate static var features: Self { Self("features", defaultValue: [:], .merge(.deep)) }
    fileprivate static var renamedFeatures: Self {
        Self("flags", defaultValue: [:], .merge(.deep), .formerly("features"))
    }
}

private struct Window: Codable, Sendable, Equatable {
    var width = 100
    var height = 24
}

extension PersistentKey where Value == Window {
    fileprivate static var window: Self { Self("window", defaultValue: Window()) }
}

private struct Stop: Error {}

/// Updates of a key whose new value depends on its previous one: the new value, and the layer that stores it.
@Suite struct UpdatingKeysTests: StackSuite {
    let fixture: StackFixture

    init() throws { fixture = try StackFixture("user.toml") }

    private var options: FilePrefsStorage.Options { fixture.options }

    private func stack() -> PrefsStack { stack(of: layer(.system, "system.toml"), layer(.user), .overrides) }

    private func text(_ name: String = "user.toml") throws -> String { try text(of: name) }

    /// A change of one key, and the contents of the user's file before and after it.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var system = ""
        let before: String
        let after: String
        let update: @Sendable (PrefsStack) throws -> PrefsWriteOutcome
    }

    private static let kinds = [
        Kind(testDescription: "a number", before: "openCount = 5\n", after: "openCount = 6\n") {
            try $0.update(.openCount) { $0 += 1 }
        },
        Kind(
            testDescription: "a number of a lower layer", system: "openCount = 5", before: "",
            after: "openCount = 6\n"
        ) {
            try $0.update(.openCount) { $0 += 1 }
        },
        Kind(testDescription: "a default", before: "", after: "openCount = 1\n") {
            try $0.update(.openCount) { $0 += 1 }
        },
        Kind(
            testDescription: "an array", before: "recentFiles = [\"a\"] # newest last\n",
            after: "recentFiles = [\"a\", \"b\"] # newest last\n"
        ) {
            try $0.update(.recentFiles) { $0.append("b") }
        },
        Kind(testDescription: "an absent optional", before: "", after: "optional = 1\n") {
            try $0.update(.optional) { $0 = ($0 ?? 0) + 1 }
        },
        Kind(testDescription: "an optional that becomes absent", before: "optional = 1\n", after: "") {
            try $0.update(.optional) { $0 = nil }
        },
        Kind(testDescription: "a secret", before: "token = \"a\"\n", after: "token = \"ab\"\n") {
            try $0.update(.token) { $0 += "b" }
        },
        Kind(testDescription: "a former name", before: "former = 5\n", after: "former = 5\npresent = 6\n") {
            try $0.update(.renamed) { $0 += 1 }
        },
        Kind(
            testDescription: "a struct's field", system: "window.height = 30", before: "window.other = 1\n",
            after: "window.other = 1\nwindow.width = 101\n"
        ) {
            try $0.update(.window) { $0.width += 1 }
        },
        Kind(
            testDescription: "a dictionary's entry", system: "features = { a = true, b = true }",
            before: "[features]\nc = true\n", after: "[features]\nc = true\na = false\n"
        ) {
            try $0.update(.features) { $0["a"]?.toggle() }
        },
        Kind(
            testDescription: "a dictionary's own entry that is removed", system: "features = { a = true }",
            before: "[features]\nb = true\nc = true\n", after: "[features]\nb = true\n"
        ) {
            try $0.update(.features) { $0["c"] = nil }
        },
    ]

    @Test(arguments: kinds)
    func `an update stores what the closure makes of the value`(kind: Kind) throws {
        try folder.write(kind.system, to: "system.toml")
        try folder.write(kind.before, to: "user.toml")
        let storage = stack()
        #expect(try kind.update(storage) == .effective)
        #expect(try text() == kind.after)
        #expect(try text("system.toml") == kind.system)
    }

    @Test func `an entry is added to a dictionary under its former name`() throws {
        try folder.write("features = { a = true }", to: "system.toml")
        try folder.write("features = { b = true }\n", to: "user.toml")
        let storage = stack()
        #expect(try storage.update(.renamedFeatures) { $0["c"] = true } == .effective)
        #expect(storage.get(.renamedFeatures) == ["a": true, "b": true, "c": true])
        let file = try #require(storage.layer(.user)?.storage.snapshot)
        #expect(file["flags"] == ["b": true, "c": true] && file["features"] == ["b": true])
    }

    @Test func `an update gets what the file has, though nobody has read it yet`() throws {
        try folder.write("openCount = 5\nwindow.width = 1\n", to: "user.toml")
        let storage = stack()
        #expect(storage.get(.openCount) == 5)
        try folder.write("openCount = 50\nwindow.width = 90\n", to: "user.toml")
        try storage.update(.openCount) { $0 += 1 }
        #expect(storage.get(.openCount) == 51)
        try folder.write("openCount = 500\nwindow.width = 91\n", to: "user.toml")
        try storage.update(.window) { $0.height += 1 }
        #expect(storage.get(.window) == Window(width: 91, height: 25) && storage.get(.openCount) == 500)
    }

    @Test func `what is above the layer neither counts nor is changed`() throws {
        try folder.write("openCount = 5\n", to: "user.toml")
        let storage = stack()
        try storage.setValue(100, forKey: "openCount", in: .overrides)
        let outcome = try storage.update(.openCount) { $0 += 1 }
        guard case .shadowed(let origin) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(origin.layer == "overrides")
        #expect(try storage.get(.openCount) == 100 && text() == "openCount = 6\n")
        #expect(try storage.update(.openCount, in: .overrides) { $0 += 1 } == .effective)
        #expect(try storage.get(.openCount) == 101 && text() == "openCount = 6\n")
        #expect(try storage.update(.openCount, in: .system) { $0 += 1 } != .effective)
        #expect(try text("system.toml") == "openCount = 1\n")
    }

    @Test func `a value that is left as it was is not stored`() throws {
        try folder.write("openCount = 5", to: "system.toml")
        let storage = stack()
        #expect(try storage.update(.openCount) { _ in } == .effective)
        #expect(try storage.update(.features) { $0 = [:] } == .effective)
        #expect(!folder.names.contains("user.toml"))
    }

    @Test func `a secret makes a new file private`() throws {
        let storage = stack()
        try storage.update(.token) { $0 = "hush" }
        let mode = try FileManager.default.attributesOfItem(atPath: folder["user.toml"])[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `a debug key keeps its release value in a release build`() throws {
        let storage = stack()
        try storage.update(.switchable) { $0 += 1 }
        #if DEBUG
            #expect(storage.get(.switchable) == 2)
        #else
            #expect(storage.get(.switchable) == 7 && !folder.names.contains("user.toml"))
        #endif
    }

    /// An update that throws.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: PrefsError.Code?
        let update: @Sendable (PrefsStack) throws -> Void
    }

    private static let failures = [
        Failure(testDescription: "what the closure throws", code: nil) {
            try $0.update(.openCount) {
                $0 += 1
                throw Stop()
            }
        },
        Failure(testDescription: "a value out of range", code: .invalid) {
            try $0.update(.openCount) { $0 = -1 }
        },
        Failure(testDescription: "a locked key", code: .locked) {
            $0.lock("openCount", at: .system)
            try $0.update(.openCount) { $0 += 1 }
        },
        Failure(testDescription: "a locked field", code: .locked) {
            $0.lock("window.width", at: .system)
            try $0.update(.window) { $0.width += 1 }
        },
        Failure(testDescription: "a locked entry", code: .locked) {
            $0.lock("features.a", at: .system)
            try $0.update(.features) { $0["a"] = false }
        },
        Failure(testDescription: "an entry that only a lower layer has", code: .unsupported) {
            try $0.update(.features) { $0["a"] = nil }
        },
        Failure(testDescription: "a layer that does not exist", code: .missing) {
            try $0.update(.openCount, in: "nowhere") { $0 += 1 }
        },
        Failure(testDescription: "a read-only layer", code: .notWritable) {
            try $0.update(.openCount, in: .defaults) { $0 += 1 }
        },
        Failure(testDescription: "a write in the closure", code: .unsupported) { storage in
            try storage.update(.openCount) { $0 = try storage.set(.renamed, to: 1) == .effective ? 1 : 2 }
        },
        Failure(testDescription: "a transaction in the closure", code: .unsupported) { storage in
            try storage.update(.openCount) { _ in try storage.transaction { $0.set(.renamed, to: 1) } }
        },
        Failure(testDescription: "an update in the closure", code: .unsupported) { storage in
            try storage.update(.openCount) { _ in try storage.update(.renamed) { $0 += 1 } }
        },
        Failure(testDescription: "a write to the file in the closure", code: .unsupported) { storage in
            let file = storage.layer(.user)?.storage
            try storage.update(.openCount) { _ in try file?.setValue(1, forKey: "openCount") }
        },
    ]

    @Test(arguments: failures)
    func `an update that fails changes nothing`(failure: Failure) throws {
        let before = "openCount = 5\n"
        try folder.write("features = { a = true }\n", to: "system.toml")
        try folder.write(before, to: "user.toml")
        let storage = PrefsStack(diagnostics: options.diagnostics) {
            PrefsLayer(.defaults, EmptyPrefsStorage())
            PrefsLayer(.system, FilePrefsStorage(path: folder["system.toml"], options: options))
            PrefsLayer(.user, FilePrefsStorage(path: folder["user.toml"], options: options))
        }
        let error = #expect(throws: (any Error).self) { try failure.update(storage) }
        #expect((error as? PrefsError)?.code == failure.code)
        #expect(try text() == before)
        // Nothing stays locked.
        try storage.update(.renamed) { $0 += 1 }
        #expect(storage.get(.renamed) == 1)
    }

    @Test func `an update of what an apply closure has to accept throws`() async throws {
        struct Relay: Codable, Sendable { var openCount = 1 }
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.openCount) { _, _ in }
        let error = #expect(throws: PrefsError.self) { try storage.update(.openCount) { $0 = 5 } }
        #expect(error?.code == .undecided && error?.key == "openCount")
        #expect(error?.reason.contains("store the value with `Live.update`") == true)
        applying.cancel()
        try storage.update(.openCount) { $0 = 9 }
        #expect(relay.current.openCount == 9)
    }

    @Test func `a wrong edit that nobody has read yet does not reset the value`() throws {
        try folder.write("openCount = 500\n", to: "user.toml")
        let storage = stack()
        storage.declare(.openCount)
        try folder.write("openCount = \"many\"\n", to: "user.toml")
        try storage.update(.openCount) { $0 += 1 }
        #expect(storage.get(.openCount) == 501)
        // This wrong edit has been read, and is mended before the update.
        try folder.write("openCount = \"many\"\n", to: "user.toml")
        storage.reload()
        #expect(storage.get(.openCount) == 501)
        try folder.write("openCount = 7\n", to: "user.toml")
        try storage.update(.openCount) { $0 += 1 }
        #expect(storage.get(.openCount) == 8)
    }

    @Test func `an update of a broken file throws and leaves it alone`() throws {
        try folder.write("openCount = ", to: "user.toml")
        let storage = stack()
        let error = #expect(throws: PrefsError.self) { try storage.update(.openCount) { $0 += 1 } }
        #expect(error?.origin?.file == folder["user.toml"])
        #expect(try text() == "openCount = ")
    }

    @Test func `an update by way of an outer stack reads the file of the inner one`() throws {
        let inner = stack()
        let outer = PrefsStack(diagnostics: options.diagnostics) { PrefsLayer("inner", inner) }
        try folder.write("openCount = 5\n", to: "user.toml")
        #expect(try outer.update(.openCount, in: "inner") { $0 += 1 } == .effective)
        #expect(try outer.get(.openCount) == 6 && text() == "openCount = 6\n")
    }

    @Test func `the first update of a daemon starts with what the package has`() throws {
        let storage = PrefsStack.daemon(
            "relay", root: folder.path, environment: [:], arguments: [], options: options)
        try FileManager.default.createDirectory(
            atPath: folder["usr/lib/relay"], withIntermediateDirectories: true)
        try folder.write("openCount = 5\n", to: "usr/lib/relay/relay.toml")
        storage.reload()
        try storage.update(.openCount) { $0 += 1 }
        try storage.update(.openCount) { $0 += 1 }
        #expect(try text("etc/relay/relay.toml.d/90-local.toml").contains("openCount = 7\n"))
    }

    /// A storage that is updated without a stack.
    enum Single: String, CaseIterable, Sendable { case file, dictionary, foreign }

    @Test(arguments: Single.allCases)
    func `a storage is updated without a stack`(single: Single) throws {
        let storage: any PrefsStorage =
            switch single {
            case .file: FilePrefsStorage(path: folder["user.toml"], options: options)
            case .dictionary: DictionaryPrefsStorage()
            case .foreign: ForwardingTestStorage()
            }
        let key = PersistentKey("a.count", defaultValue: 1, in: 0...9)
        #expect(try storage.update(key) { $0 += 1 } == .effective)
        #expect(storage.get(key) == 2)
        #expect(throws: PrefsError.self) { try storage.update(key) { $0 = 10 } }
        #expect(try storage.update(key) { _ in } == .effective)
        #expect(storage.get(key) == 2)
        let error = #expect(throws: PrefsError.self) {
            try storage.update(key) { _ in try storage.update(key) { $0 = 3 } }
        }
        #expect(error?.code == .unsupported)
    }

    @Test(arguments: [true, false])
    func `threads that change one value in memory lose no change`(inStack: Bool) async throws {
        let dictionary = DictionaryPrefsStorage()
        let storage: any PrefsStorage =
            inStack ? PrefsStack { PrefsLayer(.overrides, dictionary) } : dictionary
        let stack = storage as? PrefsStack
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        if let stack {
                            try stack.update(.openCount, in: .overrides) { $0 += 1 }
                        } else {
                            try storage.update(.openCount) { $0 += 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(storage.get(.openCount) == 200)
    }

    @Test func `a schema's property is updated by its key path`() throws {
        let prefs = UpdatedPrefs(stack())
        try folder.write("openCount = 5\neditor.tabs = [\"a\"]\n", to: "user.toml")
        #expect(try prefs.update(\.openCount) { $0 += 1 } == .effective)
        #expect(try prefs.update(\.editor.tabs) { $0.append("b") } == .effective)
        #expect(prefs.openCount == 6 && prefs.editor.tabs == ["a", "b"])
        #expect(throws: PrefsError.self) { try prefs.update(\.openCount) { $0 = -1 } }
        #expect(try text() == "openCount = 6\neditor.tabs = [\"a\", \"b\"]\n")
    }
}

@PrefsGroup private final class UpdatedEditor {
    @Pref var tabs: [String] = []
}

@PrefsSchema private final class UpdatedPrefs {
    @Storage var storage: PrefsStack
    @Pref(in: 0...1000) var openCount = 0
    @PrefGroup var editor: UpdatedEditor

}

/// A storage of another module.
private final class ForwardingTestStorage: PrefsStorage {
    private let values = DictionaryPrefsStorage()

    var snapshot: PrefsSnapshot { values.snapshot }
    var isWritable: Bool { true }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try values.setValue(value, forKey: key)
    }
}
