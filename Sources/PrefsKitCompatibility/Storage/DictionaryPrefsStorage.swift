public import Foundation
public import LayeredPrefs
public import PrefsDocuments
import PrefsSystem

/// PrefsKit's storage in memory. It may be subclassed.
///
/// Its contents are those of LayeredPrefs' `DictionaryPrefsStorage`, which a stack contains: observers are
/// notified, and reads from any thread are safe. In addition it remembers the Swift value of a type that has
/// no stored form of its own, such as an array of `Float`, as long as the key is not written in another way.
// Sendable: all stored properties are constants and Sendable; a subclass answers for its own.
open class DictionaryPrefsStorage: NativePrefsStorage, @unchecked Sendable {
    private let contents: LayeredPrefs.DictionaryPrefsStorage
    private let originals = Originals()

    /// Creates a storage with initial values.
    public init(root: [String: any PrefsStorageValue] = [:]) {
        contents = LayeredPrefs.DictionaryPrefsStorage(values: root.mapValues(Originals.storedForm))
        originals.keep(root)
    }

    /// Creates a storage with initial values whose types are known only at run time. A value without a stored
    /// form is reported as a diagnostic and omitted.
    public required init(unsafe root: [String: Any]) {
        var values: [String: PrefsValue] = [:]
        for (key, value) in root {
            PrefsDiagnostics.shared.reporting(key: key) {
                values[key] = try PrefsValue(storing: value, forKey: key)
            }
        }
        contents = LayeredPrefs.DictionaryPrefsStorage(values: values)
        originals.keep(root)
    }

    /// Creates a storage with initial values.
    public init(values: [String: PrefsValue]) {
        contents = LayeredPrefs.DictionaryPrefsStorage(values: values)
    }

    /// Creates a storage with the contents of a file, which is read once.
    public required convenience init<Format: PrefsStorageImportFormatFileImportable>(
        from url: URL, format: Format
    ) throws {
        self.init(unsafe: try format.load(from: url))
    }

    /// Creates a storage with the contents of a file, from its bytes.
    public required convenience init<Format: PrefsStorageImportFormatDataImportable>(
        from data: Data, format: Format
    ) throws {
        self.init(unsafe: try format.load(from: data))
    }

    /// Creates a storage with the contents of a file, from its text.
    public required convenience init<Format: PrefsStorageImportFormatStringImportable>(
        from string: String, format: Format
    ) throws {
        self.init(unsafe: try format.load(from: string))
    }

    /// Changes any number of keys as one change.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        try contents.update(body)
    }
}

extension DictionaryPrefsStorage {
    /// Stores a value of any type that conforms, or removes it if it is `nil`.
    public func setStorageValue<Value: PrefsStorageValue>(forKey key: String, to value: Value?) {
        reporting(key: key) {
            try contents.setValue(value.map(Originals.storedForm), forKey: key)
            originals.keep(value, forKey: key)
        }
    }

    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        reporting(key: key) {
            try contents.setValue(value.map { try PrefsValue(storing: $0, forKey: key) }, forKey: key)
            originals.keep(value, forKey: key)
        }
    }

    public func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [Element]? {
        original(forKey: key) as? [Element] ?? contents.stored(key)
    }

    public func storageValue<Element: PrefsStorageValue>(forKey key: String) -> [String: Element]? {
        original(forKey: key) as? [String: Element] ?? contents.stored(key)
    }

    public func unsafeStorageValue(forKey key: String) -> Any? {
        original(forKey: key) ?? contents.value(forKey: key)?.bridged
    }

    private func original(forKey key: String) -> Any? {
        originals.value(forKey: key, storedAs: contents.value(forKey: key))
    }
}

extension DictionaryPrefsStorage: PrefsStorageInitializable, PrefsStorageExportable, UpdatedAtOnce {
    public func dictionaryRepresentation() throws -> [String: Any] {
        contents.snapshot.dictionary.reduce(into: [:]) { result, entry in
            result[entry.key] =
                originals.value(forKey: entry.key, storedAs: entry.value) ?? entry.value.bridged
        }
    }

    func didImport(_ values: [String: Any]) { originals.keep(values) }
}

extension DictionaryPrefsStorage: ForwardingPrefsStorage {
    package var target: any LayeredPrefs.PrefsStorage { contents }
}

extension DictionaryPrefsStorage {
    public var snapshot: PrefsSnapshot { contents.snapshot }
    public var changeSource: PrefsChangeSource? { contents.changeSource }
    public var isWritable: Bool { true }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try contents.setValue(value, forKey: key)
    }

    public func _get<Value>(
        _ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value { contents._get(key, fileID, line) }

    public func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        contents._candidates(for: key)
    }

    public func _candidates(forKey key: String) -> [PrefsCandidate] { contents._candidates(forKey: key) }
}

extension LayeredPrefs.PrefsStorage where Self == DictionaryPrefsStorage {
    /// An empty storage in memory.
    public static var dictionary: DictionaryPrefsStorage { DictionaryPrefsStorage() }

    /// Returns a storage in memory with initial values.
    public static func dictionary(root: [String: any PrefsStorageValue]) -> DictionaryPrefsStorage {
        DictionaryPrefsStorage(root: root)
    }

    /// Returns a storage in memory with initial values whose types are known only at run time. A value
    /// without a stored form is reported as a diagnostic and omitted.
    public static func dictionary(unsafe root: [String: Any]) -> DictionaryPrefsStorage {
        DictionaryPrefsStorage(unsafe: root)
    }

    /// Returns a storage in memory with the contents of a file, which is read once.
    public static func dictionary(
        from url: URL, format: some PrefsStorageImportFormatFileImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: url, format: format)
    }

    /// Returns a storage in memory with the contents of a file, from its bytes.
    public static func dictionary(
        from data: Data, format: some PrefsStorageImportFormatDataImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: data, format: format)
    }

    /// Returns a storage in memory with the contents of a file, from its text.
    public static func dictionary(
        from string: String, format: some PrefsStorageImportFormatStringImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: string, format: format)
    }
}

/// The Swift values whose stored forms read back as another type.
private final class Originals: Sendable {
    private struct Original: Sendable {
        let value: any PrefsStorageValue
        let stored: PrefsValue
    }

    private let table = Lock<[String: Original]>([:])

    func keep(_ value: Any?, forKey key: String) {
        let original = value.flatMap(original(of:))
        table.withLock { $0[key] = original }
    }

    func keep(_ values: [String: Any]) { for (key, value) in values { keep(value, forKey: key) } }

    /// Returns the value that was stored for a key, unless the key has been written in another way since.
    func value(forKey key: String, storedAs stored: PrefsValue?) -> Any? {
        table.withLock { $0[key] }.flatMap { $0.stored == stored ? $0.value : nil }
    }

    private func original(of value: Any) -> Original? {
        let isPlain =
            value is String || value is Int || value is Bool || value is Double || value is Data
            || value is Date || value is PrefsValue || value is [PrefsValue] || value is [String: PrefsValue]
        if isPlain { return nil }
        guard let value = value as? any PrefsStorageValue else { return nil }
        return Original(value: value, stored: Self.storedForm(value))
    }

    /// The stored form of a value or, if its type has none, its description, which stands for it in snapshots.
    static func storedForm(_ value: any PrefsStorageValue) -> PrefsValue {
        PrefsValue(plain: value) ?? .string("\(value)")
    }
}
