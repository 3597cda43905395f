public import FoundationEssentials
public import PrefsDocuments

/// Imports property lists, XML or binary.
public struct PListPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    private let strategy: any PrefsStorageImportStrategy

    /// Creates a format that passes the values it reads through a strategy.
    public init(strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()) {
        self.strategy = strategy
    }

    /// Returns the contents of a property list, XML or binary.
    ///
    /// - Throws: ``PrefsError`` if the data cannot be parsed.
    public func load(from data: Data) throws -> [String: PrefsValue] {
        let bytes = [UInt8](data)
        let format: PrefsFileFormat =
            bytes.starts(with: "bplist".utf8) ? .binaryPropertyList : .xmlPropertyList
        return try strategy.prepareForImport(storage: PrefsDocument(parsing: bytes, as: format).content)
    }
}

/// Exports property lists.
public struct PListPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    /// The encoding of a property list.
    public enum Format: Sendable, Hashable {
        /// XML text.
        case xml
        /// The binary encoding, which cannot be exported as text.
        case binary
    }

    private let format: Format
    private let strategy: any PrefsStorageExportStrategy

    /// Creates a format that writes the values a strategy returns.
    public init(
        format: Format = .xml,
        strategy: some PrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy()
    ) {
        self.format = format
        self.strategy = strategy
    }

    /// Returns contents as a property list.
    public func exportData(storage: [String: PrefsValue]) throws -> Data {
        let format: PrefsFileFormat = format == .xml ? .xmlPropertyList : .binaryPropertyList
        return Data(try format.serialize(strategy.prepareForExport(storage: storage)))
    }
}

extension PrefsStorageImportFormat where Self == PListPrefsStorageImportFormat {
    /// The format of property lists, XML or binary.
    public static func plist(
        strategy: some PrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy()
    ) -> Self {
        Self(strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == PListPrefsStorageExportFormat {
    /// The format of property lists, by default XML.
    public static func plist(
        format: PListPrefsStorageExportFormat.Format = .xml,
        strategy: some PrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy()
    ) -> Self {
        Self(format: format, strategy: strategy)
    }
}
