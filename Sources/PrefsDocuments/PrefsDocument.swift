import PrefsSystem

/// A parsed file of preferences: its values with their positions, and the text between them.
///
///     let document = try PrefsDocument(parsing: bytes)
///     let port = document.root["http"]?["port"]
///     let next = try document.editing([.set(["http", "port"], to: 9090)])
///
/// Parsing validates the whole file; strings, data and containers are decoded on demand. A document is
/// immutable and keeps the file's bytes, plus 32 bytes per value; any thread may read it.
public final class PrefsDocument: Sendable {
    /// The format of the file.
    public let format: PrefsFileFormat
    /// Problems that do not prevent the file from being used: duplicate keys, with both places.
    public let warnings: [PrefsError]

    let text: DocumentText
    let limits: PrefsLimits
    let encoding: TextEncoding
    let nodes: [DocumentNode]
    let keys: KeyTable
    /// Created when a position is first requested.
    private let lines = Lock<LineTable?>(nil)

    init(_ builder: consuming DocumentBuilder, encoding: TextEncoding, path: String?) {
        format = builder.text.format
        warnings = builder.duplicates.warnings(in: builder.text, path: path)
        text = builder.text
        limits = builder.limits
        nodes = builder.nodes
        keys = builder.keys
        self.encoding = encoding
    }

    private init() {
        format = .xmlPropertyList
        warnings = []
        text = DocumentText(bytes: [], format: .xmlPropertyList)
        limits = .standard
        encoding = .utf8
        nodes = [DocumentNode(start: 0, end: 0, next: 1, kind: .dictionary)]
        keys = KeyTable()
    }

    /// An empty dictionary, which represents a missing file.
    public static let empty = PrefsDocument()

    /// The outermost value; a dictionary, unless the document was parsed with another `root`.
    public var root: PrefsNode { PrefsNode(document: self, index: 0) }

    /// The root's entries, decoded.
    public var content: [String: PrefsValue] { root.value.dictionary ?? [:] }

    /// The file's bytes; empty for ``empty``.
    public var bytes: [UInt8] { encoding.encode(text.bytes) }

    /// Returns true if these are the bytes of the document's file.
    package func isStored(as bytes: [UInt8]) -> Bool {
        !text.bytes.isEmpty && self.bytes == bytes
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
