import PrefsKitCompatibility
import TestSupport
import Testing

/// A storage as PrefsKit declares it, with a static member as in upstream's storages.
///
/// Sendable: each test uses it on a single thread.
private final class Own: PrefsStorage, @unchecked Sendable {
    private var values: [String: Any] = [:]

    func setStorageValue<StorageValue: PrefsStorageValue>(forKey key: String, to value: StorageValue?) {
        values[key] = value
    }
    func setUnsafeStorageValue(forKey key: String, to value: Any?) { values[key] = value }
    func storageValue(forKey key: String) -> Int? { values[key] as? Int }
    func storageValue(forKey key: String) -> String? { values[key] as? String }
    func storageValue(forKey key: String) -> Bool? { values[key] as? Bool }
    func storageValue(forKey key: String) -> Double? { values[key] as? Double }
    func storageValue(forKey key: String) -> Float? { values[key] as? Float }
    func storageValue(forKey key: String) -> Data? { values[key] as? Data }
    func storageValue(forKey key: String) -> Date? { values[key] as? Date }
    func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [Element]? {
        values[key] as? [Element]
    }
    func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [String: Element]? {
        values[key] as? [String: Element]
    }
    func unsafeStorageValue(forKey key: String) -> Any? { values[key] }
}

extension PrefsStorage where Self == Own {
    fileprivate static var own: Own { Own() }
    fileprivate static func own(_ key: String, _ value: Int) -> Own {
        let storage = Own()
        storage.setStorageValue(forKey: key, to: value)
        return storage
    }
}

@PrefsSchema private final class OverOwn {
    @Storage var storage = .own
    @StorageMode var storageMode = .storageOnly
    @Pref var count: Int = 1
}

@PrefsSchema private final class OverOwnWithContents {
    @Storage var storage = .own("count", 7)
    @StorageMode var storageMode = .cachedReadStorageWrite
    @Pref var count: Int = 1
}

@PrefsSchema private final class OverDictionary {
    @Storage var storage = .dictionary(root: ["count": 3])
    @StorageMode var storageMode = .cachedReadStorageWrite
    @Pref var count: Int = 1
}

@MainActor @PrefsSchema private final class Isolated {
    @Storage var storage = .dictionary(root: ["count": 3])
    @StorageMode var storageMode = .cachedReadStorageWrite
    @Pref var count: Int = 1
}

/// A schema over a storage that conforms only to LayeredPrefs' protocol.
@PrefsSchema private final class OverReadOnly {
    @Storage var storage = ReadOnly()
    @Pref var count: Int = 1
}

private final class ReadOnly: LayeredPrefs.PrefsStorage {
    var snapshot: PrefsSnapshot { PrefsSnapshot(["count": 5]) }
}

private final class ByHand: PrefsSchema {
    let storage = DictionaryPrefsStorage(root: ["count": 1])
    let storageMode = PrefsStorageMode.storageOnly
}

private func increase<Schema: PrefsSchema>(_ schema: Schema) -> Int? {
    let count: Int? = schema.storage.storageValue(forKey: "count")
    schema.storage.setStorageValue(forKey: "count", to: (count ?? 0) + 1)
    return schema.storage.storageValue(forKey: "count")
}

private func erased<Schema: PrefsSchema>(_ schema: Schema) -> AnyPrefsStorage {
    AnyPrefsStorage(schema.storage)
}

private func count(in schema: any PrefsSchema) -> Int? {
    let storage: any PrefsStorage = schema.storage
    return storage.value(forKey: AnyAtomicPrefsKey<Int>(key: "count"))
}

extension PrefsSchema {
    fileprivate var countText: String {
        let storage: any PrefsStorage = storage
        return "\(storage.unsafeStorageValue(forKey: "count") ?? "none")"
    }

    fileprivate func coded<Coding: PrefsCodable>(_ key: String, _ coding: Coding) -> Coding.Value? {
        storage.value(forKey: key, using: coding)
    }

    /// Returns the storage with its own type, for code that needs the type.
    fileprivate func storageItself() -> SchemaStorage { storage }
}

private func roundTrip<Coding: PrefsCodable>(
    _ value: Coding.Value, using coding: Coding, in storage: some PrefsStorage
) -> Coding.Value? {
    storage.setValue(forKey: "first", to: value, using: coding)
    let stored: Coding.StorageValue? = storage.storageValue(forKey: "first", using: coding)
    storage.setStorageValue(forKey: "second", to: coding.encode(prefsValue: value))
    let key = AnyPrefsKey(key: "third", coding: coding)
    storage.setValue(forKey: key, to: storage.value(forKey: "second", using: coding))
    // Another task may use a `Sendable` value.
    let sent: any Sendable = value
    _ = sent
    return stored == key.encode(value) ? storage.value(forKey: "third", using: coding) : nil
}

