public import FoundationEssentials
public import LayeredPrefs
import PrefsDocuments

extension DictionaryPrefsStorage: PrefsStorageInitializable, PrefsStorageExportable {
    /// Creates a storage with initial values.
    public convenience init(root: [String: any PrefsStorageValue]) {
        self.init(values: root.mapValues(\.prefsValue))
    }

    /// Creates a storage with initial values whose types are known only at run time. A value without a stored
    /// form is reported as a diagnostic and omitted.
    public convenience init(unsafe root: [String: Any]) {
        var values: [String: PrefsValue] = [:]
        for (key, value) in root {
            PrefsDiagnostics.shared.reporting(key: key) {
                values.merge(try Self.bridging([key: value])) { $1 }
            }
        }
        self.init(values: values)
    }
}

extension PrefsStorage where Self == DictionaryPrefsStorage {
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
        from file: URL, format: some PrefsStorageImportFormatFileImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: file, format: format)
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
