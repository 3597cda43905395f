import PrefsKitCompatibility
import TestSupport
import Testing

private enum Fruit: String, Sendable { case apple, pear }

private struct Device: Codable, Equatable, Sendable { var name = "a" }

private struct Temperature: PrefsStorageValue { var degrees = 20 }

/// Codings that declare only their types.
private struct Same: PrefsCodable {
    typealias Value = Int
    typealias StorageValue = Int
}
private struct ByRawValue: PrefsCodable {
    typealias Value = Fruit
    typealias StorageValue = String
}

private struct IntKey: DefaultedPrefsKey {
    typealias Value = Int
    typealias StorageValue = String
    let key = "n"
    let coding = IntegerStringPrefsCoding<Int>()
    let defaultValue = 7
}

/// Puts the type that a mapping strategy received before the value.
private struct Typed: PrefsStorageMappingImportStrategy, PrefsStorageMappingExportStrategy {
    var typeEraseAmbiguousFloatingPoint = false

    func importValue(forKeyPath: [String], value: Int) throws -> any PrefsStorageValue { "Int \(value)" }
    func importValue(forKeyPath: [String], value: String) throws -> any PrefsStorageValue {
        "String \(value)"
    }
    func importValue(forKeyPath: [String], value: Bool) throws -> any PrefsStorageValue { "Bool \(value)" }
    func importValue(forKeyPath: [String], value: Double) throws -> any PrefsStorageValue {
        "Double \(value)"
    }
    func importValue(forKeyPath: [String], value: Float) throws -> any PrefsStorageValue { "Float \(value)" }
    func importValue(forKeyPath: [String], value: NSNumber) throws -> any PrefsStorageValue { "NSNumber" }
    func importValue(forKeyPath: [String], value: Data) throws -> any PrefsStorageValue {
        "Data \(value.count)"
    }
    func importValue(forKeyPath: [String], value: Date) throws -> any PrefsStorageValue { "Date" }

    func exportValue(forKeyPath: [String], value: Int) throws -> Any { "Int \(value)" }
    func exportValue(forKeyPath: [String], value: String) throws -> Any { "String \(value)" }
    func exportValue(forKeyPath: [String], value: Bool) throws -> Any { "Bool \(value)" }
    func exportValue(forKeyPath: [String], value: Double) throws -> Any { "Double \(value)" }
    func exportValue(forKeyPath: [String], value: Float) throws -> Any { "Float \(value)" }
    func exportValue(forKeyPath: [String], value: NSNumber) throws -> Any { "NSNumber" }
    func exportValue(forKeyPath: [String], value: Data) throws -> Any { "Data \(value.count)" }
    func exportValue(forKeyPath: [String], value: Date) throws -> Any { "Date" }

    static var plain: [String: Any] {
        [
            "int": 1, "string": "x", "bool": true, "double": 1.5, "float": Float(1.5),
            "number": NSNumber(value: UInt64.max), "data": Data([1]), "date": Date(timeIntervalSince1970: 0),
        ]
    }
    static let mapped = [
        "int": "Int 1", "string": "String x", "bool": "Bool true", "double": "Double 1.5",
        "float": "Float 1.5", "number": "NSNumber", "data": "Data 1", "date": "Date",
    ]
}

/// Strategies without functions of their own, so they pass values on.
private struct Unchanged: PrefsStorageMappingImportStrategy { let typeEraseAmbiguousFloatingPoint = false }

/// The bytes of one key, in every direction.
private struct OneKey: PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatStringImportable, PrefsStorageExportFormatDataExportable,
    PrefsStorageExportFormatFileExportable, PrefsStorageExportFormatStringExportable
{
    func load(from data: Data) throws -> [String: Any] { ["a": String(decoding: data, as: UTF8.self)] }
    func exportData(storage: [String: Any]) throws -> Data { Data("\(storage["a"] ?? "")".utf8) }
}

private final class ByHand: PrefsSchema {
    let storage = DictionaryPrefsStorage(root: ["a": 1])
    let storageMode = PrefsStorageMode.storageOnly
}

