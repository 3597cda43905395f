import Foundation
import LayeredPrefs
import Testing

/// The PrefsKit README's schemas, in its order. Repeated names are numbered, a missing `@Storage` and what
/// stands as `/* … */` there is filled in; everything else is as it is written there.
enum Readme {
    @PrefsSchema final class QuickStart {
        @Storage var storage = .userDefaults
        @StorageMode var storageMode = .cachedReadStorageWrite

        @Pref var foo: String?
        @Pref var bar: Int = 123
        @Pref var bool: Bool = false
        @Pref var stringArray: [String]?
        @Pref var intDictionary: [String: Int]?
    }

    @PrefsSchema final class AtomicTypes {
        @Storage var storage = .dictionary
        @Pref var x1: String = ""
        @Pref var x2: Bool = true
        @Pref var x3: Int = 1
        @Pref var x4: Double = 1.0
        @Pref var x5: Float = 1.0
        @Pref var x6: Data = Data()
        @Pref var x7: Date = Date()
        @Pref var x8: [Int] = []
        @Pref var x9: [String: Int] = [:]
        @RawPref var x10: [Any] = []
        @RawPref var x11: [String: Any] = [:]
    }

    @PrefsSchema final class IntegersAsInt {
        @Storage var storage = .dictionary
        @Pref(coding: .uIntAsInt) var foo1: UInt?
        @Pref(coding: .int8AsInt) var foo2: Int8?
        @Pref(coding: .uInt8AsInt) var foo3: UInt8?
        @Pref(coding: .int16AsInt) var foo4: Int16?
        @Pref(coding: .uInt16AsInt) var foo5: UInt16?
        @Pref(coding: .int32AsInt) var foo6: Int32?
        @Pref(coding: .uInt32AsInt) var foo7: UInt32?
        @Pref(coding: .int64AsInt) var foo8: Int64?
        @Pref(coding: .uInt64AsInt) var foo9: UInt64?
    }

    @PrefsSchema final class IntegersAsString {
        @Storage var storage = .dictionary
        @Pref(coding: .intAsString) var foo0: Int?
        @Pref(coding: .uIntAsString) var foo1: UInt?
        @Pref(coding: .int8AsString) var foo2: Int8?
        @Pref(coding: .uInt8AsString) var foo3: UInt8?
        @Pref(coding: .int16AsString) var foo4: Int16?
        @Pref(coding: .uInt16AsString) var foo5: UInt16?
        @Pref(coding: .int32AsString) var foo6: Int32?
        @Pref(coding: .uInt32AsString) var foo7: UInt32?
        @Pref(coding: .int64AsString) var foo8: Int64?
        @Pref(coding: .uInt64AsString) var foo9: UInt64?
    }

    @PrefsSchema final class Conversions {
        @Storage var storage = .dictionary
        @Pref(coding: .boolAsInt()) var foo1: Bool?
        @Pref(coding: .boolAsString(.trueFalse(.lowercase))) var foo2: Bool?
        @Pref(coding: .iso8601DateString) var date: Date?
        @Pref(coding: .urlString) var foo3: URL?
    }

    @PrefsSchema final class ErasedStorage {
        @Storage var storage: AnyPrefsStorage
        @StorageMode var storageMode: PrefsStorageMode

        @Pref var foo: Int?

        init(storage: any PrefsStorage, storageMode: PrefsStorageMode) {
            self.storage = AnyPrefsStorage(storage)
            self.storageMode = storageMode
        }
    }

    @PrefsSchema final class InjectedDictionary {
        @Storage var storage: DictionaryPrefsStorage
        @StorageMode var storageMode: PrefsStorageMode

        @Pref(key: "bar") var foo: String?

        init(storage: DictionaryPrefsStorage, mode: PrefsStorageMode) {
            self.storage = storage
            storageMode = mode
        }
    }

    enum Fruit: String {
        case apple, banana, orange
    }

    struct Device: Codable {
        var name: String
        var manufacturer: String
    }

