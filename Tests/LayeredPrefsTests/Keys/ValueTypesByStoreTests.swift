import Foundation
import LayeredPrefsUserDefaults
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// A folder that is removed with the last reference to it.
private final class TemporaryFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// A kind of store, with a function that opens it again on the data that it wrote.
private struct StoreRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable () -> Store

    struct Store {
        let store: any PrefsStorage
        let reopened: () async throws -> any PrefsStorage
    }

    static let all = withExtendedLifetime(nobody) { inMemory + files + defaults }

    private static let inMemory = [
        StoreRow(testDescription: "dictionary") {
            let storage = DictionaryPrefsStorage()
            return Store(store: storage, reopened: { storage })
        },
        StoreRow(testDescription: "dictionary, exported and imported") {
            let storage = DictionaryPrefsStorage()
            return Store(
                store: storage,
                reopened: {
                    let bytes = try PrefsFileFormat.binaryPropertyList.serialize(storage.snapshot.dictionary)
                    return DictionaryPrefsStorage(
                        values: try PrefsDocument(parsing: bytes, as: .binaryPropertyList).content)
                })
        },
        StoreRow(testDescription: "any storage") {
            let storage = DictionaryPrefsStorage()
            return Store(store: ErasedStorage(storage), reopened: { storage })
        },
    ]

    /// Discards the intended diagnostics of rejected values.
    private static let quiet = PrefsDiagnosticHandler()
    private static let nobody = quiet.subscribe { _ in }

    private static let files = [
        file("an XML property list", .xmlPropertyList),
        file("a binary property list", .binaryPropertyList),
        StoreRow(testDescription: "a stack") {
            let folder = TemporaryFolder()
            let open = {
                PrefsStack(diagnostics: quiet) {
                    PrefsLayer.defaults(["other": 1])
                    PrefsLayer(.user, FilePrefsStorage(path: folder.path("user.plist")))
                    PrefsLayer.overrides
                }
            }
            return Store(store: open(), reopened: open)
        },
    ]

    static let json = file("a JSON file", .json)

    private static func file(_ description: String, _ format: PrefsFileFormat) -> StoreRow {
        StoreRow(testDescription: description) {
            let folder = TemporaryFolder()
            let open = {
                var options = FilePrefsStorage.Options()
                options.format = format
                return FilePrefsStorage(path: folder.path("preferences.plist"), options: options)
            }
            return Store(store: open(), reopened: open)
        }
    }

    private static let defaults = [
        StoreRow(testDescription: "UserDefaults") {
            let suite = DefaultsSuite()
            let storage = UserDefaultsPrefsStorage(suite: suite.defaults)
            return Store(
                store: storage,
                reopened: {
                    try await DefaultsSuite.save { try storage.synchronize() }
                    return UserDefaultsPrefsStorage(suite: suite.defaults)
                })
        }
    ]
}

private enum Level: String { case low, high }

extension PersistentKey {
    fileprivate func rejects(_ value: PrefsValue) -> Bool { rejection(ofWhole: PrefsCandidate(value)) != nil }
}

/// A value that is written to a store, and read from it, in its type's own representation.
private struct ValueRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// True if JSON can represent the value.
    let hasJSON: Bool
    let check: @Sendable (StoreRow) async throws -> Void
    /// Writes the value over another one. JSON rejects a value that it cannot represent.
    let write: @Sendable (any PrefsStorage) throws -> Void

    init<Value: PrefsStorable & Equatable & Sendable>(
        _ value: Value, default defaultValue: Value, wrong: PrefsValue, json: Bool = true
    ) {
        self.init(value, PersistentKey("a key", defaultValue: defaultValue), wrong: wrong, json: json)
    }

    init<Value: Equatable & Sendable>(
        _ value: Value, _ key: PersistentKey<Value>, wrong: PrefsValue, json: Bool = true
    ) {
        testDescription = "\(Value.self) \(value)"
        hasJSON = json
        write = { try $0.set(key, to: value) }
        check = { row throws in
            let made = row.make()
            #expect(made.store.get(key) == key.defaultValue)
            try made.store.set(key, to: value)
            #expect(made.store.get(key) == value)
            #expect(try await made.reopened().get(key) == value)
            if made.store is PrefsStack, key.rejects(wrong) {
                #expect(throws: PrefsError.self) { try made.store.setValue(wrong, forKey: key.id) }
                #expect(made.store.get(key) == value)
            } else {
                try made.store.setValue(wrong, forKey: key.id)
                #expect(made.store.get(key) == key.defaultValue)
            }
            try made.store.remove(key)
            #expect(made.store.snapshot.candidates(forKey: key.id).isEmpty)
        }
    }

    static let all = [
        ValueRow("text ä\n", default: "", wrong: 1),
        ValueRow("", default: "x", wrong: true),
        ValueRow(true, default: false, wrong: 1),
        ValueRow(Int.max, default: 0, wrong: "many"),
        ValueRow(Int.min, default: 0, wrong: 3.0),
        ValueRow(Double.pi, default: 0, wrong: "3"),
        ValueRow(1.0, default: 0, wrong: false),
        ValueRow(Double.infinity, default: 0, wrong: [], json: false),
        ValueRow(-Double.infinity, default: 0, wrong: [1.0], json: false),
        ValueRow(Double.leastNonzeroMagnitude, default: 1, wrong: "0"),
        ValueRow(Float(0.1), default: 0, wrong: "0.1"),
        ValueRow(Float.infinity, default: 0, wrong: [:], json: false),
        ValueRow(Float.greatestFiniteMagnitude, default: 0, wrong: 1e300),
        ValueRow(Data([0, 1, 255]), default: Data(), wrong: "AAH/", json: false),
        ValueRow(URL(string: "https://example.org/a b?c#d")!, default: URL(string: "a:")!, wrong: 1),
        ValueRow([1, 2, 3], default: [], wrong: [1, "2"]),
        ValueRow([[1], [], [2, 3]], default: [], wrong: [1]),
        ValueRow(["a.b": ["c": [true]]], default: [:], wrong: ["a": true]),
        ValueRow([URL(string: "a:b")!], default: [], wrong: "a:b"),
        ValueRow(Optional(5), default: nil, wrong: "five"),
        ValueRow(
            Date(timeIntervalSinceReferenceDate: 5), PersistentKey("date", defaultValue: Date.distantPast),
            wrong: "2026-01-01T00:00:00Z", json: false),
        ValueRow([Date.distantPast], PersistentKey("dates", defaultValue: []), wrong: [1], json: false),
        ValueRow(Optional([Optional(1), 2]), default: nil, wrong: [1, "2"]),
        ValueRow(
            Level.high,
            PersistentKey(
                "level", defaultValue: .low,
                coding: RawRepresentablePrefsCoding()),
            wrong: "middling"),
        ValueRow(UUID(), PersistentKey("uuid", defaultValue: UUID()), wrong: "no-uuid"),
        ValueRow(Set([3, 1, 2]), PersistentKey("set", defaultValue: []), wrong: [1, "2"]),
        ValueRow(Set([Set(["a"]), []]), PersistentKey("sets", defaultValue: []), wrong: ["a"]),
        ValueRow(-3..<5, PersistentKey("range", defaultValue: 0..<1), wrong: [5, -3]),
        ValueRow(1.5...2.5, PersistentKey("closed", defaultValue: 0...1), wrong: [1.5]),
        ValueRow([1..<2, 3..<9], PersistentKey("ranges", defaultValue: []), wrong: [[1]]),
        ValueRow(["a": [UUID()]], PersistentKey("nested", defaultValue: [:]), wrong: ["a": ["b"]]),
        ValueRow(
            ["n": 0.5, "l": [1, "b", ["c": true]]] as [String: PrefsValue],
            PersistentKey("mixed", defaultValue: [:]), wrong: []),
        ValueRow(
            UInt8.max, PersistentKey("u", defaultValue: 0, coding: IntegerPrefsCoding<UInt8>()), wrong: 256),
        ValueRow(
            UInt64.max,
            PersistentKey(
                "u", defaultValue: 0, coding: ClosurePrefsCoding(encode: { "\($0)" }, decode: { UInt64($0) })),
            wrong: "-1"),
        ValueRow(
            [1: "x"],
            PersistentKey("c", defaultValue: [:], coding: JSONDataCodablePrefsCoding<[Int: String]>()),
            wrong: "x", json: false),
    ]
}

