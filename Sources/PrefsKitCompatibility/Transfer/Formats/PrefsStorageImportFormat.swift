public import FoundationEssentials
public import PrefsDocuments

/// A file format for importing contents. A custom format conforms to the refinements it supports.
public protocol PrefsStorageImportFormat: Sendable {}

/// A format that can be read from a file.
public protocol PrefsStorageImportFormatFileImportable: PrefsStorageImportFormat {
    /// Returns the contents of a file.
    func load(from file: URL) throws -> [String: PrefsValue]
}

/// A format that can be read from bytes.
public protocol PrefsStorageImportFormatDataImportable: PrefsStorageImportFormat {
    /// Returns the contents of a file from its bytes.
    func load(from data: Data) throws -> [String: PrefsValue]
}

/// A format that can be read from text.
public protocol PrefsStorageImportFormatStringImportable: PrefsStorageImportFormat {
    /// Returns the contents of a file from its text.
    func load(from string: String) throws -> [String: PrefsValue]
}

extension PrefsStorageImportFormatFileImportable where Self: PrefsStorageImportFormatDataImportable {
    /// Reads a file and returns its contents.
    ///
    /// - Throws: ``PrefsError`` with the file as its origin if the file cannot be parsed; Foundation's error
    ///   if it cannot be read.
    public func load(from file: URL) throws -> [String: PrefsValue] {
        do {
            return try load(from: Data(contentsOf: file))
        } catch var error as PrefsError {
            error.origin = error.origin ?? PrefsOrigin()
            error.origin?.file = file.path
            throw error
        }
    }
}

extension PrefsStorageImportFormatStringImportable where Self: PrefsStorageImportFormatDataImportable {
    /// Returns the contents of a file from its text, encoded as UTF-8.
    public func load(from string: String) throws -> [String: PrefsValue] {
        try load(from: Data(string.utf8))
    }
}
