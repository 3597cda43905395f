import PrefsKitCompatibility
import Testing

private struct Opaque: Equatable, Sendable { var id = 1 }

/// "any type may be accommodated when using a dictionary prefs storage backend"
@Suite struct AnyValueTests {
    private var mixed: [String: Any] {
        [
            "float": Float(0.1), "number": NSNumber(value: 2.5), "int": 1, "url": URL(string: "a:b")!,
            "byte": UInt8(7), "list": [Float(0.1), "x", NSNumber(value: 1)] as [Any],
            "table": ["float": Float(0.1), "more": [UInt8(7)]] as [String: Any], "own": Opaque(),
        ]
    }

    /// Expects the values to have the types that they were stored with.
    private func expectMixed(_ read: (String) -> Any?) {
        #expect(isExactly(read("float"), Float(0.1)))
        #expect(read("number").map { $0 is NSNumber && type(of: $0) != Double.self } == true)
        #expect(isExactly(read("int"), 1))
        #expect(isExactly(read("url"), URL(string: "a:b")!))
        #expect(isExactly(read("byte"), UInt8(7)))
        let list = read("list") as? [Any]
        #expect(isExactly(list?.first, Float(0.1)) && isExactly(list?[1], "x"))
        #expect(list.map { type(of: $0[2]) != Int.self } == true)
        let table = read("table") as? [String: Any]
        #expect(isExactly(table?["float"], Float(0.1)))
        #expect(table?["more"] as? [UInt8] == [7])
        #expect(isExactly(read("own"), Opaque()))
    }

    private func isExactly<Value: Equatable>(_ plain: Any?, _ value: Value) -> Bool {
        plain.map { type(of: $0) == Value.self && $0 as? Value == value } == true
    }

    @Test func `values keep their types if they are written one by one`() throws {
        let storage = DictionaryPrefsStorage()
        for (key, value) in mixed { storage.setUnsafeStorageValue(forKey: key, to: value) }
        expectMixed(storage.unsafeStorageValue(forKey:))
        #expect(storage.storageValue(forKey: "float") as Float? == 0.1)
        let list: [Any]? = storage.storageValue(forKey: "list")
        #expect(isExactly(list?.first, Float(0.1)))
        let contents = try storage.dictionaryRepresentation()
        expectMixed { contents[$0] }
    }

    @Test func `values keep their types if a storage is created from them`() {
        expectMixed(DictionaryPrefsStorage(unsafe: mixed).unsafeStorageValue(forKey:))
        let erased = AnyPrefsStorage(DictionaryPrefsStorage(unsafe: mixed))
        expectMixed(erased.unsafeStorageValue(forKey:))
    }

    @Test func `values keep their types if they are imported`() throws {
        let storage = DictionaryPrefsStorage()
        #expect(try storage.load(unsafe: mixed, by: .reinitializing) == Set(mixed.keys))
        expectMixed(storage.unsafeStorageValue(forKey:))
        try storage.load(
            unsafe: ["own": Opaque(id: 2)],
            by: .updatingWithPredicate { _, old, new in
                (old as? Opaque)?.id == 1 && (new as? Opaque)?.id == 2 ? .takeNewValue : .preserveOldValue
            })
        #expect(isExactly(storage.unsafeStorageValue(forKey: "own"), Opaque(id: 2)))
    }

    @Test func `a value that is written in another way is the one that is read`() throws {
        let storage = DictionaryPrefsStorage(unsafe: ["a": Opaque(), "b": [Float(0.1)]])
        try storage.setValue("x", forKey: "a")
        storage.setStorageValue(forKey: "b", to: [1.5])
        #expect(storage.unsafeStorageValue(forKey: "a") as? String == "x")
        #expect(storage.unsafeStorageValue(forKey: "b") as? [Double] == [1.5])
        storage.setUnsafeStorageValue(forKey: "b", to: nil)
        #expect(storage.unsafeStorageValue(forKey: "b") == nil)
    }

