public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults
public import PrefsDocuments

/// PrefsKit's storage in memory. You may subclass it.
///
/// It holds its contents in LayeredPrefs' `DictionaryPrefsStorage`: observers are notified, any thread may read, and
/// a stack can contain it.
///
/// In addition, it keeps values of any type: `Float`, `URL`, `NSNumber`, a type of your program, and arrays and
/// dictionaries of these. You read such a value with the type that it was stored with, until the key is written in
/// another way. Where a stored form is needed, as in a snapshot, a value without a stored form is represented by its
/// description.
// Sendable: all stored properties are constants and Sendable. A subclass is responsible for its own properties.
open class DictionaryPrefsStorage: NativePrefsStorage, @unchecked Sendable {
    private let contents: LayeredPrefs.DictionaryPrefsStorage
    let originals = Originals()

    /// Creates a storage with initial values.
    public init(root: [String: any PrefsStorageValue] = [:]) {
        contents = LayeredPrefs.DictionaryPrefsStorage(values: originals.keep(root))
    }

    /// Creates a storage with initial values whose types are known only at run time.
    public required init(unsafe root: [String: Any]) {
        contents = LayeredPrefs.DictionaryPrefsStorage(values: originals.keep(root))
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
    /// Stores a value of any conforming type, or removes it if it is `nil`.
    public func setStorageValue<Value: PrefsStorageValue>(forKey key: String, to value: Value?) {
        setUnsafeStorageValue(forKey: key, to: value)
    }

    /// Stores a value of any type, or removes it if it is `nil`.
    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        reporting(key: key) {
            try contents.setValue(value.map { originals.keep($0, forKey: key) }, forKey: key)
            if value == nil { originals.drop(forKey: key) }
        }
    }

    public func storageValue(forKey key: String) -> Int? { read(key) }
    public func storageValue(forKey key: String) -> String? { read(key) }
    public func storageValue(forKey key: String) -> Bool? { read(key) }
    public func storageValue(forKey key: String) -> Double? { read(key) }
    public func storageValue(forKey key: String) -> Float? { read(key) }
    public func storageValue(forKey key: String) -> Data? { read(key) }
    public func storageValue(forKey key: String) -> Date? { read(key) }

    /// Returns the stored value of a type. Only a value of another type is read with a key, which reports it.
    private func read<Value: LayeredPrefs.PrefsStorageValue>(_ key: String) -> Value? {
        guard let stored = contents.storedValue(forKey: key) else { return nil }
        return Value(prefsValue: stored) ?? contents.stored(key)
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
        originals.value(forKey: key, storedAs: contents.storedValue(forKey: key))
    }
}

extension DictionaryPrefsStorage: PrefsStorageInitializable, PrefsStorageExportable, UpdatedAtOnce {
    public func dictionaryRepresentation() throws -> [String: Any] {
        contents.snapshot.dictionary.reduce(into: [:]) { result, entry in
            result[entry.key] =
                originals.value(forKey: entry.key, storedAs: entry.value) ?? entry.value.bridged
        }
    }
}

extension DictionaryPrefsStorage: ForwardingStorage {
    package var target: any LayeredPrefs.PrefsStorage { contents }
}

extension LayeredPrefs.PrefsStorage where Self == DictionaryPrefsStorage {
    /// An empty storage in memory.
    public static var dictionary: DictionaryPrefsStorage { DictionaryPrefsStorage() }

    /// Returns a storage in memory with initial values.
    public static func dictionary(root: [String: any PrefsStorageValue]) -> DictionaryPrefsStorage {
        DictionaryPrefsStorage(root: root)
    }

    /// Returns a storage in memory with initial values whose types are known only at run time.
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
