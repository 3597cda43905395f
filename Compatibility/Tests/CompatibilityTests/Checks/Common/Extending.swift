import Foundation
import PrefsKit

/// `key=number` lines.
private struct Lines: PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatStringImportable, PrefsStorageExportFormatDataExportable,
    PrefsStorageExportFormatFileExportable, PrefsStorageExportFormatStringExportable
{
    func load(from data: Data) throws -> [String: PrefsValue] {
        var values: [String: PrefsValue] = [:]
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=")
            values[String(parts[0])] = Int(parts[1]).map { .integer(Int128($0)) }
        }
        return values
    }

    func exportData(storage: [String: PrefsValue]) throws -> Data {
        Data(storage.sorted { $0.key < $1.key }.map { "\($0)=\($1)\n" }.joined().utf8)
    }
}

/// Converts dates, which JSON lacks, to seconds and back.
private struct Seconds: PrefsStorageMappingExportStrategy, PrefsStorageMappingImportStrategy {
    func exportValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
        guard case .date(let date) = value else { return value }
        return .integer(Int128(date.timeIntervalSince1970))
    }

    func importValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
        guard keyPath == ["group", "since"], case .integer(let seconds) = value else { return value }
        return .date(Date(timeIntervalSince1970: Double(seconds)))
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

/// A storage with only the members that conforming requires.
///
/// Sendable: a mutex protects all access.
final class Own: PrefsStorageInitializable, PrefsStorageExportable, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: PrefsValue]

    init(values: [String: PrefsValue]) { self.values = values }

    var snapshot: PrefsSnapshot { PrefsSnapshot(lock.withLock { values }) }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        lock.withLock { values[key] = value }
        return .effective
    }
}

@PrefsSchema final class OverOwnStorage {
    @Storage var storage: Own
    @StorageMode var storageMode = .cachedReadStorageWrite
    @Pref var foo: Int = 0

    init(_ storage: Own) { self.storage = storage }
}

/// "custom backends may be implemented by conforming to the `PrefsStorage` protocol".
func checkCustomStorage() throws {
    let prefs = OverOwnStorage(try Own(from: propertyList(foo: 1), format: .plist()))
    expect(prefs.foo, is: 1)
    prefs.foo = 2
    expect(prefs.storage.snapshot["foo"], is: 2)
    try prefs.storage.load(from: ["foo": 3, "bar": 4], by: .updating)
    expect(prefs.foo, is: 3)
    try prefs.storage.load(from: ["foo": 5], by: .reinitializing)
    expect(prefs.storage.snapshot.dictionary, is: ["foo": 5])
    expect(try prefs.storage.exportString(format: .plist()).contains("<integer>5</integer>"))
}