    @PrefsSchema final class Codings {
        @Storage var storage = .dictionary
        @RawRepresentablePref var fruit1: Fruit?
        @Pref(coding: Fruit.rawRepresentablePrefsCoding) var fruit2: Fruit?
        @Pref(coding: [Fruit].rawRepresentableArrayPrefsCoding) var fruit3: [Fruit]?
        @Pref(coding: [String: Fruit].rawRepresentableDictionaryPrefsCoding)
        var fruit4: [String: Fruit]?

        // encode Device as JSON using Data storage
        @JSONDataCodablePref var device1: Device?

        // encode Device as JSON using String storage
        @JSONStringCodablePref var device2: Device?
        @Pref(coding: Device.jsonDataPrefsCoding) var device3: Device?
        @Pref(coding: Device.jsonStringPrefsCoding) var device4: Device?
        @Pref(coding: [Device].jsonDataArrayPrefsCoding) var device5: [Device]?
        @Pref(coding: [Device].jsonStringArrayPrefsCoding) var device6: [Device]?
        @Pref(coding: [Device].jsonDataPrefsCoding) var device7: [Device]?
        @Pref(coding: [Device].jsonStringPrefsCoding) var device8: [Device]?
        @Pref(coding: [String: Device].jsonDataDictionaryPrefsCoding)
        var device9: [String: Device]?
        @Pref(coding: [String: Device].jsonStringDictionaryPrefsCoding)
        var device10: [String: Device]?
    }

    struct MyType {
        var value: String
        init?(value: String) { self.value = value }
    }

    @PrefsSchema final class InlineCoding {
        @Storage var storage = .dictionary
        @Pref(encode: { $0.value }, decode: { MyType(value: $0) })
        var foo: MyType?
    }

    @PrefsSchema final class CustomCoding {
        @Storage var storage = .dictionary
        // coding instance may be supplied directly, or...
        @Pref(coding: MyTypePrefsCoding()) var foo: MyType?

        // ...static constructor may be used, if defined (see extension below)
        @Pref(coding: .myType) var bar: MyType?
    }

    // Type defining coding logic
    struct MyTypePrefsCoding: PrefsCodable {
        func encode(prefsValue: MyType) -> Data? {
            prefsValue.value.data(using: .utf8)
        }
        func decode(prefsValue: Data) -> MyType? {
            guard let string = String(data: prefsValue, encoding: .utf8) else { return nil }
            return MyType(value: string)
        }
    }

    struct Content: Codable, Equatable {
        var id: Int
        var content: String
    }

    @PrefsSchema final class Composed {
        @Storage var storage = .dictionary
        @Pref(
            coding:
                Content
                .jsonDataPrefsCoding
                .compressedData(algorithm: .lzfse)
                .base64DataString()
        ) var foo: Content?
    }

    @PrefsSchema final class DynamicKeys {
        @Storage var storage = .dictionary
        // @Pref vars are Observable and Bindable in SwiftUI views
        @Pref var foo: Int?

        // `storage` access is NOT Observable or Bindable in SwiftUI views
        func fruit(name: String) -> String? {
            storage.storageValue(forKey: "fruit-\(name)")
        }
        func setFruit(name: String, to newValue: String?) {
            storage.setStorageValue(forKey: "fruit-\(name)", to: newValue)
        }
    }

    @PrefsSchema final class Mixed {
        @Storage var storage = .dictionary
        @RawPref var array: [Any]?
        @RawPref var defaultedArray: [Any] = ["foo", 123, true]

        @RawPref var dict: [String: Any]?
        @RawPref var defaultedDict: [String: Any] = ["foo": "string", "bar": 123]
    }

    /// The older README's way to mixed collections.
    @PrefsSchema final class MixedByStorage {
        @Storage var storage = .dictionary
        // mixed-type arrays may be read as `[Any]`
        func someArray() -> [Any]? {
            storage.storageValue(forKey: "someArray")
        }
        // mixed-type arrays may stored, but must contain only valid value types
        func setSomeArray(to newValue: [any PrefsStorageValue]?) {
            storage.setStorageValue(forKey: "someArray", to: newValue)
        }

        // mixed-type dictionaries may be read as `[String: Any]`
        func someDict() -> [String: Any]? {
            storage.storageValue(forKey: "someDict")
        }
        // mixed-type dictionaries may stored, but must contain only valid value types
        func setSomeDict(to newValue: [String: any PrefsStorageValue]?) {
            storage.setStorageValue(forKey: "someDict", to: newValue)
        }
    }

