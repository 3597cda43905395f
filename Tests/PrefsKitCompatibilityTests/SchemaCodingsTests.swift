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

/// Codings that are written as members of a type, and chains of them. The other codings in PrefsKit's README
/// are compiled from its text.
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