    @Test func `an object is released when it is replaced or removed, and may use the storage then`() {
        final class Object: Sendable {
            let storage: DictionaryPrefsStorage
            init(_ storage: DictionaryPrefsStorage) { self.storage = storage }
            deinit {
                let count: Int? = storage.storageValue(forKey: "released")
                storage.setStorageValue(forKey: "released", to: (count ?? 0) + 1)
            }
        }
        let storage = DictionaryPrefsStorage()
        storage.setUnsafeStorageValue(forKey: "a", to: Object(storage))
        #expect(storage.storageValue(forKey: "released") as Int? == nil)
        storage.setUnsafeStorageValue(forKey: "a", to: Object(storage))
        #expect(storage.storageValue(forKey: "released") as Int? == 1)
        storage.setUnsafeStorageValue(forKey: "a", to: nil)
        #expect(storage.storageValue(forKey: "released") as Int? == 2)
    }

    @Test func `numbers whose type was erased are number objects after an import`() throws {
        let storage = try DictionaryPrefsStorage(
            from: #"{"a": 0.5, "list": [0.5], "i": 1}"#,
            format: .json(strategy: .typed(typeEraseAmbiguousFloatingPoint: true)))
        let number = try #require(storage.unsafeStorageValue(forKey: "a"))
        #expect(type(of: number) != Double.self)
        #expect(number as? Float == 0.5 && number as? Double == 0.5)
        let list = try #require(storage.unsafeStorageValue(forKey: "list") as? [Any])
        #expect(list.first as? Float == 0.5)
        #expect(isExactly(storage.unsafeStorageValue(forKey: "i"), 1))
    }

    @Test func `an observer that reads a value sees the type with which it was stored`() {
        let storage = DictionaryPrefsStorage()
        nonisolated(unsafe) var seen: [Any?] = []
        let observation = storage.changeSource?.observe {
            unsafe seen.append(storage.unsafeStorageValue(forKey: "a"))
        }
        storage.setUnsafeStorageValue(forKey: "a", to: Float(0.1))
        storage.setStorageValue(forKey: "a", to: Float(0.2))
        observation?.cancel()
        #expect(unsafe seen.map { $0 as? Float } == [0.1, 0.2])
    }

    @Test func `a property of any type is stored in a dictionary`() {
        let prefs = AnyPrefs()
        #expect(prefs.own == nil && prefs.mixed.isEmpty && prefs.url.absoluteString == "x:y")
        nonisolated(unsafe) var isNotified = false
        withObservationTracking {
            _ = prefs.own
        } onChange: {
            unsafe isNotified = true
        }
        prefs.own = Opaque(id: 3)
        #expect(unsafe isNotified)
        #expect(prefs.own == Opaque(id: 3))
        prefs.mixed = [Float(0.1), Opaque()]
        #expect(prefs.mixed.first is Float && prefs.mixed.last is Opaque)
        prefs.url = URL(string: "a:b")!
        #expect(prefs.url.absoluteString == "a:b")
        #expect(prefs.storage.unsafeStorageValue(forKey: "url") as? URL == URL(string: "a:b"))
        prefs.own = nil
        #expect(prefs.own == nil)
        prefs.storage.setUnsafeStorageValue(forKey: "own", to: Opaque(id: 4))
        #expect(prefs.own == Opaque(id: 4))
    }

    @Test func `a property of any type is stored in a storage whose type is erased`() {
        let prefs = AnyErasedPrefs()
        prefs.own = Opaque(id: 3)
        #expect(prefs.own == Opaque(id: 3))
    }

    @MainActor @Test func `a property of any type may be isolated to an actor`() {
        let prefs = AnyIsolatedPrefs()
        prefs.own = Opaque(id: 3)
        #expect(prefs.own == Opaque(id: 3))
    }
}

@PrefsSchema private final class AnyPrefs {
    @Storage var storage = .dictionary
    @StorageMode var storageMode = .cachedReadStorageWrite

    @RawPref var own: Opaque?
    @RawPref var mixed: [Any] = []
    @RawPref var url: URL = URL(string: "x:y")!
}

@PrefsSchema private final class AnyErasedPrefs: AnyPrefsSchema {
    @Storage var storage = AnyPrefsStorage(.dictionary)
    @StorageMode var storageMode = .storageOnly

    @RawPref var own: Opaque?
}

@MainActor @PrefsSchema private final class AnyIsolatedPrefs {
    @Storage var storage = .dictionary
    @StorageMode var storageMode = .cachedReadStorageWrite

    @RawPref var own: Opaque?
}
