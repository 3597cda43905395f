public import Foundation
import LayeredPrefs

/// A file format for exporting contents. A custom format conforms to the refinements that it supports.
public protocol PrefsStorageExportFormat: Sendable {}

/// A format that can be written to a file.
public protocol PrefsStorageExportFormatFileExportable: PrefsStorageExportFormat {
    /// Writes contents to a file.
    func export(storage: [String: Any], to file: URL) throws
}

/// A format that can be written as bytes.
public protocol PrefsStorageExportFormatDataExportable: PrefsStorageExportFormat {
    /// Returns contents as the bytes of a file.
    func exportData(storage: [String: Any]) throws -> Data
}

/// A format that can be written as text.
public protocol PrefsStorageExportFormatStringExportable: PrefsStorageExportFormat {
    /// Returns contents as the text of a file.
    func exportString(storage: [String: Any]) throws -> String
}

extension PrefsStorageExportFormat where Self: PrefsStorageExportFormatDataExportable {
    /// Writes contents to a temporary file and renames it, so that a reader never sees half of the file.
    public func export(storage: [String: Any], to file: URL) throws {
        try exportData(storage: storage).write(to: file, options: .atomic)
    }
}

extension PrefsStorageExportFormatStringExportable where Self: PrefsStorageExportFormatDataExportable {
    /// Returns the exported bytes as text.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/unsupported`` if they are not UTF-8.
    public func exportString(storage: [String: Any]) throws -> String {
        guard let text = String(validating: try exportData(storage: storage), as: UTF8.self) else {
            throw PrefsError(.unsupported, reason: "this format is not text; use 'exportData(format:)'")
        }
        return text
    }
}
