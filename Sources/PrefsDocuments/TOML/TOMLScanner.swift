/// Reads TOML 1.0 in one pass over its bytes, strictly.
///
/// A local date, time or date-time is not an instant, so it becomes a string as written: `"1979-05-27"`. A
/// date-time with an offset is a date. Integers have 64 bits with a sign, as the specification demands.
struct TOMLScanner: TextScanner {
    let bytes: [UInt8]
    var offset = 0
    let limits: PrefsLimits
    let text: DocumentText
    var tree: TOMLTree
    /// The comments so far; `nil` if nobody wants them.
    var comments: [Range<Int>]?
    /// The table of the last header. The key/value pairs after the header belong to it.
    private var table = 0

    /// - Parameter wantsEntryStarts: True to record the places that an edit needs.
    init(_ text: DocumentText, limits: PrefsLimits, wantsEntryStarts: Bool = false) {
        self.text = text
        self.limits = limits
        bytes = text.bytes
        tree = TOMLTree(text, limits: limits, wantsEntryStarts: wantsEntryStarts)
    }

    mutating func scan() throws(ScanFailure) -> DocumentBuilder {
        try scanItems()
        tree.arrange()
        // Duplicate keys are errors in TOML.
        var builder = DocumentBuilder(text, limits: limits, isStrict: true)
        try tree.give(to: &builder)
        return builder
    }

    /// Reads the file, and returns its values as they are written, in the order of the document's nodes.
    mutating func scanTree() throws(ScanFailure) -> TOMLTree {
        try scanItems()
        tree.arrange()
        return tree
    }

    private mutating func scanItems() throws(ScanFailure) {
        offset = TextEncoding.start(of: bytes)
        while true {
            skipBlanks()
            guard offset < bytes.count else { break }
            switch current {
            case UInt8(ascii: "["): try scanHeader()
            case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
            default: try scanPair(in: table)
            }
            try skipLineEnd()
        }
        tree.end(0, at: bytes.count)
    }

    var found: String {
        guard offset < bytes.count else { return "the end of the file" }
        return current == UInt8(ascii: "\n") ? "the end of the line" : bytes[offset].quoted
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        while current.isIndentation { offset += 1 }
    }

    /// Skips a comment and the end of the line.
    private mutating func skipLineEnd() throws(ScanFailure) {
        skipBlanks()
        try skipComment()
        guard offset < bytes.count else { return }
        try skipNewline("the end of the line")
    }

    mutating func skipNewline(_ expected: String) throws(ScanFailure) {
        if current == UInt8(ascii: "\r"), byte(after: 1) == UInt8(ascii: "\n") { offset += 1 }
        try skip(UInt8(ascii: "\n"), expected)
    }

    /// Skips a comment, if there is one, up to the end of its line.
    mutating func skipComment() throws(ScanFailure) {
        guard current == UInt8(ascii: "#") else { return }
        let start = offset
        defer { comments?.append(start..<offset) }
        while true {
            skipPlainText(before: UInt8(ascii: "\n"), UInt8(ascii: "\n"))
            guard offset < bytes.count, current != UInt8(ascii: "\n") else { return }
            if current == UInt8(ascii: "\r"), byte(after: 1) == UInt8(ascii: "\n") { return }
            try skipCharacter("a comment")
        }
    }

    /// Skips one character. Throws for invalid UTF-8, and for a control character other than a tab.
    mutating func skipCharacter(_ place: String) throws(ScanFailure) {
        let byte = bytes[offset]
        guard byte >= 0x80 else {
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
                throw ScanFailure(offset, "control character \(byte.quoted) in \(place)")
            }
            offset += 1
            return
        }
        guard let character = UTF8Sequence(bytes, at: offset) else {
            throw ScanFailure(offset, "\(byte.quoted) is not valid UTF-8")
        }
        offset += character.length
    }
}

extension TOMLScanner {
    /// Reads `[a.b]` or `[[a.b]]` and makes it the table of the following pairs.
    private mutating func scanHeader() throws(ScanFailure) {
        let start = offset
        offset += 1
        let isArray = current == UInt8(ascii: "[")
        if isArray { offset += 1 }
        skipBlanks()
        var parent = 0
        var depth = 1
        var name = try readKeyPart()
        while let part = try readNextKeyPart(&depth) {
            parent = try enter(name, of: parent, from: start)
            name = part
        }
        try skip(UInt8(ascii: "]"), "“]” to end the header")
        if isArray { try skip(UInt8(ascii: "]"), "“]]” to end the header") }
        table =
            try isArray
            ? openElement(name, of: parent, from: start) : openTable(name, of: parent, from: start)
        tree.end(table, at: offset)
    }

