extension PrefsDocument {
    /// A change of one value in a document.
    public struct Edit: Sendable, Hashable {
        /// The path of the value: literal dictionary keys, outermost first.
        public var path: [String]
        /// The new value; `nil` removes the key.
        public var value: PrefsValue?

        /// Creates an edit.
        public init(path: [String], value: PrefsValue?) {
            self.path = path
            self.value = value
        }

        /// Sets the value at a path.
        public static func set(_ path: [String], to value: PrefsValue) -> Edit {
            Edit(path: path, value: value)
        }

        /// Removes the key at a path, together with its duplicates.
        public static func remove(_ path: [String]) -> Edit { Edit(path: path, value: nil) }
    }

    /// Returns the bytes of the file with some of its values changed.
    ///
    /// In XML, JSON, TOML and YAML, everything outside the edited values stays byte for byte: comments, order, layout
    /// and encoding. A binary property list is rewritten. So is the whole file if you pass another `format`.
    ///
    /// - Parameters:
    ///   - edits: The changes, which are applied in order. Missing parents are created as dictionaries.
    ///   - format: The format of the result; `nil` for the document's own.
    /// - Throws: `wrongType` if a parent is not a dictionary; `notEncodable` if the format cannot represent a value;
    ///   `tooLarge` if a key exceeds the limits that the document was parsed with; `unsupported`, with the line, if a
    ///   value of YAML cannot be changed alone, because it has an anchor or comes from one.
    public func editing(
        _ edits: [Edit], as format: PrefsFileFormat? = nil
    ) throws(PrefsError) -> [UInt8] {
        do throws(PrefsError) {
            return try edited(EditTree(edits, limits: limits), as: format ?? self.format)
        } catch {
            throw error.atTopLevel
        }
    }

    private func edited(_ edits: EditTree, as format: PrefsFileFormat) throws(PrefsError) -> [UInt8] {
        if format == self.format, !text.bytes.isEmpty {
            switch format.name {
            case .xml: return try XMLEditor.bytes(of: self, after: edits)
            case .json: return try JSONEditor.bytes(of: self, after: edits)
            case .toml: return try TOMLEditor.bytes(of: self, after: edits)
            #if YAML
                case .yaml: return try YAMLEditor.checkedBytes(of: self, after: edits)
            #else
                case .yaml: break
            #endif
            case .binary: break
            }
        }
        var content = content
        try edits.apply(to: &content)
        return try format.serialize(content)
    }
}
