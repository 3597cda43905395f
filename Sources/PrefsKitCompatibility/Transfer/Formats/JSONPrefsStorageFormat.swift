public import FoundationEssentials
public import PrefsDocuments

/// Imports JSON objects.
///
/// JSON has neither dates nor data: they are imported as strings unless a mapping strategy converts them.
public struct JSONPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    private let strategy: any PrefsStorageImportStrategy

    /// Creates a format that passes the values it reads through a strategy.
    public init(strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()) {
        self.strategy = strategy
    }

    /// Returns the contents of a JSON object.
    ///
    /// - Throws: ``PrefsError`` if the data cannot be parsed.
    public func load(from data: Data) throws -> [String: PrefsValue] {
        try strategy.prepareForImport(storage: PrefsDocument(parsing: [UInt8](data), as: .json).content)
    }
}

/// Exports JSON objects.
public struct JSONPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    private let strategy: any PrefsStorageExportStrategy

    /// Creates a format that writes the values a strategy returns.
    public init(strategy: some PrefsStorageExportStrategy = JSONPrefsStorageExportStrategy()) {
        self.strategy = strategy
    }

    /// Returns contents as a JSON object.
    ///
    /// - Throws: ``PrefsError`` if a value has no JSON form.
    public func exportData(storage: [String: PrefsValue]) throws -> Data {
        Data(try PrefsFileFormat.json.serialize(strategy.prepareForExport(storage: storage)))
    }
}

extension PrefsStorageImportFormat where Self == JSONPrefsStorageImportFormat {
    /// The format of JSON objects.
    public static func json(
        strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()
    ) -> Self {
        Self(strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == JSONPrefsStorageExportFormat {
    /// The format of JSON objects; data is written as base64 and dates as ISO 8601, unless the strategy
    /// converts them differently.
    public static func json(
        strategy: some PrefsStorageExportStrategy = JSONPrefsStorageExportStrategy()
    ) -> Self {
        Self(strategy: strategy)
    }
}
