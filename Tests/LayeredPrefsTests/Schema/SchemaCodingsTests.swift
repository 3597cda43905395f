import TestSupport
import Foundation
import LayeredPrefs
import Observation
import Testing

/// Codings that are spelled on a type, and chains of them; whatever PrefsKit's README shows besides is compiled
/// from its text in `Compatibility/`.
@PrefsSchema final class CodedPrefs {
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
    let prefs = CodedPrefs()
    private let device = Device(name: "a", manufacturer: "b")

    @Test func collectionsAreStoredElementByElement() {
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

    @Test func chainsAndWholeCollectionsAreOneValue() {
        prefs.deviceText = [device]
        prefs.packed = device
        #expect(prefs.deviceText == [device])
        #expect(prefs.packed == device)
        #expect(prefs.storage.snapshot["deviceText"]?.kind == .string)
        #expect(prefs.storage.snapshot["packed"]?.kind == .string)
    }

    @Test func aValueThatDoesNotFitKeepsTheOldOne() {
        prefs.large = 9
        prefs.large = .max
        #expect(prefs.large == 9)
        #expect(prefs.storage.snapshot["large"] == 9)
    }

    @Test(arguments: [PrefsStorageMode.storageOnly, .cachedReadStorageWrite])
    func loadingUpdatesEitherMode(mode: PrefsStorageMode) throws {
        let storage = DictionaryPrefsStorage(values: ["bar": 1])
        let injected = InjectedPrefs(storage: storage, storageMode: mode)
        #expect(injected.bar == 1)
        let told = Tally()
        withObservationTracking {
            _ = injected.bar
        } onChange: {
            told.add()
        }
        try storage.load(from: ["bar": 2], by: .reinitializing)
        #expect(injected.bar == 2)
        #expect(told.count == 1)
        injected.bar = 3
        #expect(storage.snapshot["bar"] == 3)
    }
}
