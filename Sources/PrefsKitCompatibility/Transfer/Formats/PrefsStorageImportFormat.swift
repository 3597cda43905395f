public import Foundation
import LayeredPrefs
import PrefsDocuments

/// A file format for importing contents. A custom format conforms to the refinements that it supports.
public protocol PrefsStorageImportFormat: Sendable {}

/// A format that can be read from a file.
public protocol PrefsStorageImportFormatFileImportable: PrefsStorageImportFormat {
    /// Returns the contents of a file.
    func load(from file: URL) throws -> [String: Any]
}

/// A format that can be read from the bytes of a file.
public protocol PrefsStorageImportFormatDataImportable: PrefsStorageImportFormat {
    /// Returns the contents of a file from its bytes.
    func load(from data: Data) throws -> [String: Any]
}

/// A format that can be read from the text of a file.
public protocol PrefsStorageImportFormatStringImportable: PrefsStorageImportFormat {
    /// Returns the contents of a file from its text.
    func load(from string: String) throws -> [String: Any]
}

extension PrefsStorageImportFormat where Self: PrefsStorageImportFormatDataImportable {
    /// Loads the contents from the file's bytes.
    public func load(from file: URL) throws -> [String: Any] {
        try load(from: Data(contentsOf: file))
    }
}

extension PrefsStorageImportFormatStringImportable where Self: PrefsStorageImportFormatDataImportable {
    /// Loads the contents from the text's UTF-8 bytes.
    public func load(from string: String) throws -> [String: Any] {
        try load(from: Data(string.utf8))
    }
}

extension PrefsValue {
    /// The value as PrefsKit's formats import it: as ``bridged``, but a real within an array or a dictionary is an
    /// `NSNumber`, because `[Any]` then casts to `[Float]` as well as to `[Double]`.
    var imported: Any {
        switch self {
        case .array(let elements): elements.map(\.importedPart)
        case .dictionary(let content): content.mapValues(\.importedPart)
        default: bridged
        }
    }

    private var importedPart: Any {
        if case .real(let value) = self { NSNumber(value: value) } else { imported }
    }
}
