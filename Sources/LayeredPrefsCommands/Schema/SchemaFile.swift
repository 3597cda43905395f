import LayeredPrefs

/// Reads JSON Schemas: the library's own exports, and other schemas as far as they use the same keywords.
enum SchemaFile {
    /// Reads the declared keys from a schema.
    ///
    /// - Throws: ``PrefsError`` if the file is missing, unreadable, not JSON, or not the schema of an object. The
    ///   error has the position and the key of the mistake.
    static func read(_ path: String) throws(PrefsError) -> ProgramSchema {
        try schema(in: try PrefsFile.document(of: path, as: .json), path: path)
    }

    /// Reads the declared keys from the bytes of a schema.
    ///
    /// - Parameter place: The file or other source of the bytes, for messages.
    /// - Throws: ``PrefsError`` if the bytes are not JSON, or not the schema of an object.
    static func read(_ bytes: [UInt8], from place: String) throws(PrefsError) -> ProgramSchema {
        try schema(in: try PrefsDocument(parsing: bytes, as: .json, path: place), path: place)
    }

    private static func schema(in document: PrefsDocument, path: String) throws(PrefsError) -> ProgramSchema {
        var reader = SchemaReader(root: document.root, file: path)
        return try reader.schema()
    }
}
