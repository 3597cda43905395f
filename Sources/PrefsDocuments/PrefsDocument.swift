import PrefsSystem

/// A parsed file: one flat, validated array of nodes over the file's bytes.
///
/// Parsing validates everything, including scalars; strings, data and containers are decoded on demand. A
/// document is immutable; any thread may read it.
package final class PrefsDocument: Sendable {
    package let format: PrefsFileFormat
    /// Problems that do not prevent the file from being used: duplicate keys, with both places.
    package let warnings: [PrefsError]

    let text: DocumentText
    let encoding: TextEncoding
    let nodes: [DocumentNode]
    let keys: KeyTable
    /// Created when a position is first requested.
    private let lines = Lock<LineTable?>(nil)

    init(_ builder: consuming DocumentBuilder, encoding: TextEncoding, path: String?) {
        format = builder.text.format
        warnings = builder.duplicates.warnings(in: builder.text, path: path)
        text = builder.text
        nodes = builder.nodes
        keys = builder.keys
        self.encoding = encoding
    }

    private init() {
        format = .xmlPropertyList
        warnings = []
        text = DocumentText(bytes: [], format: .xmlPropertyList)
        encoding = .utf8
        nodes = [DocumentNode(start: 0, end: 0, next: 1, kind: .dictionary)]
        keys = KeyTable()
    }

    /// An empty dictionary, which represents a missing file.
    package static let empty = PrefsDocument()

    /// The outermost value; a dictionary, unless the document was parsed with another `root`.
    package var root: PrefsNode { PrefsNode(document: self, index: 0) }

    /// The root's content.
    package var content: [String: PrefsValue] { root.value.dictionary ?? [:] }

    /// Returns true if these are the bytes of the document's file.
    package func isStored(as bytes: [UInt8]) -> Bool {
        !text.bytes.isEmpty && encoding.encode(text.bytes) == bytes
    }

    func position(of offset: Int) -> PrefsPosition? {
        guard !text.bytes.isEmpty else { return nil }
        guard format != .binaryPropertyList else { return .byte(offset) }
        let table = lines.withLock { table in
            let known = table ?? LineTable(text.bytes)
            table = known
            return known
        }
        return text.position(of: offset, lines: table)
    }
}
