import Foundation
import PrefsKitCompatibility

/// A format of lines `key=number`.
private struct Lines: PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatStringImportable, PrefsStorageExportFormatDataExportable,
    PrefsStorageExportFormatFileExportable, PrefsStorageExportFormatStringExportable
{
    func load(from data: Data) throws -> [String: Any] {
        var values: [String: Any] = [:]
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=")
            values[String(parts[0])] = Int(parts[1])
        }
        return values
    }

    func exportData(storage: [String: Any]) throws -> Data {
        Data(storage.sorted { $0.key < $1.key }.map { "\($0)=\($1)\n" }.joined().utf8)
    }
}

/// Converts dates, which JSON lacks, to seconds and back.
private struct Seconds: PrefsStorageMappingExportStrategy, PrefsStorageMappingImportStrategy {
    let typeEraseAmbiguousFloatingPoint = false

    func exportValue(forKeyPath keyPath: [String], value: Int) throws -> Any { value }
    func exportValue(forKeyPath keyPath: [String], value: String) throws -> Any { value }
    func exportValue(forKeyPath keyPath: [String], value: Bool) throws -> Any { value }
    func exportValue(forKeyPath keyPath: [String], value: Double) throws -> Any { value }
    func exportValue(forKeyPath keyPath: [String], value: Float) throws -> Any { value }
    func exportValue(forKeyPath keyPath: [String], value: NSNumber) throws -> Any { value }
    func exportValue(forKeyPath keyPath: [String], value: Data) throws -> Any {
        throw PrefsStorageError.jsonExportError
    }
    func exportValue(forKeyPath keyPath: [String], value: Date) throws -> Any {
        Int(value.timeIntervalSince1970)
    }

    func importValue(forKeyPath keyPath: [String], value: Int) throws -> any PrefsStorageValue {
        keyPath == ["group", "since"] ? Date(timeIntervalSince1970: Double(value)) : value
    }
}

/// "custom formats may be implemented".
func checkCustomFormats() throws {
    let storage = try DictionaryPrefsStorage(from: "foo=1\nbar=2\n", format: Lines())
    expect(storage.snapshot.dictionary, is: ["foo": 1, "bar": 2])
    expect(try storage.exportString(format: Lines()), is: "bar=2\nfoo=1\n")
    try storage.export(format: Lines(), to: URL(fileURLWithPath: path("lines")))
    try storage.load(from: URL(fileURLWithPath: path("lines")), format: Lines(), by: .reinitializing)
    expect(storage.snapshot.dictionary, is: ["foo": 1, "bar": 2])
}

/// "JSON, which can convert most value types, but requires custom implementation for some".
func checkCustomStrategies() throws {
    let content: [String: PrefsValue] = [
        "group": ["since": .date(Date(timeIntervalSince1970: 60))], "text": "x",
    ]
    let storage = DictionaryPrefsStorage(values: content)
    let text = try storage.exportString(format: .json(strategy: Seconds()))
    expect(text.contains("60"))
    let copy = try DictionaryPrefsStorage(from: text, format: .json(strategy: Seconds()))
    expect(copy.snapshot.dictionary, is: content)
    let plain = DictionaryPrefsStorage(root: ["a": 1, "b": [true], "c": ["d": "e"], "f": 1.5])
    let json = try plain.exportData(format: .json(strategy: .passthrough))
    let same = try DictionaryPrefsStorage(from: json, format: .json())
    expect(same.snapshot.dictionary, is: plain.snapshot.dictionary)
}

/// A storage as PrefsKit declares it.
///
/// Sendable: a mutex protects all access.
final class Own: PrefsStorageImportable, PrefsStorageExportable, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Any] = [:]

    func setStorageValue<StorageValue: PrefsStorageValue>(forKey key: String, to value: StorageValue?) {
        setUnsafeStorageValue(forKey: key, to: value)
    }

    func setUnsafeStorageValue(forKey key: String, to value: Any?) { lock.withLock { values[key] = value } }

    func storageValue(forKey key: String) -> Int? { unsafeStorageValue(forKey: key) as? Int }
    func storageValue(forKey key: String) -> String? { unsafeStorageValue(forKey: key) as? String }
    func storageValue(forKey key: String) -> Bool? { unsafeStorageValue(forKey: key) as? Bool }
    func storageValue(forKey key: String) -> Double? { unsafeStorageValue(forKey: key) as? Double }
    func storageValue(forKey key: String) -> Float? { unsafeStorageValue(forKey: key) as? Float }
    func storageValue(forKey key: String) -> Data? { unsafeStorageValue(forKey: key) as? Data }
    func storageValue(forKey key: String) -> Date? { unsafeStorageValue(forKey: key) as? Date }
    func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [Element]? {
        unsafeStorageValue(forKey: key) as? [Element]
    }
    func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [String: Element]? {
        unsafeStorageValue(forKey: key) as? [String: Element]
    }

    func unsafeStorageValue(forKey key: String) -> Any? { lock.withLock { values[key] } }

    func load(
        from contents: [String: any PrefsStorageValue], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(unsafe: contents, by: behavior)
    }

    func load(unsafe contents: [String: Any], by behavior: PrefsStorageUpdateStrategy) throws -> Set<String> {
        lock.withLock { values.merge(contents) { $1 } }
        return Set(contents.keys)
    }

    func dictionaryRepresentation() throws -> [String: Any] { lock.withLock { values } }
}

@PrefsSchema final class OverOwnStorage {
    @Storage var storage = Own()
    @StorageMode var storageMode = .cachedReadStorageWrite
    @Pref var foo: Int = 0
}

/// "custom backends may be implemented by conforming to the `PrefsStorage` protocol".
func checkCustomStorage() throws {
    let prefs = OverOwnStorage()
    try prefs.storage.load(from: propertyList(foo: 1), format: .plist(), by: .reinitializing)
    expect(prefs.foo, is: 1)
    expect(isNotified(of: { _ = prefs.foo }, by: { prefs.foo = 2 }))
    expect(prefs.storage.storageValue(forKey: "foo") as Int?, is: 2)
    try prefs.storage.load(from: ["foo": 3, "bar": 4], by: .updating)
    expect(prefs.foo, is: 3)
    expect(AnyPrefsStorage(prefs.storage).storageValue(forKey: "bar") as Int?, is: 4)
    expect(try prefs.storage.exportString(format: .plist()).contains("<integer>3</integer>"))
}
