import PersistentKeyValueKitCompatibility
import TestSupport
import Testing

private typealias Rows = UpstreamDeclarations

private let iCloud = "NSUbiquitousKeyValueStore"
private let selectors = "a `Selector` of Objective-C"

/// Checks the functions of a representation over arrays, dictionaries and defaults.
private func check<Representation: PersistentKeyValueRepresentation>(
    _ representation: Representation, _ value: Representation.Value, plain: Any, wrong: Any = Date()
) where Representation.Value: Equatable {
    var array: [Any] = ["old"]
    representation.set([value], to: &array)
    #expect(array.count == 1 && "\(array[0])" == "\(plain)")
    #expect(representation.get(from: array) == [value])
    #expect(representation.get(from: [plain, wrong]) == nil)
    var dictionary: [String: Any] = [:]
    representation.set("k", to: value, in: &dictionary)
    #expect(representation.get("k", from: dictionary) == value)
    #expect(representation.get("absent", from: dictionary) == nil)
    #expect(representation.get("k", from: ["k": wrong]) == nil)
    let suite = DefaultsSuite()
    #expect(representation.get("k", from: suite.defaults) == nil)
    representation.set("k", to: value, in: suite.defaults)
    #expect(representation.get("k", from: suite.defaults) == value)
    suite.defaults.set(wrong, forKey: "k")
    #expect(representation.get("k", from: suite.defaults) == nil)
}

private func checkPrimitive<Value: PrimitiveKeyValuePersistible & Equatable>(
    _ value: Value, plain: Any, wrong: Any = Date()
) {
    check(PrimitivePersistentKeyValueRepresentation<Value>(), value, plain: plain, wrong: wrong)
    var dictionary: [String: Any] = [:]
    Value.set("k", to: value, in: &dictionary)
    #expect(Value.get("k", from: dictionary) == value)
    var array: [Any] = []
    Value.set([value, value], to: &array)
    #expect(Value.get(from: array) == [value, value])
    let suite = DefaultsSuite()
    Value.set("k", to: value, in: suite.defaults)
    #expect(Value.get("k", from: suite.defaults) == value)
}

private enum Scheme: String, KeyValuePersistible, CaseIterable {
    case dark, light

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Scheme> {
        RawRepresentablePersistentKeyValueRepresentation()
    }
}

/// A representation that implements the functions themselves.
private struct Doubled: PersistentKeyValueRepresentation {
    func get(from propertyListArray: [Any]) -> [Int]? { (propertyListArray as? [Int])?.map { $0 / 2 } }
    func set(_ values: [Int], to propertyListArray: inout [Any]) { propertyListArray = values.map { $0 * 2 } }
    func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Int? {
        (propertyListDictionary[dictionaryKey] as? Int).map { $0 / 2 }
    }
    func set(_ dictionaryKey: String, to value: Int, in propertyListDictionary: inout [String: Any]) {
        propertyListDictionary[dictionaryKey] = value * 2
    }
    func get(_ userDefaultsKey: String, from userDefaults: UserDefaults) -> Int? {
        (userDefaults.object(forKey: userDefaultsKey) as? Int).map { $0 / 2 }
    }
    func set(_ userDefaultsKey: String, to value: Int, in userDefaults: UserDefaults) {
        userDefaults.set(value * 2, forKey: userDefaultsKey)
    }
}

/// A store as PersistentKeyValueKit declares it.
private final class OwnStore: PersistentKeyValueStore {
    private var values: [String: Any] = [:]
    private var selectors: [String: [Selector]] = [:]
    private(set) var deregistrations = 0

    func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        key.representation.get(key.id, from: values) ?? key.defaultValue
    }
    func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        key.representation.set(key.id, to: value, in: &values)
        for selector in selectors[key.id] ?? [] { selector() }
    }
    func remove<Key: PersistentKeyProtocol>(_ key: Key) { values[key.id] = nil }
    func deregister<Key: PersistentKeyProtocol>(
        _ observer: NSObject, for key: Key, context: UnsafeMutableRawPointer?
    ) {
        selectors[key.id] = nil
        deregistrations += 1
    }
    func register<Key: PersistentKeyProtocol>(
        observer: NSObject, for key: Key, with context: UnsafeMutableRawPointer?,
        and valueWillChange: Selector
    ) { selectors[key.id, default: []].append(valueWillChange) }
}

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var volume: Self { Self("Volume", defaultValue: 5) }
}

