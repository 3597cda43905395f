extension PrefsFileFormat {
    /// Changes only the named values of a document.
    ///
    /// - Parameters:
    ///   - document: The contents of the file; `nil`, or an empty file's document, creates a new file.
    ///   - edits: Each `path` is a sequence of literal dictionary keys. A value of `nil` removes. Missing
    ///     parents are created as dictionaries; a parent of another kind is an error (`wrongType`).
    /// - Returns: The new file. In XML and JSON, everything that no edit names stays byte for byte.
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
