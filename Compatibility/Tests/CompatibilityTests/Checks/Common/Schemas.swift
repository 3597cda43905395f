import Foundation
import PrefsKit

@PrefsSchema final class AnyKind {
    @Storage var storage: AnyPrefsStorage
    @Pref var foo: Int?

    init(_ storage: any PrefsStorage) { self.storage = AnyPrefsStorage(storage) }
}

func checkErasedStorage() throws {
    let storage = DictionaryPrefsStorage(root: ["foo": 1])
    let prefs = ErasedStorage(storage: storage, storageMode: .storageOnly)
    expect(prefs.storage.wrapped === storage)
    expect(prefs.storageMode, is: .storageOnly)
    // The README's class declares no preferences.
    let same = AnyKind(storage)
    expect(same.foo, is: 1)
    same.foo = 2
    expect(storage.snapshot["foo"], is: 2)
    expect(prefs.storage.storageValue(forKey: "foo") as Int?, is: 2)
}

/// "it gives access to type-specific members of the concrete storage type".
func checkInjectedDictionary() throws {
    let prefs = InjectedDictionary(storage: DictionaryPrefsStorage(), mode: .cachedReadStorageWrite)
    expect(prefs.storageMode, is: .cachedReadStorageWrite)
    try prefs.storage.load(from: propertyList(foo: 3), format: .plist(), by: .reinitializing)
    expect(try prefs.storage.exportString(format: .plist()).contains("<integer>3</integer>"))
}

func checkKeyNaming() {
    let prefs = KeyNaming()
    prefs.foo = "a"
    prefs.foo2 = "b"
    expect(prefs.storage.snapshot["foo"], is: "a")
    expect(prefs.storage.snapshot["bar"], is: "b")
}

func checkDynamicKeys() throws {
    let prefs = DynamicKeys()
    prefs.setFruit(name: "a", to: "apple")
    expect(prefs.fruit(name: "a"), is: "apple")
    expect(prefs.storage.snapshot["fruit-a"], is: "apple")
    prefs.setFruit(name: "a", to: nil)
    expect(prefs.fruit(name: "a"), is: nil)
    // "`value(forKey:)` and `setValue(forKey:to:)`" are for typed keys.
    prefs.storage.setValue(forKey: PersistentKey<Int?>("foo"), to: 5)
    expect(prefs.storage.value(forKey: PersistentKey<Int?>("foo")), is: 5)
    // "`storage` access is NOT observable": for a declared key it is.
    expect(try isNotified(of: { _ = prefs.foo }, by: { try prefs.storage.setValue(6, forKey: "foo") }))
    expect(prefs.foo, is: 6)
}

/// "actors cannot be directly attached to the class declaration": here they can.
@MainActor func checkOnTheMainActor() {
    let prefs = OnTheMainActor()
    expect(isNotified(of: { _ = prefs.foo }, by: { prefs.foo = 3 }))
    expect(prefs.foo, is: 3)
}

@MainActor func checkPartlyOnTheMainActor() async {
    let prefs = PartlyOnTheMainActor()
    prefs.foo = 3
    expect(prefs.foo, is: 3)
    let bar = await Task.detached {
        prefs.bar = "elsewhere"
        return prefs.bar
    }.value
    expect(bar, is: "elsewhere")
}
