public import PrefsDocuments
public import FoundationEssentials

/// A storage whose contents can be written out as a file of some format. Conforming takes nothing more.
public protocol PrefsStorageExportable: PrefsStorage {
    /// The contents to export; the default is the snapshot's.
    func exportedContents() throws -> [String: PrefsValue]
}

extension PrefsStorageExportable {
    public func exportedContents() throws -> [String: PrefsValue] { snapshot.dictionary }

    /// The contents as the Swift types nearest to them; see ``PrefsValue/bridged``.
    public func dictionaryRepresentation() throws -> [String: Any] {
        try exportedContents().mapValues(\.bridged)
    }

    /// Writes the contents to a file, which is replaced as a whole: nobody ever reads half of it.
    public func export(format: some PrefsStorageExportFormatFileExportable, to file: URL) throws {
        try format.export(storage: exportedContents(), to: file)
    }

    /// The contents as a file's bytes.
    public func exportData(format: some PrefsStorageExportFormatDataExportable) throws -> Data {
        try format.exportData(storage: exportedContents())
    }

    /// The contents as a file's text.
    public func exportString(format: some PrefsStorageExportFormatStringExportable) throws -> String {
        try format.exportString(storage: exportedContents())
    }
}