private func roundTrip<Key: PrefsKey>(_ value: Key.Value, _ key: Key, in storage: some PrefsStorage)
    -> Key.Value?
{
    storage.setStorageValue(forKey: key.key, to: key.encode(value))
    let stored = storage.value(forKey: key) as Key.Value?
    storage.setValue(forKey: key, to: nil)
    storage.setValue(forKey: key, to: stored)
    return storage.value(forKey: key)
}

private struct Listed<Base: PrefsCodable>: PrefsCodable {
    let base: Base

    func encode(prefsValue: [Base.Value]) -> [Base.StorageValue]? {
        prefsValue.compactMap { base.encode(prefsValue: $0) }
    }

    func decode(prefsValue: [Base.StorageValue]) -> [Base.Value]? {
        prefsValue.compactMap { base.decode(prefsValue: $0) }
    }
}

// The protocols of schemas and codings are LayeredPrefs', and so are their constraints. A declaration that
// needs PrefsKit's constraint adds it: these are the one-line changes that the guide names.

private struct Box<Storage: PrefsStorage> { let storage: Storage }

private func boxed<Schema: PrefsSchema>(_ schema: Schema) -> Box<Schema.SchemaStorage>
where Schema.SchemaStorage: PrefsStorage {
    Box(storage: schema.storage)
}

private struct Unchanged<Stored: LayeredPrefs.PrefsStorageValue>: PrefsCodable {
    typealias Value = Stored
    typealias StorageValue = Stored
}

private func stored<Coding: PrefsCodable>(_ value: Coding.Value, _ coding: Coding) -> any PrefsStorageValue
where Coding.StorageValue: PrefsStorageValue {
    coding.encode(prefsValue: value) ?? 0
}

@Suite struct PrefsKitGenericUsesTests {
    @Test func `a function is generic over schemas`() {
        #expect(increase(OverOwn()) == 1)
        #expect(increase(OverOwnWithContents()) == 8)
        #expect(increase(OverDictionary()) == 4)
        #expect(increase(ByHand()) == 2)
        #expect(increase(OverReadOnly()) == 5)
    }

    @Test func `a schema's storage is erased`() {
        let prefs = OverDictionary()
        let storage = erased(prefs)
        #expect(storage.wrapped === prefs.storage)
        storage.setStorageValue(forKey: "count", to: 9)
        #expect(prefs.count == 9)
        #expect(erased(OverReadOnly()).storageValue(forKey: "count") == 5)
        #expect(boxed(prefs).storage === prefs.storage)
        #expect(ByHand().storageItself().storageValue(forKey: "count") == 1)
    }

    @Test func `a schema is used without its type`() {
        #expect(count(in: OverOwnWithContents()) == 7)
        #expect(count(in: ByHand()) == 1)
        #expect(OverOwnWithContents().countText == "7")
        #expect(OverReadOnly().countText == "5")
        #expect(OverDictionary().coded("count", AtomicPrefsCoding<Int>()) == 3)
        let all: [any PrefsSchema] = [OverOwn(), OverDictionary()]
        #expect(all.map(count(in:)) == [nil, 3])
    }

    @MainActor @Test func `a schema that is isolated to an actor is used without its type`() {
        #expect(increase(Isolated()) == 4)
        #expect(Isolated().countText == "3")
    }

    @Test func `a storage is a static member of the protocol`() {
        let prefs = OverOwn()
        prefs.count += 1
        #expect(prefs.storage.storageValue(forKey: "count") == 2)
        #expect(OverOwnWithContents().count == 7)
    }

    @Test func `a function is generic over codings`() {
        #expect(roundTrip(7, using: .uInt8AsInt, in: DictionaryPrefsStorage()) == 7)
        #expect(roundTrip(URL(string: "a:b")!, using: .urlString, in: Own()) == URL(string: "a:b"))
        let coding = PrefsCoding<Int, [String: String]>(
            encode: { ["n": "\($0)"] }, decode: { $0["n"].flatMap { Int($0) } })
        #expect(roundTrip(3, using: coding, in: AnyPrefsStorage(Own())) == 3)
        #expect(roundTrip([1, 2], using: Listed(base: .uIntAsInt), in: Own()) == [1, 2])
        #expect(roundTrip(2.5, using: Unchanged<Double>(), in: Own()) == 2.5)
        #expect(stored(7, .uInt8AsInt) as? Int == 7)
    }

    @Test func `a function is generic over keys`() {
        #expect(roundTrip(4, AnyAtomicPrefsKey<Int>(key: "n"), in: Own()) == 4)
        let key = AnyDefaultedPrefsKey(key: "n", defaultValue: 1, coding: IntegerStringPrefsCoding<UInt8>())
        #expect(roundTrip(4, key, in: DictionaryPrefsStorage()) == 4)
        let keys: [any PrefsKey<Int, Int>] = [AnyAtomicPrefsKey(key: "a"), AnyAtomicPrefsKey(key: "b")]
        #expect(keys.map(\.key) == ["a", "b"])
    }
}
