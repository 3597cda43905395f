import LayeredPrefs

/// Reads JSON Schemas: those that the library exports, and others as far as they use the same keywords.
enum SchemaFile {
    /// Reads the declared keys from a schema.
    ///
    /// - Throws: ``PrefsError`` if the file is missing, unreadable, not JSON, or not the schema of an object, with the
    ///   position and the key where something else is expected.
    static func read(_ path: String) throws(PrefsError) -> ProgramSchema {
        try schema(in: try PrefsFile.document(of: path, as: .json), path: path)
    }

    /// Reads the declared keys from the bytes of a schema.
    ///
    /// - Parameter place: The file, or another source of the bytes, for messages.
    /// - Throws: ``PrefsError`` if they are not JSON, or not the schema of an object.
    static func read(_ bytes: [UInt8], from place: String) throws(PrefsError) -> ProgramSchema {
        try schema(in: try PrefsDocument(parsing: bytes, as: .json, path: place), path: place)
    }

    private static func schema(in document: PrefsDocument, path: String) throws(PrefsError) -> ProgramSchema {
        var reader = SchemaReader(root: document.root, file: path)
        return try reader.schema()
    }
}
