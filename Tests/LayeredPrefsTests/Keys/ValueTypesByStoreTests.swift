import Foundation
import Testing

@testable import LayeredPrefs

/// A folder that goes away with the last reference to it.
private final class TemporaryFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// A kind of store, and how to open it again on what it wrote.
private struct StoreRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable () -> Store

    struct Store {
        let store: any PersistentKeyValueStore
        let reopened: () throws -> any PersistentKeyValueStore
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
                    let data = try storage.exportData(format: .plist(format: .binary))
                    return try DictionaryPrefsStorage(from: data, format: .plist())
                })
        },
        StoreRow(testDescription: "any storage") {
            let storage = DictionaryPrefsStorage()
            return Store(store: AnyPrefsStorage(storage), reopened: { storage })
        },
    ]

    /// The refused values are intended; nobody needs to be told.
    private static let quiet = PrefsDiagnostics()
    private static let nobody = quiet.subscribe { _ in }

    private static let files = [
        file("an XML property list", .xmlPropertyList),
        file("a binary property list", .binaryPropertyList),
        StoreRow(testDescription: "a stack") {
            let folder = TemporaryFolder()
            let open = {
                LayeredPrefsStorage(diagnostics: quiet) {
                    PrefsLayer.defaults(["other": 1])
                    PrefsLayer(.user, FilePrefsStorage(path: folder.path("user.plist")))
                    PrefsLayer.overrides
                }
            }
            return Store(store: open(), reopened: open)
        },
    ]

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

    #if UserDefaults
        private static let defaults = [
            StoreRow(testDescription: "UserDefaults") {
                let suite = Suite()
                let defaults = suite.defaults
                return Store(
                    store: defaults,
                    reopened: {
                        defaults.synchronize()
                        return suite.defaults
                    })
            },
            StoreRow(testDescription: "UserDefaults as a storage") {
                let suite = Suite()
                let storage = UserDefaultsPrefsStorage(suite: suite.defaults)
                return Store(
                    store: storage,
                    reopened: {
                        try storage.synchronize()
                        return UserDefaultsPrefsStorage(suite: suite.defaults)
                    })
            },
        ]
    #else
        private static let defaults: [StoreRow] = []
    #endif
}

/// A value put through a store by its type's own representation.
private struct ValueRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable (StoreRow) throws -> Void

    init<Value: KeyValuePersistible & Equatable & Sendable>(
        _ value: Value, default defaultValue: Value, wrong: PrefsValue
    ) {
        self.init(value, PersistentKey("a key", defaultValue: defaultValue), wrong: wrong)
    }

    init<Value: Equatable & Sendable>(_ value: Value, _ key: PersistentKey<Value>, wrong: PrefsValue) {
        testDescription = "\(Value.self) \(value)"
        check = { row throws in
            let made = row.make()
            #expect(made.store.get(key) == key.defaultValue)
            try made.store.write(value, for: key)
            #expect(made.store.get(key) == value)
            #expect(try made.reopened().get(key) == value)
            try made.store.setPrefsValue(wrong, forKey: key.id)
            #expect(made.store.get(key) == key.defaultValue)
            try made.store.erase(key)
            #expect(made.store.candidates(forKey: key.id).isEmpty)
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
        ValueRow(Double.infinity, default: 0, wrong: []),
        ValueRow(Float(0.1), default: 0, wrong: "0.1"),
        ValueRow(Float.infinity, default: 0, wrong: [:]),
        ValueRow(Data([0, 1, 255]), default: Data(), wrong: "AAH/"),
        ValueRow(URL(string: "https://example.org/a b?c#d")!, default: URL(string: "a:")!, wrong: 1),
        ValueRow([1, 2, 3], default: [], wrong: [1, "2"]),
        ValueRow([[1], [], [2, 3]], default: [], wrong: [1]),
        ValueRow(["a.b": ["c": [true]]], default: [:], wrong: ["a": true]),
        ValueRow([URL(string: "a:b")!], default: [], wrong: "a:b"),
        ValueRow(Optional(5), default: nil, wrong: "five"),
        ValueRow(
            Date(timeIntervalSinceReferenceDate: 5), PersistentKey("date", defaultValue: Date.distantPast),
            wrong: "2026-01-01T00:00:00Z"),
        ValueRow([Date.distantPast], PersistentKey("dates", defaultValue: []), wrong: [1]),
        ValueRow(UInt8.max, PersistentKey("u", defaultValue: 0, coding: .uInt8AsInt), wrong: 256),
        ValueRow(UInt64.max, PersistentKey("u", defaultValue: 0, coding: .uInt64AsString), wrong: "-1"),
        ValueRow(
            [1: "x"], PersistentKey("c", defaultValue: [:], coding: [Int: String].jsonDataPrefsCoding),
            wrong: "x"),
    ]
}

@Suite(.serialized) struct ValueTypesByStoreTests {
    @Test(arguments: ValueRow.all, StoreRow.all)
    fileprivate func aValueComesBackFromEveryStore(value: ValueRow, store: StoreRow) throws {
        try value.check(store)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func absentElementsAreLeftOutOfEveryStore(row: StoreRow) throws {
        let made = row.make()
        let key = PersistentKey<[Int?]>("numbers", defaultValue: [])
        made.store.set(key, to: [1, nil, 2])
        #expect(try made.reopened().get(key) == [1, 2])
    }
}
