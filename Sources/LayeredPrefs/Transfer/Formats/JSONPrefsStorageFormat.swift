public import PrefsDocuments
public import FoundationEssentials

/// Loads JSON objects.
///
/// JSON has neither dates nor data: whatever stood for them arrives as a string, unless a mapping strategy
/// turns it back.
public struct JSONPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    private let strategy: any PrefsStorageImportStrategy

    public init(strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()) {
        self.strategy = strategy
    }

    public func load(from data: Data) throws -> [String: PrefsValue] {
        try strategy.prepareForImport(storage: PrefsFileFormat.json.parse([UInt8](data)).content)
    }
}

/// Writes JSON objects.
public struct JSONPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    private let strategy: any PrefsStorageExportStrategy

    public init(strategy: some PrefsStorageExportStrategy = JSONPrefsStorageExportStrategy()) {
        self.strategy = strategy
    }

    public func exportData(storage: [String: PrefsValue]) throws -> Data {
        Data(try PrefsFileFormat.json.serialize(strategy.prepareForExport(storage: storage)))
    }
}

extension PrefsStorageImportFormat where Self == JSONPrefsStorageImportFormat {
    /// A JSON object.
    public static func json(
        strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()
    ) -> Self {
        Self(strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == JSONPrefsStorageExportFormat {
    /// A JSON object; data stands in it as base64 and dates as ISO 8601, unless a strategy says otherwise.
    public static func json(
        strategy: some PrefsStorageExportStrategy = JSONPrefsStorageExportStrategy()
    ) -> Self {
        Self(strategy: strategy)
    }
}
