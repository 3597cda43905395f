import LayeredPrefs

/// The comments of a file, each with the entry that it belongs to. They can be added to a file in another format.
///
/// A comment belongs to the entry before it on the same line, otherwise to the next entry. It is written above
/// that entry.
struct DocumentComments {
    /// The comment lines of each entry. A path consists of keys and of indices into arrays.
    private var lines: [[PrefsMismatch.Step]: [String]] = [:]
    /// The comment lines after the last entry.
    private var last: [String] = []

    /// True if the file has no comments.
    var isEmpty: Bool { lines.isEmpty && last.isEmpty }

    /// Finds the comments of an XML, TOML or YAML file. Files in other formats have no comments.
    init(of document: PrefsDocument) {
        let comments = CommentScanner(document).comments
        guard !comments.isEmpty else { return }
        let entries = EntryPlaces(of: document).places
        let bytes = document.utf8
        var table = LineTable()
        // The first entry that begins after the comment.
        var next = 0
        for (start, text) in comments {
            while next < entries.count, entries[next].start < start { next += 1 }
            let previous = next > 0 ? entries[next - 1] : nil
            let lineStart = table.lineStart(of: start, in: bytes)
            if let previous, previous.start >= lineStart || previous.end > start {
                lines[previous.path, default: []] += text
            } else if next < entries.count {
                lines[entries[next].path, default: []] += text
            } else {
                last += text
            }
        }
    }

    /// Adds the comments to a file with the same values. Returns the bytes unchanged if the format has no
    /// comments.
    func added(to bytes: [UInt8], in format: PrefsFileFormat) throws(PrefsError) -> [UInt8] {
        guard !isEmpty, format.hasComments else { return bytes }
        let document = try PrefsDocument(parsing: bytes, as: format)
        var result: [UInt8] = []
        var end = 0
        var table = LineTable()
        for place in EntryPlaces(of: document).places {
            guard let text = lines[place.path] else { continue }
            let start = table.lineStart(of: place.start, in: bytes)
            result += bytes[end..<max(end, start)]
            end = max(end, start)
            let indent = String(decoding: bytes[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
            for line in text { result += Array((indent + Self.comment(line, format) + "\n").utf8) }
        }
        result += bytes[end...]
        for line in last { result += Array((Self.comment(line, format) + "\n").utf8) }
        return result
    }

    /// Returns a line as a comment. Replaces characters that would end an XML comment, or that TOML and YAML do
    /// not allow in a comment.
    private static func comment(_ line: String, _ format: PrefsFileFormat) -> String {
        guard format != .xmlPropertyList else {
            return line.isEmpty ? "<!-- -->" : "<!-- \(XMLSample.comment(line)) -->"
        }
        let text = String(
            String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl && $0 != "\t" ? " " : $0 }))
        return text.isEmpty ? "#" : "# \(text)"
    }
}

/// The places of a document's entries, in the order of the file.
private struct EntryPlaces {
    /// The offsets and the path of each entry. `end` is the end of a scalar, and 0 for a container.
    private(set) var places: [(start: Int, end: Int, path: [PrefsMismatch.Step])] = []

    init(of document: PrefsDocument) {
        collect(document.root, [])
        places.sort { $0.start < $1.start }
    }

    private mutating func collect(_ node: PrefsNode, _ path: [PrefsMismatch.Step]) {
        for (key, child) in node.entries { add(child, path + [.key(key)]) }
        for (index, child) in node.elements.enumerated() { add(child, path + [.index(index)]) }
    }

    private mutating func add(_ node: PrefsNode, _ path: [PrefsMismatch.Step]) {
        let isContainer = node.kind == .dictionary || node.kind == .array
        places.append((node.start, isContainer ? 0 : node.end, path))
        collect(node, path)
    }
}
