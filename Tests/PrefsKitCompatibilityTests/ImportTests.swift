import Foundation
import PrefsKitCompatibility
import PrefsSystem
import Testing

@Suite struct ImportTests {
    private let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>a</key><integer>1</integer><key>b</key><real>1.0</real></dict></plist>
        """

    @Test func `a storage is created from text or data`() throws {
        let storage = try DictionaryPrefsStorage(from: plist, format: .plist())
        #expect(storage.snapshot.dictionary == ["a": 1, "b": 1.0])
        #expect(try DictionaryPrefsStorage(from: Data(plist.utf8), format: .plist()).snapshot["a"] == 1)
        let inferred: DictionaryPrefsStorage = try .dictionary(from: plist, format: .plist())
        #expect(inferred.snapshot["a"] == 1)
    }

    @Test func `importing replaces or updates or consults the predicate`() throws {
        let storage = DictionaryPrefsStorage(root: ["a": 5, "c": 6])
        #expect(try storage.load(from: plist, format: .plist(), by: .updating) == ["a", "b"])
        #expect(storage.snapshot.dictionary == ["a": 1, "b": 1.0, "c": 6])

        let asking = DictionaryPrefsStorage(root: ["a": 5, "c": 6])
        let taken = try asking.load(
            from: ["a": 7, "c": 1, "d": 2],
            by: .updatingWithPredicate { key, old, new in
                #expect(key == "a" || key == "c")
                let (old, new) = (old as? Int ?? .max, new as? Int ?? .min)
                return new > old ? .takeNewValue : .preserveOldValue
            })
        #expect(taken == ["a", "d"])
        #expect(asking.snapshot.dictionary == ["a": 7, "c": 6, "d": 2])

        #expect(
            try storage.load(from: Data(plist.utf8), format: .plist(), by: .reinitializing) == ["a", "b"])
        #expect(storage.snapshot.dictionary == ["a": 1, "b": 1.0])
    }

    @Test(arguments: [true, false])
    func `a real in a collection casts to each floating-point type`(isJSON: Bool) throws {
        let plist = """
            <plist version="1.0"><dict><key>a</key><array><real>1.5</real><real>2</real></array>
            <key>d</key><dict><key>x</key><real>1.5</real><key>l</key><array><real>0.5</real></array></dict></dict></plist>
            """
        let json = #"{"a": [1.5, 2.0], "d": {"x": 1.5, "l": [0.5]}}"#
        let storage: DictionaryPrefsStorage =
            isJSON
            ? try .dictionary(from: json, format: .json(strategy: .passthrough))
            : try .dictionary(from: plist, format: .plist())
        let array: [Any]? = storage.storageValue(forKey: "a")
        #expect(array as? [Float] == [1.5, 2] && array as? [Double] == [1.5, 2])
        #expect(array?.first is NSNumber)
        #expect(storage.storageValue(forKey: "a") == [Float(1.5), 2])
        #expect(storage.storageValue(forKey: "a") == [1.5, 2.0])
        let dictionary: [String: Any]? = storage.storageValue(forKey: "d")
        #expect(dictionary?["x"] as? Float == 1.5 && dictionary?["x"] as? Double == 1.5)
        #expect(dictionary?["l"] as? [Float] == [0.5])
        #expect(storage.snapshot["a"] == [1.5, 2.0])
        let exported = try storage.exportString(format: .json())
        #expect(try DictionaryPrefsStorage(from: exported, format: .json()).snapshot["a"] == [1.5, 2.0])
    }

    @Test func `an import notifies observers exactly once`() throws {
        let storage = DictionaryPrefsStorage(root: ["a": 5, "c": 6])
        let generation = storage.changeSource?.generation
        let counter = Counter()
        let observation = storage.changeSource?.observe { counter.add() }
        try storage.load(from: ["a": 1, "b": 2], by: .reinitializing)
        #expect(counter.count == 1)
        #expect(storage.changeSource?.generation != generation)
        observation?.cancel()
    }

    @Test func `a predicate that throws changes nothing`() {
        let storage = DictionaryPrefsStorage(root: ["a": 5])
        struct ReportedRejection: Error {}
        #expect(throws: ReportedRejection.self) {
            try storage.load(
                from: ["a": 1, "b": 2], by: .updatingWithPredicate { _, _, _ in throw ReportedRejection() })
        }
        #expect(storage.snapshot.dictionary == ["a": 5])
    }

    @Test func `values without a stored form fail the import as a whole`() throws {
        struct Opaque {}
        let storage = LayeredPrefs.DictionaryPrefsStorage()
        try storage.load(unsafe: ["a": NSNumber(value: true), "b": [1, "x"] as [Any]], by: .updating)
        #expect(storage.snapshot.dictionary == ["a": true, "b": [1, "x"]])
        #expect(throws: PrefsError.self) {
            try storage.load(unsafe: ["c": 1, "d": Opaque()], by: .updating)
        }
        #expect(storage.snapshot["c"] == nil)
    }

    @Test func `JSON import distinguishes integers from reals`() throws {
        let storage = DictionaryPrefsStorage()
        try storage.load(
            from: #"{"i": 1, "r": 1.5, "t": true, "n": {"a": [1, "x"]}}"#, format: .json(), by: .updating)
        #expect(storage.snapshot.dictionary == ["i": 1, "r": 1.5, "t": true, "n": ["a": [1, "x"]]])
    }

    @Test func `the type of reals may be erased`() throws {
        let strategy = PrefsStorageTypedImportStrategy(typeEraseAmbiguousFloatingPoint: true)
        let values = try strategy.prepareForImport(storage: ["a": 1.0, "b": [2, 2.5] as [Any]])
        #expect(type(of: try #require(values["a"])) is NSNumber.Type)
        #expect(values["a"] as? Float == 1)
        #expect((values["b"] as? [Any])?.first as? Int == 2)
        let storage = try DictionaryPrefsStorage(
            from: plist, format: .plist(strategy: .typed(typeEraseAmbiguousFloatingPoint: true)))
        #expect(storage.storageValue(forKey: "b") as Double? == 1)
        #expect(storage.storageValue(forKey: "b") as Float? == 1)
    }

    @Test func `a mapping strategy receives every scalar with its key path`() throws {
        struct Paths: PrefsStorageMappingImportStrategy {
            let typeEraseAmbiguousFloatingPoint = false

            func importValue(forKeyPath keyPath: [String], value: Int) throws -> any PrefsStorageValue {
                keyPath.joined(separator: "/")
            }
        }
        let values = try Paths().prepareForImport(storage: ["a": ["b": 1], "kept": "x", "c": [1, 2]])
        #expect((values["a"] as? [String: Any])?["b"] as? String == "a/b")
        #expect(values["c"] as? [String] == ["c", "c"])
        #expect(values["kept"] as? String == "x")
    }

    @Test func `a type-erased storage forwards imports and exports or throws`() throws {
        final class ReadOnly: NativePrefsStorage {
            var snapshot: PrefsSnapshot { PrefsSnapshot(["a": 1]) }
        }
        let erased = AnyPrefsStorage(DictionaryPrefsStorage())
        try erased.load(from: ["a": 1], by: .updating)
        #expect(erased.storageValue(forKey: "a") == 1)
        #expect(try erased.dictionaryRepresentation()["a"] as? Int == 1)
        let readOnly = AnyPrefsStorage(ReadOnly())
        #expect(throws: PrefsStorageError.contentLoadingNotSupported) {
            try readOnly.load(from: ["a": 1], by: .updating)
        }
        #expect(throws: PrefsStorageError.contentExportingNotSupported) {
            try readOnly.exportString(format: .plist())
        }
        #expect(AnyPrefsStorage(erased).wrapped is DictionaryPrefsStorage)
    }
}

private final class Counter: Sendable {
    private let value = Lock(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}

extension ImportTests {
    @Test func `a file storage imports values and a stack exports its effective contents`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = FilePrefsStorage(path: folder.appendingPathComponent("a.plist").path)
        try storage.load(from: ["a": 1, "b": ["c": 2]], by: .updating)
        #expect(try storage.load(from: ["b": 3], by: .reinitializing) == ["b"])
        #expect(storage.snapshot.dictionary == ["b": 3])
        let stack = PrefsStack {
            PrefsLayer.defaults(["b": 1, "d": 4])
            PrefsLayer(.user, storage)
        }
        #expect(stack.exportedContents() == ["b": 3, "d": 4])
    }
}