private let types: [Rows] = [
    Rows("KeyValuePersistible.swift", [13]) { () throws in
        func name<Value: KeyValuePersistible>(_: Value.Type) -> Any.Type {
            Value.PersistentKeyValueRepresentation.self
        }
        let isPrimitive = name(Int.self) == PrimitivePersistentKeyValueRepresentation<Int>.self
        #expect(isPrimitive)
    },
    Rows("PrimitiveKeyValuePersistible.swift", [34, 46, 52, 63, 69, 80, 86, 116, 121, 128, 133]) {
        () throws in
        struct Celsius: PrimitiveKeyValuePersistible, Equatable {
            var degrees = 20
            static func get(_ key: String, from contents: [String: Any]) -> Self? {
                (contents[key] as? Int).map(Self.init(degrees:))
            }
            static func set(_ key: String, to value: Self, in contents: inout [String: Any]) {
                contents[key] = value.degrees
            }
        }
        let store = InMemoryPersistentKeyValueStore()
        let key = PersistentKey("c", defaultValue: Celsius())
        store.set(key, to: Celsius(degrees: 3))
        #expect(store.prefsStorage.snapshot["c"] == 3 && store.get(key) == Celsius(degrees: 3))
        checkPrimitive(1, plain: 1)
    },
    Rows("Data+KeyValuePersistible.swift", [27, 32]) { () throws in
        checkPrimitive(Data([1]), plain: Data([1]))
    },
    Rows("Data+KeyValuePersistible.swift", [40, 49], .impossible(iCloud)) {},
    Rows("URL+KeyValuePersistible.swift", [26, 43, 54, 66, 73, 94]) { () throws in
        checkPrimitive(URL(string: "https://a.org/b")!, plain: "https://a.org/b", wrong: "not a valid url")
    },
    Rows("URL+KeyValuePersistible.swift", [102, 111], .impossible(iCloud)) {},
    Rows("Array<KeyValuePersistible>+KeyValuePersistible.swift", [26, 47, 66, 75, 88, 97]) { () throws in
        checkPrimitive([Scheme.dark, .light], plain: ["dark", "light"], wrong: ["dark", "blue"])
    },
    Rows("Array<KeyValuePersistible>+KeyValuePersistible.swift", [111, 124], .impossible(iCloud)) {},
    Rows("Bool+KeyValuePersistible.swift", [27, 49]) { () throws in checkPrimitive(true, plain: true) },
    Rows("Bool+KeyValuePersistible.swift", [57, 68], .impossible(iCloud)) {},
    Rows("Dictionary<String, KeyValuePersistible>+KeyValuePersistible.swift", [30, 49, 62, 71, 78, 87]) {
        () throws in
        checkPrimitive(["a": Scheme.dark], plain: ["a": "dark"])
        // An entry that does not decode is omitted.
        #expect([String: Scheme].get("k", from: ["k": ["a": "dark", "b": "blue"]]) == ["a": .dark])
    },
    Rows("Dictionary<String, KeyValuePersistible>+KeyValuePersistible.swift", [105], .impossible(iCloud)) {},
    Rows("Double+KeyValuePersistible.swift", [27, 45]) { () throws in checkPrimitive(1.5, plain: 1.5) },
    Rows("Double+KeyValuePersistible.swift", [53, 64], .impossible(iCloud)) {},
    Rows("Float+KeyValuePersistible.swift", [27, 45]) { () throws in
        checkPrimitive(Float(4.2), plain: Float(4.2))
    },
    Rows("Float+KeyValuePersistible.swift", [53, 64], .impossible(iCloud)) {},
    Rows("Int+KeyValuePersistible.swift", [27, 45]) { () throws in checkPrimitive(Int.max, plain: Int.max) },
    Rows("Int+KeyValuePersistible.swift", [53, 64], .impossible(iCloud)) {},
    Rows("String+KeyValuePersistible.swift", [27, 32]) { () throws in checkPrimitive("x", plain: "x") },
    Rows("String+KeyValuePersistible.swift", [40, 49], .impossible(iCloud)) {},
]

