public import Foundation
import LayeredPrefs
import PrefsDocuments

/// A format that imports JSON objects.
///
/// JSON has neither dates nor data. They are imported as strings unless a mapping strategy converts them.
public struct JSONPrefsStorageImportFormat: PrefsStorageImportFormatFileImportable,
    PrefsStorageImportFormatDataImportable, PrefsStorageImportFormatStringImportable
{
    /// The options that PrefsKit passes to Foundation. They have no effect here.
    ///
    /// The parser of this library returns values, not objects, and requires an object at the top level.
    public var options: JSONSerialization.ReadingOptions
    /// The strategy that transforms the values.
    public var strategy: any PrefsStorageImportStrategy

    /// Creates a format that reads values and passes them through a strategy.
    public init(
        options: JSONSerialization.ReadingOptions = [],
        strategy: any PrefsStorageImportStrategy = .passthrough
    ) {
        self.options = options
        self.strategy = strategy
    }

    /// Returns the contents of a JSON object.
    ///
    /// A number with a fraction or an exponent, such as `1.0`, is a `Double`. Any other number is an `Int`.
    ///
    /// - Throws: ``PrefsError`` if the data cannot be parsed, or if its top level is not an object.
    public func load(from data: Data) throws -> [String: Any] {
        let content = try PrefsDocument(parsing: [UInt8](data), as: .json).content
        return try strategy.prepareForImport(storage: content.mapValues(\.imported))
    }
}

/// A format that exports JSON objects.
public struct JSONPrefsStorageExportFormat: PrefsStorageExportFormatFileExportable,
    PrefsStorageExportFormatDataExportable, PrefsStorageExportFormatStringExportable
{
    /// The options for writing with Foundation.
    ///
    /// Without options, this library writes in the layout of its own files, and distinguishes `1.0` from `1`.
    /// Foundation does not distinguish them.
    public var options: JSONSerialization.WritingOptions
    /// The strategy that transforms the values.
    public var strategy: any PrefsStorageExportStrategy

    /// Creates a format that passes values through a strategy and writes them.
    public init(
        options: JSONSerialization.WritingOptions = [],
        strategy: any PrefsStorageExportStrategy = .json
    ) {
        self.options = options
        self.strategy = strategy
    }

    /// Returns contents as a JSON object.
    ///
    /// - Throws: ``PrefsError`` that names a value without a JSON form. If options are set, so that Foundation
    ///   writes, it is ``PrefsStorageError/jsonExportError`` instead.
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
    /// Returns the format of JSON objects.
    public static func json(
        options: JSONSerialization.ReadingOptions = [],
        strategy: any PrefsStorageImportStrategy = .passthrough
    ) -> JSONPrefsStorageImportFormat {
        JSONPrefsStorageImportFormat(options: options, strategy: strategy)
    }
}

extension PrefsStorageExportFormat where Self == JSONPrefsStorageExportFormat {
    /// Returns the format of JSON objects. By default, data is written as base64 and dates as ISO 8601; another
    /// strategy may convert them differently.
    public static func json(
        options: JSONSerialization.WritingOptions = [],
        strategy: any PrefsStorageExportStrategy = .json
    ) -> JSONPrefsStorageExportFormat {
        JSONPrefsStorageExportFormat(options: options, strategy: strategy)
    }
}