    /// Returns the table that a part of a header other than the last names, and creates it if it is missing.
    private mutating func enter(_ part: DocumentNode, of parent: Int, from start: Int)
        throws(ScanFailure) -> Int
    {
        guard let known = tree.find(part, in: parent) else {
            return try tree.add(
                container(part, .dictionary, from: start), .implied, to: parent, entryStart: start)
        }
        return tree.form(of: known) == .tables ? tree.last(in: known) : known
    }

    private mutating func openTable(_ name: DocumentNode, of parent: Int, from start: Int)
        throws(ScanFailure) -> Int
    {
        guard let known = tree.find(name, in: parent) else {
            return try tree.add(
                container(name, .dictionary, from: start), .header, to: parent, entryStart: start)
        }
        guard tree.form(of: known) == .implied else {
            throw taken(name, by: known, "a table is defined once")
        }
        tree.setForm(.header, of: known)
        tree.setEntryStart(start, of: known)
        tree[known].start = UInt32(start)
        tree[known].keyStart = name.keyStart
        tree[known].keyLength = name.keyLength
        tree[known].flags = container(name, .dictionary, from: start).flags
        return known
    }

    private mutating func openElement(_ name: DocumentNode, of parent: Int, from start: Int)
        throws(ScanFailure) -> Int
    {
        let array: Int
        if let known = tree.find(name, in: parent) {
            guard tree.form(of: known) == .tables else {
                throw taken(name, by: known, "it is not an array of tables")
            }
            array = known
        } else {
            array = try tree.add(container(name, .array, from: start), .tables, to: parent, entryStart: start)
        }
        let element = DocumentNode(
            start: UInt32(start), end: UInt32(start), kind: .dictionary, flags: .separate)
        return try tree.add(element, .element, to: array, entryStart: start)
    }

    private func container(_ key: DocumentNode, _ kind: PrefsValue.Kind, from start: Int) -> DocumentNode {
        var node = key
        node.kind = kind
        node.start = UInt32(start)
        node.end = UInt32(start)
        node.flags.insert(.separate)
        return node
    }

    func taken(_ key: DocumentNode, by known: Int, _ rule: String) -> ScanFailure {
        let first = text.position(of: Int(tree[known].keyStart))
        var line = ""
        if case .line(let number, _) = first { line = " (first defined on line \(number))" }
        return ScanFailure(
            Int(key.keyStart), "duplicate key “\(text.shownKey(of: key))”\(line); \(rule)")
    }
}

extension TOMLScanner {
    /// Reads `key = value` into a table; the key may be dotted.
    mutating func scanPair(in table: Int) throws(ScanFailure) {
        let start = offset
        let (name, parent) = try scanKey(in: table, from: start)
        try scanValue(of: name, in: parent, from: start)
    }

    /// Reads a key and the equals sign. Returns the key's last part, and the table that it belongs to.
    mutating func scanKey(in table: Int, from start: Int) throws(ScanFailure) -> (DocumentNode, parent: Int) {
        var parent = table
        var depth = 1
        var name = try readKeyPart()
        while let part = try readNextKeyPart(&depth) {
            parent = try enterDotted(name, of: parent, from: start)
            name = part
        }
        try skip(UInt8(ascii: "="), "“=” after the key")
        skipBlanks()
        return (name, parent)
    }

    private mutating func enterDotted(_ part: DocumentNode, of parent: Int, from start: Int)
        throws(ScanFailure) -> Int
    {
        guard let known = tree.find(part, in: parent) else {
            let node = container(part, .dictionary, from: start)
            return try tree.add(node, .dotted, to: parent, entryStart: start)
        }
        switch tree.form(of: known) {
        case .dotted: break
        case .implied: tree.setForm(.dotted, of: known)
        case .value, .header, .tables, .element:
            throw taken(part, by: known, "a dotted key cannot add to it")
        }
        return known
    }

    /// Reads white space, and if there is a dot, the next part of the key.
    ///
    /// - Parameter depth: The number of parts so far.
    private mutating func readNextKeyPart(_ depth: inout Int) throws(ScanFailure) -> DocumentNode? {
        skipBlanks()
        guard current == UInt8(ascii: ".") else { return nil }
        guard depth < limits.depth else {
            throw ScanFailure(offset, "nested deeper than \(limits.depth) levels", code: .tooLarge)
        }
        depth += 1
        offset += 1
        skipBlanks()
        return try readKeyPart()
    }

    private mutating func readKeyPart() throws(ScanFailure) -> DocumentNode {
        let start = offset
        var node = DocumentNode(start: UInt32(start), end: UInt32(start), kind: .dictionary)
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            let run = try readString()
            try text.checkMarks(in: run)
            node.setKey(run)
            return node
        }
        var end = start
        while end < bytes.count, Self.isBare(bytes[end]) { end += 1 }
        offset = end
        guard end > start else { throw ScanFailure(offset, "expected a key, found \(found)") }
        node.setKey(TextRun(range: start..<end))
        return node
    }

    static func isBare(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