    @PrefsSchema final class Imported {
        @Storage var storage: DictionaryPrefsStorage
        @StorageMode var storageMode = .cachedReadStorageWrite

        @Pref var bar: Int?

        init(plist file: URL) throws {
            storage = try DictionaryPrefsStorage(from: file, format: .plist())
        }
        init(plist data: Data) throws {
            storage = try DictionaryPrefsStorage(from: data, format: .plist())
        }
        init(plist xmlString: String) throws {
            storage = try DictionaryPrefsStorage(from: xmlString, format: .plist())
        }
    }

    @MainActor  // which the README says is not possible
    @PrefsSchema final class OnTheMainActor {
        @Storage var storage = .dictionary
        @Pref var foo: Int?
    }

    @PrefsSchema final class PartlyOnTheMainActor {
        @Storage var storage = .userDefaults
        @StorageMode var storageMode = .cachedReadStorageWrite

        @MainActor
        @Pref var foo: Int?

        @Pref var bar: String?
    }
}

// Static constructor (for syntactic sugar / convenience)
extension PrefsCodable where Self == Readme.MyTypePrefsCoding {
    static var myType: Readme.MyTypePrefsCoding { Readme.MyTypePrefsCoding() }
}

@Suite struct ReadmeSchemaTests {
    @Test func codingsOfTheReadmeKeepTheirValues() {
        let prefs = Readme.Codings()
        prefs.fruit3 = [.apple, .orange]
        prefs.fruit4 = ["a": .banana]
        #expect(prefs.fruit3 == [.apple, .orange])
        #expect(prefs.fruit4 == ["a": .banana])
        #expect(prefs.storage.snapshot["fruit3"] == ["apple", "orange"])
        prefs.device5 = [Readme.Device(name: "a", manufacturer: "b")]
        #expect(prefs.device5?.first?.name == "a")
        prefs.device10 = ["x": Readme.Device(name: "a", manufacturer: "b")]
        #expect(prefs.device10?["x"]?.manufacturer == "b")
    }

    @Test func composedCodingsKeepTheirValues() {
        let prefs = Readme.Composed()
        prefs.foo = Readme.Content(id: 1, content: String(repeating: "x", count: 1000))
        #expect(prefs.foo?.content.count == 1000)
        #expect(prefs.storage.snapshot["foo"]?.kind == .string)
    }

    @Test func conversionsStoreWhatTheReadmeSays() {
        let prefs = Readme.Conversions()
        prefs.foo1 = true
        prefs.foo2 = true
        #expect(prefs.storage.snapshot["foo1"] == 1)
        #expect(prefs.storage.snapshot["foo2"] == "true")
    }

    @Test func aValueThatDoesNotFitKeepsTheOldOne() {
        let prefs = Readme.IntegersAsInt()
        prefs.foo9 = 9
        prefs.foo9 = .max
        #expect(prefs.foo9 == 9)
        #expect(prefs.storage.snapshot["foo9"] == 9)
    }

    @Test func dynamicKeysAreRead() {
        let prefs = Readme.DynamicKeys()
        prefs.setFruit(name: "a", to: "b")
        #expect(prefs.fruit(name: "a") == "b")
    }

    @Test func loadingUpdatesTheCachedMode() throws {
        let text = #"<plist version="1.0"><dict><key>bar</key><integer>1</integer></dict></plist>"#
        let prefs = try Readme.Imported(plist: text)
        #expect(prefs.bar == 1)
        let told = Tally()
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            told.add()
        }
        try prefs.storage.load(
            from: text.replacing("1<", with: "2<"), format: .plist(), by: .reinitializing)
        #expect(prefs.bar == 2)
        #expect(told.count == 1)
    }

    @Test func anInjectedStorageOfAnyTypeIsUsed() {
        let storage = DictionaryPrefsStorage()
        let prefs = Readme.ErasedStorage(storage: storage, storageMode: .cachedReadStorageWrite)
        prefs.foo = 3
        #expect(storage.snapshot["foo"] == 3)
        #expect(prefs.foo == 3)
    }
}