private final class SubclassedStorage: DictionaryPrefsStorage, @unchecked Sendable {}

private func checkKeys<Key: DefaultedPrefsKey>(_ key: Key) where Key.Value == Int {
    let storage = DictionaryPrefsStorage()
    #expect(storage.value(forKey: key) == key.defaultValue)
    storage.setValue(forKey: key, to: 3)
    #expect(storage.value(forKey: key) == 3)
    #expect(storage.storageValue(forKey: key) == key.encode(3))
    storage.setValue(forKey: key, to: nil)
    #expect(storage.value(forKey: key) == key.defaultValue)
}

private func checkKey<Key: PrefsKey>(_ key: Key, _ value: Key.Value) where Key.Value: Equatable {
    let storage = DictionaryPrefsStorage()
    #expect(storage.value(forKey: key) as Key.Value? == nil)
    storage.setValue(forKey: key, to: value)
    #expect(storage.value(forKey: key) as Key.Value? == value)
    #expect(storage.storageValue(forKey: key) == key.encode(value))
}

private func checkDefaulted<Key: DefaultedPrefsKey>(_ key: Key, _ value: Key.Value)
where Key.Value: Equatable {
    let storage = DictionaryPrefsStorage()
    #expect(storage.value(forKey: key) == key.defaultValue)
    #expect(key.decodeDefaulted(nil) == key.defaultValue)
    storage.setValue(forKey: key, to: value)
    #expect(storage.value(forKey: key) == value)
}

private let prefsKitCodings: [UpstreamDeclarations] = [
    UpstreamDeclarations("PrefsCodable.swift", [23, 27]) { () throws in
        #expect(Same().encode(prefsValue: 1) == 1 && Same().decode(prefsValue: 1) == 1)
    },
    UpstreamDeclarations("PrefsCodable+RawRepresentable.swift", [10, 14]) { () throws in
        #expect(ByRawValue().encode(prefsValue: .pear) == "pear")
        #expect(ByRawValue().decode(prefsValue: "plum") == nil)
    },
    UpstreamDeclarations("CodableArrayPrefsCoding.swift", [52, 64]) { () throws in
        let coding = PrefsCoding<Int, [Int]>(encode: { [$0] }, decode: \.first)
        #expect(coding.jsonDataArrayPrefsCoding.encode(prefsValue: 1) == [Data("1".utf8)])
        #expect(coding.jsonStringArrayPrefsCoding.encode(prefsValue: 1) == ["1"])
        #expect(coding.jsonStringArrayPrefsCoding.decode(prefsValue: ["x", "2"]) == 2)
    },
    UpstreamDeclarations("CodableDictionaryPrefsCoding.swift", [55, 67]) { () throws in
        let coding = PrefsCoding<Int, [String: Int]>(encode: { ["a": $0] }, decode: { $0["a"] })
        #expect(coding.jsonDataDictionaryPrefsCoding.encode(prefsValue: 1) == ["a": Data("1".utf8)])
        #expect(coding.jsonStringDictionaryPrefsCoding.decode(prefsValue: ["a": "2", "b": "x"]) == 2)
    },
    UpstreamDeclarations("RawRepresentableArrayPrefsCoding.swift", [12]) { () throws in
        let coding = RawRepresentableArrayPrefsCoding(element: RawRepresentablePrefsCoding<Fruit>())
        // Upstream omits elements that do not decode.
        #expect(coding.decode(prefsValue: ["apple", "plum", "pear"]) == [.apple, .pear])
    },
    UpstreamDeclarations("RawRepresentableDictionaryPrefsCoding.swift", [12]) { () throws in
        let coding = RawRepresentableDictionaryPrefsCoding(element: RawRepresentablePrefsCoding<Fruit>())
        #expect(coding.decode(prefsValue: ["a": "apple", "b": "plum"]) == ["a": .apple])
    },
    UpstreamDeclarations("Base64StringDataPrefsCoding.swift", [11, 12]) { () throws in
        let coding = Base64StringDataPrefsCoding(
            encodingOptions: .lineLength64Characters, decodingOptions: .ignoreUnknownCharacters)
        #expect(coding.encodingOptions == .lineLength64Characters)
        #expect(coding.decodingOptions == .ignoreUnknownCharacters)
    },
    UpstreamDeclarations("BoolStringPrefsCoding.swift", [75]) { () throws in
        #expect(BoolStringPrefsCoding.EncodingStrategy.TextCase.uppercase.process("yes") == "YES")
    },
    UpstreamDeclarations("CompressedDataPrefsCoding.swift", [18]) { () throws in
        #if Compression
            let algorithm: NSData.CompressionAlgorithm = .zlib
            let coding = CompressedDataPrefsCoding(algorithm: algorithm)
            #expect(coding.encode(prefsValue: Data([1])).flatMap(coding.decode(prefsValue:)) == Data([1]))
        #endif
    },
    UpstreamDeclarations("JSONStringCodablePrefsCodable.swift", [20, 24]) { () throws in
        let coding = JSONStringCodablePrefsCoding<Device>()
        let encoder: JSONEncoder = coding.prefsEncoder()
        let decoder: JSONDecoder = coding.prefsDecoder()
        #expect(try decoder.decode(Device.self, from: encoder.encode(Device())) == Device())
    },
]

