public import Foundation
import LayeredPrefs
import PrefsDocuments

/// Imports JSON objects.
///
/// JSON has neither dates nor data: they are imported as strings unless a mapping strategy converts them.
public struct JSONPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    /// The options that PrefsKit hands to Foundation. The parser of this library needs none: it returns values,
    /// not objects, and the top level has to be an object.
    public var options: JSONSerialization.ReadingOptions
    /// The strategy through which the values pass.
    public var strategy: any PrefsStorageImportStrategy

    /// Creates a format that passes the values it reads through a strategy.
    public init(
        options: JSONSerialization.ReadingOptions = [],
        strategy: any PrefsStorageImportStrategy = .passthrough
    ) {
        self.options = options
        self.strategy = strategy
    }

    /// Returns the contents of a JSON object. A number with a fraction or an exponent, such as `1.0`, is a
    /// `Double`, any other one an `Int`.
    ///
    /// - Throws: ``PrefsError`` if the data cannot be parsed, or if their top level is not an object.
    public func load(from data: Data) throws -> [String: Any] {
        let content = try PrefsDocument(parsing: [UInt8](data), as: .json).content
        return try strategy.prepareForImport(storage: content.mapValues(\.imported))
    }
}

/// Exports JSON objects.
public struct JSONPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    /// The options with which Foundation writes. If there are none, this library writes, in the layout of its
    /// own files; it distinguishes `1.0` from `1`, which Foundation does not.
    public var options: JSONSerialization.WritingOptions
    /// The strategy through which the values pass.
    public var strategy: any PrefsStorageExportStrategy

    /// Creates a format that writes the values a strategy returns.
    public init(
        options: JSONSerialization.WritingOptions = [],
        strategy: any PrefsStorageExportStrategy = .json
    ) {
        self.options = options
        self.strategy = strategy
    }

    /// Returns contents as a JSON object.
    ///
    /// - Throws: ``PrefsError`` that names a value without a JSON form, or
    ///   ``PrefsStorageError/jsonExportError`` if Foundation writes.
    public func exportData(storage: [String: Any]) throws -> Data {
        let values = try strategy.prepareForExport(storage: storage)
        if options.isEmpty {
            return Data(try PrefsFileFormat.json.serialize([String: PrefsValue](storing: values)))
        }
        // Foundation ends the process for values that have no JSON form.
        guard JSONSerialization.isValidJSONObject(values) else { throw PrefsStorageError.jsonExportError }
        return try JSONSerialization.data(withJSONObject: values, options: options)
    }
}

extension PrefsStorageImportFormat where Self == JSONPrefsStorageImportFormat {
    /// The format of JSON objects.
    public static func json(
        options: JSONSerialization.ReadingOptions = [],
        strategy: any PrefsStorageImportStrategy = .passthrough
    ) -> JSONPrefsStorageImportFormat {
        JSONPrefsStorageImportFormat(options: options, strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == JSONPrefsStorageExportFormat {
    /// The format of JSON objects; data is written as base64 and dates as ISO 8601, unless the strategy
    /// converts them differently.
    public static func json(
        options: JSONSerialization.WritingOptions = [],
        strategy: any PrefsStorageExportStrategy = .json
    ) -> JSONPrefsStorageExportFormat {
        JSONPrefsStorageExportFormat(options: options, strategy: strategy)
    }
}
