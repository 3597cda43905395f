import Foundation
import PrefsKitCompatibility
import Testing

@Suite struct StorageValueTests {
    let storage = DictionaryPrefsStorage(root: [
        "int": 1, "text": "a", "mixed": PrefsValue.array([1, "a", true]),
    ])

    @Test func `values are read with the requested type`() {
        #expect(storage.storageValue(forKey: "int") as Int? == 1)
        #expect(storage.storageValue(forKey: "int") as Double? == 1)
        #expect(storage.storageValue(forKey: "int") as String? == nil)
        #expect(storage.storageValue(forKey: "none") as Int? == nil)
    }

    @Test func `values are stored and removed`() {
        let name: String? = "ada"
        storage.setStorageValue(forKey: "name", to: name)
        #expect(storage.storageValue(forKey: "name") == "ada")
        storage.setStorageValue(forKey: "name", to: nil as String?)
        #expect(storage.snapshot["name"] == nil)
        storage.setStorageValue(forKey: "nested", to: [["a": [1]]])
        #expect(storage.storageValue(forKey: "nested") == [["a": [1]]])
    }

    @Test func `mixed collections are read without a static type`() throws {
        let array = try #require(storage.unsafeStorageValue(forKey: "mixed") as? [Any])
        #expect(array[0] as? Int == 1)
        #expect(array[1] as? String == "a")
        #expect(array[2] as? Bool == true)
        let typed: [Any]? = storage.storageValue(forKey: "mixed")
        #expect(typed?.count == 3)
        storage.setStorageValue(forKey: "more", to: ["a", 1, 2.5] as [any PrefsStorageValue])
        #expect(storage.snapshot["more"] == ["a", 1, 2.5])
    }

    @Test func `a value without a stored form leaves the stored value unchanged`() {
        struct Opaque {}
        let native = LayeredPrefs.DictionaryPrefsStorage(values: ["int": 1])
        native.setUnsafeStorageValue(forKey: "int", to: Opaque())
        #expect(native.snapshot["int"] == 1)
    }

    @Test func `collections of mixed types are stored and removed`() {
        storage.setUnsafeStorageValue(forKey: "int", to: ["a": [1, "b"]] as [String: [Any]])
        #expect(storage.snapshot["int"] == ["a": [1, "b"]])
        storage.setUnsafeStorageValue(forKey: "int", to: nil)
        #expect(storage.snapshot["int"] == nil)
    }

    @Test func `a coding reads and writes keys known only at run time`() {
        storage.setValue(forKey: "u", to: 7, using: .uInt8AsInt)
        #expect(storage.value(forKey: "u", using: .uInt8AsInt) == 7)
        #expect(storage.storageValue(forKey: "u", using: .uInt8AsInt) == 7)
        #expect(storage.snapshot["u"] == 7)
        storage.setValue(forKey: "big", to: 5, using: .uIntAsInt)
        storage.setValue(forKey: "big", to: UInt.max, using: .uIntAsInt)
        #expect(storage.snapshot["big"] == 5)
        storage.setValue(forKey: "u", to: nil, using: .uInt8AsInt)
        #expect(storage.snapshot["u"] == nil)
    }

    @Test func `values can be accessed with typed keys`() {
        let key = PersistentKey("int", defaultValue: 9)
        #expect(storage.value(forKey: key) == 1)
        storage.setValue(forKey: key, to: 2)
        #expect(storage.snapshot["int"] == 2)
    }
}
