public import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments

/// A storage whose contents can be exported to a file, data or text in a given format.
public protocol PrefsStorageExportable: PrefsStorage {
    /// Returns the contents as plain Swift values.
    func dictionaryRepresentation() throws -> [String: Any]
}

extension PrefsStorageExportable {
    /// Exports the contents to a file.
    ///
    /// The library's formats replace the file atomically, so that a reader never sees half of the file.
    public func export(format: some PrefsStorageExportFormatFileExportable, to url: URL) throws {
        try format.export(storage: dictionaryRepresentation(), to: url)
    }

    /// Returns the contents as the bytes of a file.
    public func exportData(format: some PrefsStorageExportFormatDataExportable) throws -> Data {
        try format.exportData(storage: dictionaryRepresentation())
    }

    /// Returns the contents as the text of a file.
    public func exportString(format: some PrefsStorageExportFormatStringExportable) throws -> String {
        try format.exportString(storage: dictionaryRepresentation())
    }
}

extension PrefsStorageExportable where Self: NativePrefsStorage {
    /// Returns the contents of the snapshot as the closest Swift types; see `PrefsValue.bridged`.
    public func dictionaryRepresentation() throws -> [String: Any] {
        snapshot.dictionary.mapValues(\.bridged)
    }
}
