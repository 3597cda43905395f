public import FoundationEssentials
public import LayeredPrefs
public import PrefsDocuments

/// A storage whose contents can be exported to a file, data or text in a given format.
///
/// Conforming requires no members: the default exports the snapshot.
public protocol PrefsStorageExportable: PrefsStorage {
    /// Returns the contents to export. The default returns those of the snapshot.
    func exportedContents() throws -> [String: PrefsValue]
}

extension PrefsStorageExportable {
    /// Returns the contents of the snapshot.
    public func exportedContents() throws -> [String: PrefsValue] { snapshot.dictionary }

    /// Returns the contents as the closest Swift types; see ``PrefsValue/bridged``.
    public func dictionaryRepresentation() throws -> [String: Any] {
        try exportedContents().mapValues(\.bridged)
    }

    /// Exports the contents to a file. The library's formats replace the file atomically, so that a reader
    /// never sees half of it.
    public func export(format: some PrefsStorageExportFormatFileExportable, to file: URL) throws {
        try format.export(storage: exportedContents(), to: file)
    }

    /// Returns the contents as the bytes of a file.
    public func exportData(format: some PrefsStorageExportFormatDataExportable) throws -> Data {
        try format.exportData(storage: exportedContents())
    }

    /// Returns the contents as the text of a file.
    public func exportString(format: some PrefsStorageExportFormatStringExportable) throws -> String {
        try format.exportString(storage: exportedContents())
    }
}
