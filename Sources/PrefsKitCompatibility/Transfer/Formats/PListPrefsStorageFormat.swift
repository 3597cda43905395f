public import Foundation
import LayeredPrefs
import PrefsDocuments

/// A format that imports property lists, XML or binary.
public struct PListPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    /// The strategy that transforms the values.
    public var strategy: any PrefsStorageImportStrategy

    /// Creates a format that reads values and passes them through a strategy.
    public init(strategy: any PrefsStorageImportStrategy = .plist) {
        self.strategy = strategy
    }

    /// Returns the contents of a property list, XML or binary.
    ///
    /// - Throws: ``PrefsError`` if the data cannot be parsed.
    public func load(from data: Data) throws -> [String: Any] {
        let bytes = [UInt8](data)
        let format: PrefsFileFormat =
            bytes.starts(with: "bplist".utf8) ? .binaryPropertyList : .xmlPropertyList
        let content = try PrefsDocument(parsing: bytes, as: format).content
        return try strategy.prepareForImport(storage: content.mapValues(\.imported))
    }
}

/// A format that exports property lists.
public struct PListPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    /// The encoding of data and files. Text is always XML.
    public var format: PropertyListSerialization.PropertyListFormat
    /// The strategy that transforms the values.
    public var strategy: any PrefsStorageExportStrategy

    /// Creates a format that passes values through a strategy and writes them.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        strategy: any PrefsStorageExportStrategy = .plist
    ) {
        self.format = format
        self.strategy = strategy
    }

    /// Returns contents as a property list.
    ///
    /// - Throws: ``PrefsError`` that names a value without a stored form; ``PrefsStorageError/plistExportError`` for
    ///   the format `openStep`, which cannot be written.
    public func exportData(storage: [String: Any]) throws -> Data {
        switch format {
        case .xml: try data(of: storage, as: .xmlPropertyList)
        case .binary: try data(of: storage, as: .binaryPropertyList)
        default: throw PrefsStorageError.plistExportError
        }
    }

    /// Returns contents as the text of an XML property list.
    public func exportString(storage: [String: Any]) throws -> String {
        String(decoding: try data(of: storage, as: .xmlPropertyList), as: UTF8.self)
    }

    private func data(of storage: [String: Any], as format: PrefsFileFormat) throws -> Data {
        let values = try strategy.prepareForExport(storage: storage)
        return Data(try format.serialize([String: PrefsValue](storing: values)))
    }
}

extension [String: PrefsValue] {
    /// - Throws: ``PrefsError`` that names a value without a stored form.
    init(storing values: [String: Any]) throws(PrefsError) {
        self = [:]
        for (key, value) in values { self[key] = try PrefsValue(storing: value, forKey: key) }
    }
}

extension PrefsStorageImportFormat where Self == PListPrefsStorageImportFormat {
    /// Returns the format of property lists, XML or binary.
    public static func plist(
        strategy: any PrefsStorageImportStrategy = .plist
    ) -> PListPrefsStorageImportFormat {
        PListPrefsStorageImportFormat(strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == PListPrefsStorageExportFormat {
    /// Returns the format of property lists, XML by default.
    public static func plist(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        strategy: any PrefsStorageExportStrategy = .plist
    ) -> PListPrefsStorageExportFormat {
        PListPrefsStorageExportFormat(format: format, strategy: strategy)
    }
}
