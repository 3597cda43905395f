/// A file's bytes together with the format that determines how strings are decoded.
struct DocumentText: Sendable {
    let bytes: [UInt8]
    let format: PrefsFileFormat
    /// The texts that nodes refer to instead of the file, if the format needs them.
    private(set) var decoded: DecodedText?

    func key(of node: DocumentNode) -> String {
        if node.flags.contains(.identifierKey) { return Self.identifierKey }
        return string(node.keyRange, isEncoded: node.flags.contains(.encodedKey))
    }

    func hasDot(inKeyOf node: DocumentNode) -> Bool {
        guard node.flags.isDisjoint(with: [.encodedKey, .identifierKey]) else {
            return key(of: node).utf8.contains(UInt8(ascii: "."))
        }
        let key = bytes.span.extracting(node.keyRange)
        return key.indices.contains { key[$0] == UInt8(ascii: ".") }
    }

    func string(_ range: Range<Int>, isEncoded: Bool) -> String {
        guard isEncoded else { return String(decoding: bytes[range], as: UTF8.self) }
        return switch format.name {
        case .xml: String(decoding: XMLText.decoded(bytes, range), as: UTF8.self)
        case .json: String(decoding: JSONText.decoded(bytes, range), as: UTF8.self)
        case .toml: String(decoding: TOMLText.decoded(bytes, range), as: UTF8.self)
        case .yaml: decoded.map { String(decoding: $0.bytes[range], as: UTF8.self) } ?? ""
        case .binary: BinaryText.decoded(bytes, range)
        }
    }

    /// Returns the length of a text in UTF-8.
    func length(of range: Range<Int>, isEncoded: Bool) -> Int {
        isEncoded ? string(range, isEncoded: true).utf8.count : range.count
    }

    func hash(ofKeyOf node: DocumentNode) -> UInt64 {
        if node.flags.isDisjoint(with: [.encodedKey, .identifierKey, .unicodeKey]),
            let hash = KeyHash.ofASCII(bytes.span.extracting(node.keyRange))
        {
            return hash
        }
        return KeyHash.of(key(of: node))
    }

    /// Returns true if a node of this text and a node of another (or this) text have equal keys.
    func key(of node: DocumentNode, is other: DocumentNode, of text: DocumentText) -> Bool {
        if node.flags.union(other.flags).isDisjoint(with: [.encodedKey, .identifierKey]) {
            let lhs = bytes.span.extracting(node.keyRange)
            let rhs = text.bytes.span.extracting(other.keyRange)
            if lhs.hasSameBytes(as: rhs) { return true }
            if !node.flags.union(other.flags).contains(.unicodeKey) { return false }
        }
        return key(of: node) == text.key(of: other)
    }

    func key(of node: DocumentNode, is key: String) -> Bool {
        if node.flags.isDisjoint(with: [.encodedKey, .identifierKey]) {
            let lhs = bytes.span.extracting(node.keyRange)
            let rhs = key.utf8Span.span
            if lhs.hasSameBytes(as: rhs) { return true }
            if !node.flags.contains(.unicodeKey), rhs.isASCII { return false }
        }
        return self.key(of: node) == key
    }

    static let identifierKey = "CF$UID"

    /// Rejects a text with more combining marks in a row than ``PrefsLimits/combiningMarks``.
    func checkMarks(in run: TextRun) throws(ScanFailure) {
        guard !run.isASCII, run.range.count > PrefsLimits.combiningMarks else { return }
        guard run.isEncoded else {
            return try CombiningMarks.check(bytes, run.range, at: run.range.lowerBound)
        }
        let decoded = Array(string(run.range, isEncoded: true).utf8)
        try CombiningMarks.check(decoded, 0..<decoded.count, at: run.range.lowerBound)
    }
}

extension Span<UInt8> {
    var isASCII: Bool {
        var seen: UInt8 = 0
        for index in indices { seen |= self[index] }
        return seen < 0x80
    }
}

extension DocumentText {
    /// Returns the position of an offset in the form that suits the format.
    func position(of offset: Int) -> PrefsPosition {
        var lines = LineTable()
        return position(of: offset, &lines)
    }

    /// Returns the position of an offset. Calls for several offsets can share a table.
    func position(of offset: Int, _ lines: inout LineTable) -> PrefsPosition {
        format == .binaryPropertyList ? .byte(offset) : lines.position(of: offset, in: bytes)
    }
}
