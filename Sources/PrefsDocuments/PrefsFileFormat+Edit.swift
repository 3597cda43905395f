extension PrefsFileFormat {
    /// Changes exactly these places of a document.
    ///
    /// - Parameters:
    ///   - document: What the file holds; `nil`, or an empty file's document, makes a fresh file.
    ///   - edits: Each `path` is a chain of literal dictionary keys. `nil` removes. Missing parents are created
    ///     as dictionaries; a parent that is something else is an error (`wrongType`).
    /// - Returns: The new file. Of XML and JSON, everything that was not named stays byte for byte.
    package func edit(
        _ document: PrefsDocument?, _ edits: [(path: [String], value: PrefsValue?)]
    ) throws(PrefsError) -> [UInt8] {
        let edits = try PrefsEdits(edits)
        if let document, document.format == self, !document.text.bytes.isEmpty {
            switch name {
            case .xml: return try XMLEditor.edit(document, edits)
            case .json: return try JSONEditor.edit(document, edits)
            case .binary: break
            }
        }
        var content = document?.content ?? [:]
        try edits.apply(to: &content)
        return try serialize(content)
    }
}