private let prefsKitKeys: [UpstreamDeclarations] = [
    UpstreamDeclarations("DefaultedPrefsKey.swift", [7, 8, 12]) { () throws in
        #expect(IntKey().decodeDefaulted("x") == 7 && IntKey().decodeDefaulted("8") == 8)
    },
    UpstreamDeclarations("PrefsKey.swift", [7, 8, 9, 10, 12, 13, 14, 15, 19, 24, 31, 32, 36, 40]) {
        () throws in
        let (none, text): (Int?, String?) = (nil, nil)
        #expect(IntKey().encode(none) == nil && IntKey().encode(5) == "5")
        #expect(IntKey().decode(text) == nil && IntKey().decode("5") == 5)
        #expect(AnyAtomicPrefsKey<Int>(key: "a").encode(5) == 5)
        checkKeys(IntKey())
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [13, 16, 18, 19, 21]) { () throws in
        checkKey(AnyAtomicPrefsKey<Int>(key: "a"), 1)
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [27, 30, 32, 33, 34, 38]) { () throws in
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: "x"), "y")
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [47, 50, 51, 53, 54, 59, 66]) { () throws in
        checkKey(AnyPrefsKey(key: "a", coding: URLStringPrefsCoding()), URL(string: "a:b")!)
        checkKey(
            AnyPrefsKey(
                key: "a", encode: { (value: Int) -> String? in "\(value)" },
                decode: { (text: String) -> Int? in Int(text) }), 4)
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [77, 80, 81, 83, 84, 85, 90, 102]) { () throws in
        checkDefaulted(
            AnyDefaultedPrefsKey(key: "a", defaultValue: 1, coding: IntegerStringPrefsCoding<Int>()), 2)
        checkDefaulted(
            AnyDefaultedPrefsKey(
                key: "a", defaultValue: 1, encode: { (value: Int) -> String? in "\(value)" },
                decode: { (text: String) -> Int? in Int(text) }), 2)
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [117, 120, 122, 123, 125]) { () throws in
        checkKey(AnyRawRepresentablePrefsKey<Fruit>(key: "a"), .pear)
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [131, 134, 136, 137, 138, 142]) { () throws in
        checkDefaulted(AnyDefaultedRawRepresentablePrefsKey(key: "a", defaultValue: Fruit.apple), .pear)
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [151, 158, 159, 163, 170]) { () throws in
        let key = AnyCodablePrefsKey(
            key: "a", value: Device.self, storageValue: Data.self, encoder: JSONEncoder(),
            decoder: JSONDecoder())
        checkKey(key, Device())
        checkKey(AnyCodablePrefsKey(key: "b", coding: key.coding), Device())
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [183, 190, 191, 192, 196, 208]) { () throws in
        let key = AnyDefaultedCodablePrefsKey(
            key: "a", defaultValue: Device(), value: Device.self, storageValue: Data.self,
            encoder: JSONEncoder(), decoder: JSONDecoder())
        checkDefaulted(key, Device(name: "b"))
        checkDefaulted(
            AnyDefaultedCodablePrefsKey(key: "b", defaultValue: Device(), coding: key.coding),
            Device(name: "b"))
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [224, 227, 228, 230]) { () throws in
        checkKey(AnyJSONDataCodablePrefsKey<Device>(key: "a"), Device())
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [236, 239, 240, 241, 245]) { () throws in
        checkDefaulted(
            AnyDefaultedJSONDataCodablePrefsKey(key: "a", defaultValue: Device()), Device(name: "b"))
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [254, 257, 258, 260]) { () throws in
        checkKey(AnyJSONStringCodablePrefsKey<Device>(key: "a"), Device())
    },
    UpstreamDeclarations("PrefsKey Prototypes.swift", [266, 269, 270, 271, 275]) { () throws in
        checkDefaulted(
            AnyDefaultedJSONStringCodablePrefsKey(key: "a", defaultValue: Device()), Device(name: "b"))
    },
    UpstreamDeclarations("PrefsStorage+DefaultedPrefsKey.swift", [14, 18, 22, 26, 30, 34, 38, 42, 46]) {
        () throws in
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: 1), 2)
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: "a"), "b")
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: true), false)
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: 1.5), 2.5)
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: Float(1.1)), 2.1)
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: Data()), Data([1]))
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: Date.distantPast), .distantFuture)
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: [1]), [2])
        checkDefaulted(AnyDefaultedAtomicPrefsKey(key: "a", defaultValue: ["a": 1]), ["b": 2])
    },
    UpstreamDeclarations(
        "PrefsStorage+PrefsKey.swift",
        [14, 22, 26, 30, 34, 38, 42, 46, 50, 54, 62, 67, 72, 77, 82, 87, 92, 97, 102]
    ) { () throws in
        checkKey(AnyAtomicPrefsKey<Int>(key: "a"), 1)
        checkKey(AnyAtomicPrefsKey<String>(key: "a"), "a")
        checkKey(AnyAtomicPrefsKey<Bool>(key: "a"), true)
        checkKey(AnyAtomicPrefsKey<Double>(key: "a"), 1.5)
        checkKey(AnyAtomicPrefsKey<Float>(key: "a"), 1.1)
        checkKey(AnyAtomicPrefsKey<Data>(key: "a"), Data([1]))
        checkKey(AnyAtomicPrefsKey<Date>(key: "a"), Date(timeIntervalSince1970: 1))
        checkKey(AnyAtomicPrefsKey<[Int]>(key: "a"), [1])
        checkKey(AnyAtomicPrefsKey<[String: Int]>(key: "a"), ["a": 1])
    },
]

