import Foundation
import Observation
import PrefsKitCompatibility
import TestSupport
import Testing

private enum Fruit: String { case apple, banana, orange }

private struct Device: Codable, Equatable {
    let name: String
    let manufacturer: String
}

/// Codings that are written as members of a type, and chains of them. The README tests compile the other
/// codings in PrefsKit's README.
@PrefsSchema private final class CodedPrefs {
    @Storage var storage = .dictionary
    @Pref(coding: [Fruit].rawRepresentableArrayPrefsCoding) var fruits: [Fruit]?
    @Pref(coding: [String: Fruit].rawRepresentableDictionaryPrefsCoding) var fruitsByName: [String: Fruit]?
    @Pref(coding: [Device].jsonDataArrayPrefsCoding) var devices: [Device]?
    @Pref(coding: [Device].jsonStringPrefsCoding) var deviceText: [Device]?
    @Pref(coding: [String: Device].jsonStringDictionaryPrefsCoding) var devicesByName: [String: Device]?
    @Pref(coding: .uInt64AsInt) var large: UInt64?
    @Pref(coding: Device.jsonDataPrefsCoding.compressedData(algorithm: .lzfse).base64DataString())
    var packed: Device?
}

/// The attributes for one kind of type each, over a storage that contains only stored forms.
@PrefsSchema private final class AttributedPrefs {
    @Storage var storage = LayeredPrefs.DictionaryPrefsStorage()
    @RawRepresentablePref var fruit: Fruit?
    @RawRepresentablePref(key: "best") var favourite: Fruit = .apple
    @JSONDataCodablePref var device: Device?
    @JSONStringCodablePref var devices: [Device] = []
    @RawPref var mixed: [Any]?
    @RawPref var defaulted: [Any] = ["foo", 123, true]
    @RawPref(merge: .deep) var dictionary: [String: Any] = ["foo": "string", "bar": 123]
}

@PrefsSchema final class InjectedPrefs {
    @Storage var storage: AnyPrefsStorage
    @StorageMode var storageMode: PrefsStorageMode
    @Pref var bar: Int?

    init(storage: any PrefsStorage, storageMode: PrefsStorageMode) {
        self.storage = AnyPrefsStorage(storage)
        self.storageMode = storageMode
    }
}

@Suite struct SchemaCodingsTests {
    private let prefs = CodedPrefs()
    private let device = Device(name: "a", manufacturer: "b")

    @Test func `a collection coding stores each element`() {
        prefs.fruits = [.apple, .orange]
        prefs.fruitsByName = ["a": .banana]
        prefs.devices = [device]
        prefs.devicesByName = ["x": device]
        #expect(prefs.fruits == [.apple, .orange])
        #expect(prefs.fruitsByName == ["a": .banana])
        #expect(prefs.devices == [device])
        #expect(prefs.devicesByName == ["x": device])
        #expect(prefs.storage.snapshot["fruits"] == ["apple", "orange"])
        #expect(prefs.storage.snapshot["fruitsByName"] == ["a": "banana"])
        #expect(prefs.storage.snapshot["devicesByName"]?.dictionary?["x"]?.kind == .string)
    }

    @Test func `an attribute implies the coding`() {
        let prefs = AttributedPrefs()
        (prefs.fruit, prefs.favourite) = (.banana, .orange)
        (prefs.device, prefs.devices) = (device, [device])
        #expect(prefs.fruit == .banana && prefs.favourite == .orange)
        #expect(prefs.device == device && prefs.devices == [device])
        #expect(prefs.storage.snapshot["fruit"] == "banana")
        #expect(prefs.storage.snapshot["best"] == "orange")
        #expect(prefs.storage.snapshot["device"]?.kind == .data)
        #expect(prefs.storage.snapshot["devices"]?.kind == .string)
    }

    @Test func `raw preferences hold mixed values, and no value without a stored form`() {
        let prefs = AttributedPrefs()
        #expect(prefs.mixed == nil)
        #expect(prefs.defaulted.count == 3)
        prefs.mixed = ["a", 1, true, 1.5, ["b": 2]]
        #expect(prefs.mixed?.count == 5)
        #expect(prefs.mixed?[1] as? Int == 1)
        #expect((prefs.mixed?[4] as? [String: Any])?["b"] as? Int == 2)
        struct Unencodable: Error {}
        prefs.mixed = [Unencodable()]
        #expect(prefs.mixed?.count == 5)
        prefs.dictionary["new"] = false
        #expect(prefs.dictionary.count == 3)
    }

    @Test func `chained and whole-collection codings store a single value`() {
        prefs.deviceText = [device]
        prefs.packed = device
        #expect(prefs.deviceText == [device])
        #expect(prefs.packed == device)
        #expect(prefs.storage.snapshot["deviceText"]?.kind == .string)
        #expect(prefs.storage.snapshot["packed"]?.kind == .string)
    }

    @Test func `a value that cannot be encoded leaves the stored value unchanged`() {
        prefs.large = 9
        prefs.large = .max
        #expect(prefs.large == 9)
        #expect(prefs.storage.snapshot["large"] == 9)
    }

    @Test(arguments: [PrefsStorageMode.storageOnly, .cachedReadStorageWrite])
    func `importing values updates a schema in either mode`(mode: PrefsStorageMode) throws {
        let storage = DictionaryPrefsStorage(values: ["bar": 1])
        let injected = InjectedPrefs(storage: storage, storageMode: mode)
        #expect(injected.bar == 1)
        let received = Tally()
        withObservationTracking {
            _ = injected.bar
        } onChange: {
            received.add()
        }
        try storage.load(from: ["bar": 2], by: .reinitializing)
        #expect(injected.bar == 2)
        #expect(received.count == 1)
        injected.bar = 3
        #expect(storage.snapshot["bar"] == 3)
    }
}