private let representations: [Rows] = [
    Rows("PersistentKeyValueRepresentation.swift", [11, 28, 34, 45, 52, 63, 70]) { () throws in
        check(Doubled(), 4, plain: 8)
        let store = InMemoryPersistentKeyValueStore()
        store.set(PersistentKey("d", defaultValue: 0, representation: Doubled()), to: 4)
        #expect(store.prefsStorage.snapshot["d"] == 8)
        let optional = PersistentKey<Int?>("d", representation: Doubled())
        #expect(store.get(optional) == 4)
        store.set(optional, to: nil)
        #expect(store.prefsStorage.snapshot["d"] == nil)
    },
    Rows("CodablePersistentKeyValueRepresentation.swift", [28, 31, 51, 56, 61]) { () throws in
        let json = CodablePersistentKeyValueRepresentation<[Int], JSONEncoder, JSONDecoder>(
            encoder: JSONEncoder(), decoder: JSONDecoder())
        let decoded = try json.decoder.decode([Int].self, from: json.encoder.encode([1]))
        #expect(decoded == [1])
        #expect(json.to([1]) == Data("[1]".utf8) && json.from(Data("[2]".utf8)) == [2])
        check(json, [1], plain: Data("[1]".utf8))
    },
    Rows("OptionalPersistentKeyValueRepresentation.swift", [18, 41, 49, 68, 77, 89, 98]) { () throws in
        let optional = OptionalPersistentKeyValueRepresentation(Scheme.persistentKeyValueRepresentation)
        check(optional, .dark, plain: "dark", wrong: "blue")
        #expect(optional.base.get("k", from: ["k": "dark"]) == .dark)
        var array: [Any] = []
        optional.set([.dark, nil], to: &array)
        #expect(array as? [String] == ["dark"])
        var dictionary: [String: Any] = ["k": "dark"]
        optional.set("k", to: nil, in: &dictionary)
        #expect(dictionary.isEmpty)
    },
    Rows("OptionalPersistentKeyValueRepresentation.swift", [111], .impossible(iCloud)) {},
    Rows("PrimitivePersistentKeyValueRepresentation.swift", [35, 40, 47, 52, 59, 64]) { () throws in
        check(PrimitivePersistentKeyValueRepresentation<String>(), "x", plain: "x")
    },
    Rows("ProxyPersistentKeyValueRepresentation.swift", [11, 13, 16, 28, 111, 116]) { () throws in
        let text = ProxyPersistentKeyValueRepresentation<Int, String>(to: { "\($0)" }, from: { Int($0) })
        let to: @Sendable (Int) -> String? = text.to
        let from: @Sendable (String) -> Int? = text.from
        #expect(to(1) == "1" && from("x") == nil)
        #expect(text.to(1) == "1" && text.from("x") == nil)
        let half = ProxyPersistentKeyValueRepresentation<Double, String>(
            other: text, to: { Int(exactly: $0 * 2) }, from: { Double($0) / 2 })
        check(half, 1.5, plain: "3", wrong: "x")
    },
    Rows("ProxyPersistentKeyValueRepresentationProtocol.swift", [43, 63, 82, 93, 104, 113]) { () throws in
        struct Text: ProxyPersistentKeyValueRepresentationProtocol {
            func to(_ value: Int) -> String? { value < 0 ? nil : "\(value)" }
            func from(_ proxy: String) -> Int? { Int(proxy) }
        }
        check(Text(), 1, plain: "1", wrong: "x")
        var dictionary: [String: Any] = ["k": "1"]
        Text().set("k", to: -1, in: &dictionary)
        #expect(dictionary["k"] as? String == "1")
    },
]

private let stores: [Rows] = [
    Rows(
        "PersistentKeyProtocol.swift", [45, 50, 56],
        .differs("So no key type can get around the rule for debug keys")
    ) { () throws in
        let (suite, key) = (DefaultsSuite(), PersistentKey<Int>.volume)
        key.set(to: 7, in: suite.defaults)
        #expect(key.get(from: suite.defaults) == 7)
        key.remove(from: suite.defaults)
        #expect(key.get(from: suite.defaults) == 5)
    },
    Rows("PersistentKeyValueStore.swift", [23]) { () throws in
        let store = OwnStore()
        #expect(store.get(.volume) == 5)
        store.set(.volume, to: 6)
        #expect(store[.volume] == 6 && PersistentKey<Int>.volume.get(from: store) == 6)
        #expect(PersistentValue(.volume, store: store).wrappedValue == 6)
    },
    Rows(
        "PersistentKeyValueStore.swift", [56, 82],
        .differs(selectors)
    ) { () throws in checkRegistration(with: DictionaryPrefsStorage(), notifiesOfEqualValues: false) },
    Rows(
        "UserDefaults+PersistentKeyValueStore.swift", [37, 46],
        .differs(selectors)
    ) { () throws in
        let suite = DefaultsSuite()
        checkRegistration(with: suite.defaults, notifiesOfEqualValues: true)
    },
    Rows(
        "InMemoryPersistentKeyValueStore.swift", [101, 119],
        .differs(selectors)
    ) { () throws in checkRegistration(with: InMemoryPersistentKeyValueStore(), notifiesOfEqualValues: true)
    },
    Rows("PersistentValue.swift", [56]) { () throws in
        let store = InMemoryPersistentKeyValueStore()
        let value = PersistentValue(.volume, store: store)
        value.wrappedValue = 8
        #expect(store.get(.volume) == 8)
        let none: (any PersistentKeyValueStore)? = nil
        #expect(
            PersistentValue(PersistentKey("none-\(UUID())", defaultValue: 1), store: none).wrappedValue == 1)
    },
    Rows("PersistentValue.swift", [67], .differs("`$value` is a `Binding`")) { () throws in
        let projected = PersistentValue(.volume, store: InMemoryPersistentKeyValueStore()).projectedValue
        #expect(projected.key.id == "Volume" && projected.emitsInitialValue)
    },
]