private let prefsKitStorages: [UpstreamDeclarations] = [
    UpstreamDeclarations("PrefsSchema.swift", [12]) { () throws in
        #expect(ByHand().storage.storageValue(forKey: "a") == 1)
        #expect(ByHand.keys.isEmpty)
    },
    UpstreamDeclarations("PrefsStorage.swift", [11, 14, 15, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]) {
        () throws in
        let storage = OwnStorage()
        storage.setValue(forKey: "coded", to: 9, using: .uIntAsInt)
        let erased: any PrefsStorage = AnyPrefsStorage(storage)
        #expect(erased.storageValue(forKey: "coded") as Int? == 9)
        erased.setStorageValue(forKey: "list", to: [1, 2])
        #expect(erased.storageValue(forKey: "list") as [Int]? == [1, 2])
        #expect(erased.storageValue(forKey: "list") as [String: Int]? == nil)
        erased.setUnsafeStorageValue(forKey: "list", to: nil)
        #expect(erased.unsafeStorageValue(forKey: "list") == nil)
        // LayeredPrefs reads and writes through the same functions.
        try storage.set(PersistentKey("typed", defaultValue: 1), to: 2)
        #expect(storage.storageValue(forKey: "typed") as Int? == 2)
        #expect(storage.get(PersistentKey("typed", defaultValue: 1)) == 2)
        let all: (String?, Bool?, Double?, Float?, Data?, Date?) = (
            erased.storageValue(forKey: "typed"), erased.storageValue(forKey: "typed"),
            erased.storageValue(forKey: "typed"), erased.storageValue(forKey: "typed"),
            erased.storageValue(forKey: "typed"), erased.storageValue(forKey: "typed")
        )
        #expect(all.0 == nil && all.1 == nil && all.2 == nil && all.3 == nil && all.4 == nil && all.5 == nil)
    },
    UpstreamDeclarations("PrefsStorageError.swift", [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20]) {
        () throws in
        let all: [PrefsStorageError] = [
            .contentExportingNotSupported, .contentLoadingNotSupported, .jsonExportError,
            .jsonFormatNotSupported, .jsonLoadingNotSupported, .jsonWritingNotSupported, .plistExportError,
            .plistLoadingNotSupported, .plistWritingNotSupported,
        ]
        for error in all { #expect((error as any Error).localizedDescription == error.errorDescription) }
        #expect(Set(all.map(\.errorDescription)).count == 9)
    },
    UpstreamDeclarations("DictionaryPrefsStorage.swift", [13]) { () throws in
        let storage = try SubclassedStorage(from: "a", format: OneKey())
        #expect(storage.storageValue(forKey: "a") == "a")
        storage.setStorageValue(forKey: "floats", to: [Float(4.2)])
        #expect(storage.unsafeStorageValue(forKey: "floats") as? [Float] == [4.2])
        #expect(storage.storageValue(forKey: "floats") as [Float]? == [4.2])
    },
    UpstreamDeclarations("PrefsStorageValue.swift", [10]) { () throws in
        let storage = DictionaryPrefsStorage()
        storage.setStorageValue(forKey: "own", to: Temperature())
        #expect(storage.unsafeStorageValue(forKey: "own") as? Temperature == Temperature())
        storage.setStorageValue(forKey: "own", to: [Temperature()])
        #expect(storage.storageValue(forKey: "own") == [Temperature()])
        storage.setStorageValue(forKey: "number", to: NSNumber(value: 1.5))
        #expect(storage.storageValue(forKey: "number") as Double? == 1.5)
    },
    UpstreamDeclarations("Concurrency.swift", [10, 14, 18]) { () throws in
        let lock = SynchronizedLock(wrappedValue: 1)
        lock.wrappedValue = 2
        #expect(lock.wrappedValue == 2)
    },
]

private let prefsKitTransfer: [UpstreamDeclarations] = [
    UpstreamDeclarations("JSONPrefsStorageExportFormat.swift", [14, 15, 17, 33, 50, 58]) { () throws in
        let format: JSONPrefsStorageExportFormat = .json(options: [.sortedKeys], strategy: .passthrough)
        #expect(format.options == .sortedKeys && format.strategy is PrefsStoragePassthroughExportStrategy)
        #expect(try format.exportString(storage: ["b": 1, "a": "x"]) == #"{"a":"x","b":1}"#)
        #expect(throws: PrefsStorageError.jsonExportError) { try format.exportData(storage: ["a": Date()]) }
    },
    UpstreamDeclarations("JSONPrefsStorageImportFormat.swift", [14, 16, 18, 34, 51, 59]) { () throws in
        let format: JSONPrefsStorageImportFormat = .json(options: [.mutableContainers], strategy: .typed())
        #expect(format.options == .mutableContainers && format.strategy is PrefsStorageTypedImportStrategy)
        #expect(try format.load(from: #"{"a": [1]}"#)["a"] as? [Int] == [1])
        #expect(try format.load(from: Data(#"{"a": 1.0}"#.utf8))["a"] as? Double == 1)
    },
    UpstreamDeclarations("PListPrefsStorageExportFormat.swift", [11, 12, 14, 27, 44, 52]) { () throws in
        let format: PListPrefsStorageExportFormat = .plist(format: .binary, strategy: .passthrough)
        #expect(format.format == .binary && format.strategy is PrefsStoragePassthroughExportStrategy)
        #expect(try format.exportData(storage: ["a": 1]).starts(with: "bplist".utf8))
        #expect(try format.exportString(storage: ["a": 1]).hasPrefix("<?xml"))
    },
    UpstreamDeclarations("PListPrefsStorageExportStrategy.swift", [15]) { () throws in
        #expect(try PListPrefsStorageExportStrategy().prepareForExport(storage: ["a": 1])["a"] as? Int == 1)
    },
    UpstreamDeclarations("PListPrefsStorageImportFormat.swift", [11, 40, 48]) { () throws in
        let text = try PListPrefsStorageExportFormat().exportString(storage: ["a": 1])
        #expect(PListPrefsStorageImportFormat().strategy is PListPrefsStorageImportStrategy)
        #expect(try PListPrefsStorageImportFormat().load(from: text)["a"] as? Int == 1)
        #expect(try PListPrefsStorageImportFormat().load(from: Data(text.utf8))["a"] as? Int == 1)
    },
    UpstreamDeclarations("PrefsStorageExportable.swift", [14]) { () throws in
        let contents = try DictionaryPrefsStorage(root: ["a": 1, "f": [Float(4.2)]])
            .dictionaryRepresentation()
        #expect(contents["a"] as? Int == 1 && contents["f"] as? [Float] == [4.2])
    },
    UpstreamDeclarations("PrefsStorageExportFormat.swift", [17, 22, 27, 33]) { () throws in
        let folder = try TemporaryFolder()
        try OneKey().export(storage: ["a": "x"], to: URL(fileURLWithPath: folder["out"]))
        #expect(try folder.read("out") == Array("x".utf8))
        #expect(try OneKey().exportString(storage: ["a": "x"]) == "x")
    },
    UpstreamDeclarations("PrefsStorageExportStrategy.swift", [10]) { () throws in
        struct Doubling: PrefsStorageExportStrategy {
            func prepareForExport(storage: [String: Any]) throws -> [String: Any] {
                storage.compactMapValues { ($0 as? Int).map { $0 * 2 } }
            }
        }
        let text = try DictionaryPrefsStorage(root: ["a": 2]).exportString(
            format: .json(options: .sortedKeys, strategy: Doubling()))
        #expect(text == #"{"a":4}"#)
    },
    UpstreamDeclarations("PrefsStorageMappingExportStrategy.swift", [10, 11, 12, 13, 14, 15, 16, 17, 23]) {
        () throws in
        #expect(try Typed().prepareForExport(storage: Typed.plain) as? [String: String] == Typed.mapped)
    },
    UpstreamDeclarations("PrefsStoragePassthroughExportStrategy.swift", [14]) { () throws in
        #expect(try PrefsStoragePassthroughExportStrategy().prepareForExport(storage: ["a": 1]).count == 1)
    },
    UpstreamDeclarations("PrefsStorageImportable.swift", [21, 30]) { () throws in
        let storage: any PrefsStorageImportable = DictionaryPrefsStorage(root: ["a": 1])
        #expect(try storage.load(from: ["b": 2], by: .updating) == ["b"])
        #expect(try storage.load(unsafe: ["c": NSNumber(value: 3)], by: .reinitializing) == ["c"])
        #expect(
            storage.storageValue(forKey: "a") as Int? == nil && storage.storageValue(forKey: "c") as Int? == 3
        )
    },
    UpstreamDeclarations("PrefsStorageUpdateStrategy.swift", [16, 22]) { () throws in
        let larger: PrefsStorageUpdateStrategy.UpdatePredicate = { _, old, new in
            guard let old = old as? Int, let new = new as? Int else { return .preserveOldValue }
            return new > old ? .takeNewValue : .preserveOldValue
        }
        let storage = DictionaryPrefsStorage(root: ["a": 1, "b": 9])
        #expect(try storage.load(unsafe: ["a": 5, "b": 5], by: .updatingWithPredicate(larger)) == ["a"])
    },
    UpstreamDeclarations("PrefsStorageImportFormat.swift", [18, 24, 30, 36]) { () throws in
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: try folder.write("x", to: "in"))
        #expect(try OneKey().load(from: file)["a"] as? String == "x")
        #expect(try OneKey().load(from: "y")["a"] as? String == "y")
    },
    UpstreamDeclarations("PrefsStorageImportStrategy.swift", [10]) { () throws in
        #expect(
            try PrefsStoragePassthroughImportStrategy().prepareForImport(storage: ["a": 1])["a"] as? Int == 1)
    },
    UpstreamDeclarations(
        "PrefsStorageMappingImportStrategy.swift",
        [19, 21, 22, 23, 24, 25, 26, 27, 28, 34, 38, 42, 46, 50, 54, 58, 62, 68, 120]
    ) { () throws in
        #expect(try Typed().prepareForImport(storage: Typed.plain) as? [String: String] == Typed.mapped)
        let erasing = Typed(typeEraseAmbiguousFloatingPoint: true)
        #expect(try erasing.prepareForImport(storage: ["a": 1.5])["a"] as? String == "NSNumber")
        let same = try Unchanged().prepareForImport(storage: Typed.plain)
        #expect(same["int"] as? Int == 1 && same["float"] as? Float == 1.5 && same.count == Typed.plain.count)
        #expect(Unchanged().convert(NSNumber(value: true), typeEraseFloatingPoint: true) is Bool)
        #expect(Unchanged().convert(NSNumber(value: 3), typeEraseFloatingPoint: true) is Int)
        #expect(Unchanged().convert(NSNumber(value: 0.5), typeEraseFloatingPoint: false) is Double)
    },
    UpstreamDeclarations("PrefsStoragePassthroughImportStrategy.swift", [16]) { () throws in
        #expect(try PrefsStoragePassthroughImportStrategy().prepareForImport(storage: ["a": "x"]).count == 1)
    },
]

