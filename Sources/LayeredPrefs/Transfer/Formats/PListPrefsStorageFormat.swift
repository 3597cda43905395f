public import PrefsDocuments
public import FoundationEssentials

/// Loads property lists, XML or binary.
public struct PListPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    private let strategy: any PrefsStorageImportStrategy

    public init(strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()) {
        self.strategy = strategy
    }

    public func load(from data: Data) throws -> [String: PrefsValue] {
        let bytes = [UInt8](data)
        let format: PrefsFileFormat =
            bytes.starts(with: "bplist".utf8) ? .binaryPropertyList : .xmlPropertyList
        return try strategy.prepareForImport(storage: format.parse(bytes).content)
    }
}

/// Writes property lists.
public struct PListPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    /// How a property list is spelled.
    public enum Format: Sendable, Hashable {
        case xml
        /// Cannot be exported as text.
        case binary
    }

    private let format: Format
    private let strategy: any PrefsStorageExportStrategy

    public init(
        format: Format = .xml,
        strategy: some PrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy()
    ) {
        self.format = format
        self.strategy = strategy
    }

    public func exportData(storage: [String: PrefsValue]) throws -> Data {
        let format: PrefsFileFormat = format == .xml ? .xmlPropertyList : .binaryPropertyList
        return Data(try format.serialize(strategy.prepareForExport(storage: storage)))
    }
}

extension PrefsStorageImportFormat where Self == PListPrefsStorageImportFormat {
    /// A property list, XML or binary.
    public static func plist(
        strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()
    ) -> Self {
        Self(strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == PListPrefsStorageExportFormat {
    /// A property list.
    public static func plist(
        format: PListPrefsStorageExportFormat.Format = .xml,
        strategy: some PrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy()
    ) -> Self {
        Self(format: format, strategy: strategy)
    }
}