private func checkRegistration(with store: any PersistentKeyValueStore, notifiesOfEqualValues: Bool) {
    let (tally, observer) = (Tally(), NSObject())
    unsafe store.register(observer: observer, for: .volume, with: nil, and: Selector { tally.add() })
    store.set(.volume, to: 6)
    #expect(tally.count == 1)
    store.set(.volume, to: 6)
    #expect(tally.count == (notifiesOfEqualValues ? 2 : 1))
    unsafe store.deregister(observer, for: .volume, context: nil)
    store.set(.volume, to: 7)
    #expect(tally.count == (notifiesOfEqualValues ? 2 : 1))
}

private let streams: [Rows] = [
    Rows("PersistentKeyValues.swift", [113, 136]) { () throws in
        let values = PersistentKeyValues(.volume, store: InMemoryPersistentKeyValueStore())
        let iterator: PersistentKeyValues<PersistentKey<Int>>.Iterator = values.makeAsyncIterator()
        #expect(values.key.id == "Volume" && values.emitsInitialValue && "\(iterator)".contains("Iterator"))
    },
    Rows("PersistentKeyProtocol+PersistentKeyValuePublisher.swift", [30, 58]) { () throws in
        #if OpenCombine
            let (store, key) = (InMemoryPersistentKeyValueStore(), PersistentKey<Int>.volume)
            #expect(received(key.publisher(in: store), in: store) == [5, 6, 6])
            #expect(received(key.publisher(in: store, emitsInitialValue: false), in: store) == [6, 6])
            #expect(received(key.changesPublisher(in: store), in: store) == [6, 6])
        #endif
    },
    Rows("PersistentKeyValuePublisher.swift", [24, 26, 29, 32, 43, 59, 60, 64]) { () throws in
        #if OpenCombine
            let store = InMemoryPersistentKeyValueStore()
            let publisher = PersistentKeyValuePublisher(.volume, store: store, emitsInitialValue: false)
            #expect(publisher.key.id == "Volume" && !publisher.emitsInitialValue)
            #expect(publisher.store as AnyObject === store)
            #expect(received(publisher, in: store) == [6, 6])
        #endif
    },
    Rows("PersistentKeyValueStore+PersistentKeyValuePublisher.swift", [30, 58]) { () throws in
        #if OpenCombine
            let store = InMemoryPersistentKeyValueStore()
            #expect(received(store.publisher(for: .volume), in: store) == [5, 6, 6])
            #expect(received(store.changesPublisher(for: .volume), in: store) == [6, 6])
            let own = OwnStore()
            #expect(received(own.publisher(for: .volume), in: own) == [5, 6, 6])
            #expect(own.deregistrations == 1)
        #endif
    },
]

#if OpenCombine
    /// Returns the values that a publisher publishes for two equal writes over the default.
    private func received(
        _ publisher: some Publisher<Int, Never>, in store: any PersistentKeyValueStore
    ) -> [Int] {
        store.remove(.volume)
        var received: [Int] = []
        let cancellable: AnyCancellable = publisher.sink { received.append($0) }
        store.set(.volume, to: 6)
        store.set(.volume, to: 6)
        cancellable.cancel()
        store.set(.volume, to: 9)
        return received
    }
#endif

/// Every declaration of PersistentKeyValueKit that was once absent or different.
@Suite struct PersistentKeyValueKitDeclarationsTests {
    private static let all = types + representations + stores + streams

    @Test(arguments: all)
    func `a declaration behaves as upstream's`(declarations: UpstreamDeclarations) throws {
        try declarations.check()
        #expect(try declarations.isDocumented(in: "PersistentKeyValueKitCompatibility"))
    }

    @Test func `every declaration is in the table once`() {
        #expect(Self.all.flatMap(\.lines).count == 123)
        #expect(UpstreamDeclarations.mismatches(of: Self.all, package: "PKVK").isEmpty)
    }

    @Test func `an iterator delivers equal values again and ends its registration`() async {
        let store = OwnStore()
        var values: PersistentKeyValues<PersistentKey<Int>>.Iterator? = store.values(
            for: .volume, bufferingPolicy: .unbounded
        ).makeAsyncIterator()
        store.set(.volume, to: 6)
        store.set(.volume, to: 6)
        #expect(await values?.next() == 5)
        #expect(await values?.next() == 6)
        #expect(await values?.next() == 6)
        values = nil
        #expect(store.deregistrations == 1)
    }
}
