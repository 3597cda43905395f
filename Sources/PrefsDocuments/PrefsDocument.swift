import PrefsSystem

/// A parsed preferences file: its values with their positions, and the text between them.
///
///     let document = try PrefsDocument(parsing: bytes)
///     let port = document.root["http"]?["port"]
///     let next = try document.editing([.set(["http", "port"], to: 9090)])
///
/// Parsing validates the whole file. Strings, data and containers are decoded when you read them. A document never
/// changes, and any thread may read it. It keeps the file's bytes, plus 32 bytes for each value.
public final class PrefsDocument: Sendable {
    /// The format of the file.
    public let format: PrefsFileFormat
    /// Problems that do not prevent the file from being used: duplicate keys, with both positions.
    public let warnings: [PrefsError]

    let text: DocumentText
    package let limits: PrefsLimits
    let encoding: TextEncoding
    let nodes: [DocumentNode]
    let keys: KeyTable
    /// The step from the previous revision of the file, if only scalars changed.
    private let step: Step?
    private let version = Version()
    private let lines = Lock(LineTable())

    /// Identifies a revision of a file without keeping its contents.
    private final class Version: Sendable {}

    private struct Step {
        let start: Version
        /// The indices of the changed scalars, ascending.
        let changes: [Int]
    }

    init(_ builder: consuming DocumentBuilder, encoding: TextEncoding, path: String?) {
        format = builder.text.format
        warnings = builder.duplicates.warnings(in: builder.text, path: path)
        text = builder.text
        limits = builder.limits
        nodes = builder.nodes
        keys = builder.keys
        self.encoding = encoding
        step = nil
    }

    /// Creates a revision of a file that differs from the previous one in scalars only.
    init(_ text: DocumentText, _ edits: ScalarEdits, of old: PrefsDocument) {
        format = text.format
        warnings = []
        self.text = text
        limits = old.limits
        encoding = old.encoding
        nodes = edits.apply(to: old.nodes)
        keys = old.keys
        step = Step(start: old.version, changes: edits.changes.map(\.index))
    }

    private init() {
        format = .xmlPropertyList
        warnings = []
        text = DocumentText(bytes: [], format: .xmlPropertyList)
        limits = .standard
        encoding = .utf8
        nodes = [DocumentNode(start: 0, end: 0, next: 1, kind: .dictionary)]
        keys = KeyTable()
        step = nil
    }

    /// An empty dictionary, which represents a missing file.
    public static let empty = PrefsDocument()

    /// The outermost value. It is a dictionary, unless the document was parsed with another `root`.
    public var root: PrefsNode { PrefsNode(document: self, index: 0) }

    /// The decoded entries of the root.
    public var content: [String: PrefsValue] { root.value.dictionary ?? [:] }

    /// The bytes of the file; none for ``empty``.
    public var bytes: [UInt8] { encoding.encode(text.bytes) }

    /// The text in UTF-8, whatever the encoding of the file is. The offsets of the nodes refer to it.
    package var utf8: [UInt8] { text.bytes }

    /// Returns true if these are the bytes of the document's file.
    package func isStored(as bytes: [UInt8]) -> Bool {
        !text.bytes.isEmpty && self.bytes == bytes
    }

    /// Returns the indices of the scalars that may differ from an older revision, in ascending order. `nil` if
    /// anything else may differ, too.
    func changes(since old: PrefsDocument) -> [Int]? { step?.start === old.version ? step?.changes : nil }

    func position(of offset: Int) -> PrefsPosition? {
        if text.bytes.isEmpty { return nil }
        return lines.withLock { [text] in text.position(of: offset, &$0) }
    }
}

extension PrefsDocument: CustomReflectable {
    /// A mirror of the format and the number of values. It leaves out the contents, which may be secrets.
    public var customMirror: Mirror { Mirror(self, children: ["format": format, "values": nodes.count]) }
}
