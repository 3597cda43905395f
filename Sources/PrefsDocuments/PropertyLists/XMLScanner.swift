/// Reads an XML property list in one pass over its bytes; nothing is allocated per value.
///
/// It accepts the documents that Apple's tools write and read, with a document type, comments, processing
/// instructions, CDATA, references and attributes. It ignores attributes. It accepts nothing that is not XML, and
/// rejects entity declarations, so nothing expands. It keeps open containers in an array, not on the stack.
struct XMLScanner {
    let bytes: [UInt8]
    var offset = 0
    var builder: DocumentBuilder
    /// True once a character beyond ASCII has been read in the current text.
    var hasUnicode = false
    /// The comments so far; `nil` if nobody wants them.
    var comments: [Range<Int>]?

    init(_ builder: DocumentBuilder) {
        bytes = builder.text.bytes
        self.builder = builder
    }

    mutating func scan() throws(ScanFailure) -> DocumentBuilder {
        try skipProlog()
        repeat { try scanItem() } while builder.container != nil
        try skipMarkup()
        try skipClosingTag(.plist)
        try skipMarkup()
        guard offset == bytes.count else {
            throw ScanFailure(offset, "unexpected content after </plist>: \(found)")
        }
        return builder
    }

    func looksAt(_ literal: StaticString) -> Bool {
        let end = offset + literal.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        return literal.withUTF8Buffer { unsafe bytes.span.extracting(offset..<end).hasSameBytes(as: $0.span) }
    }

    /// The content at the offset, for a message.
    var found: String {
        guard offset < bytes.count else { return "the end of the file" }
        guard current == UInt8(ascii: "<") else { return bytes[offset].quoted }
        return XMLTag.named(at: offset, in: bytes) ?? "another element"
    }
}

extension XMLScanner: ValueScanner {
    mutating func scanValue(at start: Int) throws(ScanFailure) {
        offset = start
        try scanItem()
    }
}

extension XMLScanner {
    /// Performs one step inside the root: reads an element, or a container's closing tag.
    private mutating func scanItem() throws(ScanFailure) {
        try skipMarkup()
        let start = offset
        guard current == UInt8(ascii: "<") else {
            throw ScanFailure(offset, "expected \(expected), found \(found)")
        }
        guard byte(after: 1) != UInt8(ascii: "/") else { return try closeContainer() }
        let (tag, isEmpty) = try readOpeningTag()
        guard tag != .key else { return try scanKey(isEmpty: isEmpty, from: start) }
        guard builder.container != .dictionary || builder.hasKey else {
            throw ScanFailure(start, "expected <key> in the dictionary, found <\(tag.name)>")
        }
        try scanValue(tag, isEmpty: isEmpty, from: start)
    }

    private mutating func scanKey(isEmpty: Bool, from start: Int) throws(ScanFailure) {
        guard builder.container == .dictionary else {
            throw ScanFailure(start, "a <key> outside a dictionary; expected \(expected)")
        }
        guard !builder.hasKey else {
            throw ScanFailure(start, "two consecutive <key> elements; the first has no value")
        }
        let run = try isEmpty ? TextRun(range: offset..<offset) : readText(of: .key)
        try builder.setKey(run)
    }

    private mutating func scanValue(_ tag: XMLTag, isEmpty: Bool, from start: Int) throws(ScanFailure) {
        switch tag {
        case .dict: try openContainer(.dictionary, isEmpty: isEmpty, from: start)
        case .array: try openContainer(.array, isEmpty: isEmpty, from: start)
        case .true, .false:
            if !isEmpty { try skipClosingTag(tag) }
            try builder.add(.bool, payload: tag == .true ? 1 : 0, range: start..<offset)
        case .plist, .key: throw ScanFailure(start, "expected \(expected), found <\(tag.name)>")
        default:
            let run = try isEmpty ? TextRun(range: offset..<offset) : readText(of: tag)
            try scanScalar(tag, run, from: start)
        }
    }

    private mutating func openContainer(
        _ kind: PrefsValue.Kind, isEmpty: Bool, from start: Int
    ) throws(ScanFailure) {
        try builder.openContainer(kind, at: start)
        if isEmpty { try builder.closeContainer(at: offset) }
    }

    private mutating func closeContainer() throws(ScanFailure) {
        guard let container = builder.container else {
            throw ScanFailure(offset, "expected a value in <plist>, found a closing tag")
        }
        guard !builder.hasKey else {
            throw ScanFailure(offset, "the last key of the dictionary has no value")
        }
        try skipClosingTag(container == .dictionary ? .dict : .array)
        try builder.closeContainer(at: offset)
    }

    private var expected: String {
        switch builder.container {
        case .dictionary?: builder.hasKey ? "the key's value" : "<key> or </dict>"
        case .array?: "a value or </array>"
        case .some, .none: "a value such as <dict>"
        }
    }
}
