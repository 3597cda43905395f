public import PrefsDocuments
public import FoundationEssentials

/// A file format that contents can be written out in. A format of your own conforms to the refinements it can
/// serve.
public protocol PrefsStorageExportFormat: Sendable {}

/// A format that is written to files.
public protocol PrefsStorageExportFormatFileExportable: PrefsStorageExportFormat {
    /// Writes contents to a file.
    func export(storage: [String: PrefsValue], to file: URL) throws
}

/// A format that is written as bytes.
public protocol PrefsStorageExportFormatDataExportable: PrefsStorageExportFormat {
    /// Contents as a file's bytes.
    func exportData(storage: [String: PrefsValue]) throws -> Data
}

/// A format that is written as text.
public protocol PrefsStorageExportFormatStringExportable: PrefsStorageExportFormat {
    /// Contents as a file's text.
    func exportString(storage: [String: PrefsValue]) throws -> String
}

extension PrefsStorageExportFormatFileExportable where Self: PrefsStorageExportFormatDataExportable {
    /// Writes beside the file and renames, so that nobody ever reads half of it.
    public func export(storage: [String: PrefsValue], to file: URL) throws {
        try exportData(storage: storage).write(to: file, options: .atomic)
    }
}

extension PrefsStorageExportFormatStringExportable where Self: PrefsStorageExportFormatDataExportable {
    public func exportString(storage: [String: PrefsValue]) throws -> String {
        guard let text = String(validating: try exportData(storage: storage), as: UTF8.self) else {
            throw PrefsError(.unsupported, reason: "this format is not text")
        }
        return text
    }
}