private let prefsKitDefaults: [UpstreamDeclarations] = [
    UpstreamDeclarations("UserDefaultsPrefsStorage.swift", [10, 91, 98]) { () throws in
        final class Subclass: UserDefaultsPrefsStorage, @unchecked Sendable {}
        let suite = DefaultsSuite()
        defer { withExtendedLifetime(suite) {} }
        let storage = Subclass(suite: suite.defaults)
        storage.setStorageValue(forKey: "floats", to: [Float(4.2)])
        let floats: [Any]? = storage.unsafeStorageValue(forKey: "floats")
        // Numbers are `Double` once any test has saved its suite.
        #expect(floats as? [Float] == [4.2] || floats as? [Double] == [Double(Float(4.2))])
        storage.setUnsafeStorageValue(forKey: "table", to: ["a": 1, "b": "x"] as [String: Any])
        let table: [String: Any]? = storage.unsafeStorageValue(forKey: "table")
        #expect(table?["a"] as? Int == 1 && table?["b"] as? String == "x")
    }
]

/// A storage as PrefsKit declares it.
///
/// Sendable: each test uses it on a single thread.
private final class OwnStorage: PrefsStorage, @unchecked Sendable {
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

/// Every declaration of PrefsKit that was once absent or different.
@Suite struct PrefsKitDeclarationsTests {
    private static let all =
        prefsKitCodings + prefsKitKeys + prefsKitStorages + prefsKitTransfer + prefsKitDefaults

    @Test(arguments: all)
    func `a declaration behaves as upstream's`(declarations: UpstreamDeclarations) throws {
        try declarations.check()
        #expect(try declarations.isDocumented(in: "PrefsKitCompatibility"))
    }

    @Test func `every declaration is in the table once`() {
        #expect(Self.all.flatMap(\.lines).count == 227)
        #expect(UpstreamDeclarations.mismatches(of: Self.all, package: "PrefsKit").isEmpty)
    }
}
