public import PrefsDocuments
public import FoundationEssentials

/// A file format that contents can be loaded from. A format of your own conforms to the refinements it can
/// serve.
public protocol PrefsStorageImportFormat: Sendable {}

/// A format that is read from files.
public protocol PrefsStorageImportFormatFileImportable: PrefsStorageImportFormat {
    /// The contents of a file.
    func load(from file: URL) throws -> [String: PrefsValue]
}

/// A format that is read from bytes.
public protocol PrefsStorageImportFormatDataImportable: PrefsStorageImportFormat {
    /// The contents of a file's bytes.
    func load(from data: Data) throws -> [String: PrefsValue]
}

/// A format that is read from text.
public protocol PrefsStorageImportFormatStringImportable: PrefsStorageImportFormat {
    /// The contents of a file's text.
    func load(from string: String) throws -> [String: PrefsValue]
}

extension PrefsStorageImportFormatFileImportable where Self: PrefsStorageImportFormatDataImportable {
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
    public func load(from string: String) throws -> [String: PrefsValue] {
        try load(from: Data(string.utf8))
    }
}
