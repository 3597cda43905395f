import PrefsDocuments
public import FoundationEssentials

extension DictionaryPrefsStorage: PrefsStorageInitializable, PrefsStorageExportable {
    /// A storage that holds these values to begin with.
    public convenience init(root: [String: any PrefsStorageValue]) {
        self.init(values: root.mapValues(\.prefsValue))
    }

    /// A storage that holds values whose types are known only at run time; one that has no stored form is
    /// reported as a diagnostic and left out.
    public convenience init(unsafe root: [String: Any]) {
        var values: [String: PrefsValue] = [:]
        for (key, value) in root {
            PrefsFailure.reporting(key: key) { values.merge(try Self.bridging([key: value])) { $1 } }
        }
        self.init(values: values)
    }
}

extension PrefsStorage where Self == DictionaryPrefsStorage {
    /// A storage in memory that holds these values to begin with.
    public static func dictionary(root: [String: any PrefsStorageValue]) -> DictionaryPrefsStorage {
        DictionaryPrefsStorage(root: root)
    }

    /// A storage in memory that holds values whose types are known only at run time.
    public static func dictionary(unsafe root: [String: Any]) -> DictionaryPrefsStorage {
        DictionaryPrefsStorage(unsafe: root)
    }

    /// A storage in memory with the contents of a file, which is read once.
    public static func dictionary(
        from file: URL, format: some PrefsStorageImportFormatFileImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: file, format: format)
    }

    /// A storage in memory with the contents of a file that is in memory already.
    public static func dictionary(
        from data: Data, format: some PrefsStorageImportFormatDataImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: data, format: format)
    }

    /// A storage in memory with the contents of a text file that is in memory already.
    public static func dictionary(
        from string: String, format: some PrefsStorageImportFormatStringImportable
    ) throws -> DictionaryPrefsStorage {
        try DictionaryPrefsStorage(from: string, format: format)
    }
}