@Suite(.serialized) struct ValueTypesByStoreTests {
    @Test(arguments: ValueRow.all, StoreRow.all)
    fileprivate func `every store returns the value written`(value: ValueRow, store: StoreRow) async throws {
        try await value.check(store)
    }

    @Test(arguments: ValueRow.all)
    fileprivate func `a JSON file rejects values that JSON cannot represent`(value: ValueRow) async throws {
        let json = StoreRow.json
        if value.hasJSON { return try await value.check(json) }
        let made = json.make()
        #expect(throws: PrefsError.self) { try value.write(made.store) }
        #expect(try await made.reopened().snapshot.candidates(forKey: "a key").isEmpty)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func `resetting restores the default`(row: StoreRow) async throws {
        let made = row.make()
        let (count, name) = (PersistentKey("count", defaultValue: 1), PersistentKey<String?>("name"))
        #expect(made.store.get(count) == count.defaultValue)
        try made.store.set(count, to: 2)
        try made.store.set(name, to: "ada")
        #expect(made.store.get(count) != count.defaultValue && made.store.get(name) != name.defaultValue)
        try made.store.remove(count)
        try made.store.remove(name)
        #expect(try await made.reopened().get(count) == 1)
        #expect(try await made.reopened().get(name) == nil)
        try made.store.set(count, to: 1)
        #expect(made.store.get(count) == count.defaultValue)
        #expect(!made.store.snapshot.candidates(forKey: "count").isEmpty)
        try made.store.remove(count)
        try made.store.remove(name)
        #expect(made.store.snapshot.candidates(forKey: "count").isEmpty)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func `a default may be read from another setting`(row: StoreRow) async throws {
        let made = row.make()
        let store = made.store
        let front = PersistentKey("front", defaultValue: 1)
        let back = PersistentKey("back", default: { store.get(front) + 1 })
        #expect(made.store.get(back) == 2)
        try made.store.set(front, to: 5)
        #expect(made.store.get(back) == 6)
        #expect(made.store.get(back) == back.defaultValue)
        try made.store.set(back, to: 0)
        #expect(try await made.reopened().get(back) == 0)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func `setting nil removes the value from every store`(row: StoreRow) async throws {
        let made = row.make()
        let key = PersistentKey<URL?>("link", defaultValue: nil)
        try made.store.set(key, to: URL(string: "a:b"))
        try made.store.set(key, to: nil)
        #expect(made.store.snapshot.candidates(forKey: "link").isEmpty)
        #expect(try await made.reopened().get(key) == nil)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func `absent elements are omitted in every store`(row: StoreRow) async throws {
        let made = row.make()
        let key = PersistentKey<[Int?]>("numbers", defaultValue: [])
        try made.store.set(key, to: [1, nil, 2])
        #expect(try await made.reopened().get(key) == [1, 2])
        let nested = PersistentKey<[String: [Int?]?]>("nested", defaultValue: [:])
        try made.store.set(nested, to: ["a": [nil, 1], "b": nil])
        #expect(try await made.reopened().get(nested) == ["a": [1]])
    }
}
