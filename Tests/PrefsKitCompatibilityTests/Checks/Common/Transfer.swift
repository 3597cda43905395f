import Foundation
import PrefsKitCompatibility

@PrefsSchema final class Cached {
    @Storage var storage: DictionaryPrefsStorage
    @StorageMode var storageMode = .cachedReadStorageWrite
    @Pref var foo: Int?

    init(_ storage: DictionaryPrefsStorage) { self.storage = storage }
}

func checkImported() throws {
    let text = propertyList(foo: 4)
    try text.write(toFile: path("import.plist"), atomically: true, encoding: .utf8)
    for prefs in [
        try Imported(plist: URL(fileURLWithPath: path("import.plist"))),
        try Imported(plist: Data(text.utf8)), try Imported(plist: text),
    ] {
        expect(prefs.storage.snapshot["foo"], is: 4)
    }
    do {
        _ = try Imported(plist: "not a property list")
        expect(false)
    } catch {
        expect(error is PrefsError)
    }
}

/// "either replacing existing storage or merging"; and "does not actively update the prefs schema's cache",
/// although here it does.
func checkLoading() async throws {
    expect(loading.storageMode, is: .storageOnly)
    let cached = Cached(loading.storage)
    try propertyList(foo: 1).write(toFile: path("load.plist"), atomically: true, encoding: .utf8)
    loading.storage.setStorageValue(forKey: "old", to: 1)
    try await loadFile(file: path("load.plist"))
    expect(loading.storage.snapshot.dictionary, is: ["foo": 1])
    expect(cached.foo, is: 1)
    try await loadData(bytes: Array(propertyList(foo: 2).utf8))
    expect(cached.foo, is: 2)
    try await loadText(text: propertyList(foo: 3))
    expect(cached.foo, is: 3)
    expect(
        try isNotified(
            of: { _ = cached.foo },
            by: { try loading.storage.load(from: propertyList(foo: 9), format: .plist(), by: .updating) }))
    expect(cached.foo, is: 9)
}

func checkLoadingValues() async throws {
    let cached = Cached(loadingValues.storage)
    loadingValues.storage.setStorageValue(forKey: "old", to: 1)
    try await loadValues(values: ["foo": 1, "text": "x", "list": [1.5]])
    expect(
        loadingValues.storage.snapshot.dictionary,
        is: ["old": 1, "foo": 1, "text": "x", "list": [1.5]])
    expect(cached.foo, is: 1)
    try await loadAny(values: ["foo": 2, "mixed": [1, "a", true] as [Any]])
    expect(cached.foo, is: 2)
    expect(loadingValues.storage.snapshot["mixed"], is: [1, "a", true])
    // "any type may be accommodated when using a dictionary prefs storage backend"
    let object = NSObject()
    try await loadAny(values: ["foo": 3, "object": object])
    expect(cached.foo, is: 3)
    expect(loadingValues.storage.unsafeStorageValue(forKey: "object") as? NSObject === object)
}

func checkExporting() async throws {
    exporting.storage.setStorageValue(forKey: "foo", to: 5)
    exporting.storage.setStorageValue(forKey: "data", to: Data([1]))
    let content = exporting.storage.snapshot.dictionary
    try await exportFile(file: path("export.plist"))
    let data = try await exportData()
    let text = try await exportText()
    expect(text.hasPrefix("<?xml"))
    for storage in [
        try DictionaryPrefsStorage(from: URL(fileURLWithPath: path("export.plist")), format: .plist()),
        try DictionaryPrefsStorage(from: data, format: .plist()),
        try DictionaryPrefsStorage(from: text, format: .plist()),
    ] {
        expect(storage.snapshot.dictionary, is: content)
    }
}
