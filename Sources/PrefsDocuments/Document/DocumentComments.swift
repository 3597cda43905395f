/// The comments of a file, each with the entry it belongs to, for a file in another format.
///
/// A comment belongs to the entry that precedes it on its line, else to the next one, and is written above it.
package struct DocumentComments {
    /// The lines of the comments of each entry. A path consists of keys and, for elements of arrays, indices.
    private var lines: [[PrefsMismatch.Step]: [String]] = [:]
    /// The lines of the comments after the last entry.
    private var last: [String] = []

    /// True if there is no comment.
    package var isEmpty: Bool { lines.isEmpty && last.isEmpty }

    /// Finds the comments of an XML, TOML or YAML file; a file in any other format has none.
    package init(of document: PrefsDocument) {
        let comments = CommentScanner(document).comments
        guard !comments.isEmpty else { return }
        let entries = EntryPlaces(of: document).places
        let bytes = document.text.bytes
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

    /// Returns a file of the same values with the comments; unchanged if its format has none.
    package func added(to bytes: [UInt8], in format: PrefsFileFormat) throws(PrefsError) -> [UInt8] {
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
            let indent = String(decoding: bytes[start...].prefix(while: \.isIndentation), as: UTF8.self)
            for line in text { result += Array((indent + Self.comment(line, format) + "\n").utf8) }
        }
        result += bytes[end...]
        for line in last { result += Array((Self.comment(line, format) + "\n").utf8) }
        return result
    }

    /// Returns a line as a comment. What would end an XML comment, or may not be in one of TOML or
    /// YAML, is changed.
    private static func comment(_ line: String, _ format: PrefsFileFormat) -> String {
        guard format != .xmlPropertyList else {
            return line.isEmpty ? "<!-- -->" : "<!-- \(XMLSample.comment(line)) -->"
        }
        let text = String(
            String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl && $0 != "\t" ? " " : $0 }))
        return text.isEmpty ? "#" : "# \(text)"
    }
}

/// The offsets at which the entries of a document begin, in the order of the file.
private struct EntryPlaces {
    /// `end` is that of a scalar, and 0 for a container.
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
        let raw = node.raw
        let hasKey = raw.keyStart > 0 || raw.keyLength > 0
        let start = hasKey ? node.document.text.entryStart(of: raw) : Int(raw.start)
        places.append((start, raw.isContainer ? 0 : Int(raw.end), path))
        collect(node, path)
    }
}

/// Finds the comments in a file that has been parsed.
struct CommentScanner {
    private let bytes: [UInt8]
    /// The start of each comment, and its lines without markup.
    private(set) var comments: [(start: Int, lines: [String])] = []

    init(_ document: PrefsDocument) {
        bytes = document.text.bytes
        switch document.format {
        case .xmlPropertyList:
            var scanner = XMLScanner(
                DocumentBuilder(document.text, limits: document.limits, isStrict: false))
            scanner.comments = []
            _ = try? scanner.scan()
            for comment in scanner.comments ?? [] {
                add(comment.lowerBound, content: comment.dropFirst(4).dropLast(3))
            }
        case .toml:
            var scanner = TOMLScanner(document.text, limits: document.limits)
            scanner.comments = []
            _ = try? scanner.scanTree()
            for comment in scanner.comments ?? [] { add(comment.lowerBound, content: comment.dropFirst()) }
        #if YAML
            case .yaml: scanYAML(document)
        #endif
        default: break
        }
    }

    private mutating func add(_ start: Int, content: Range<Int>) {
        let lines = bytes[content].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var texts = lines.map { line in
            let start = line.drop(while: Self.isSpace)
            let end = start.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? start.startIndex
            return String(decoding: start[..<end], as: UTF8.self)
        }
        while texts.count > 1, texts.last?.isEmpty == true { texts.removeLast() }
        if texts.count > 1, texts[0].isEmpty { texts.removeFirst() }
        comments.append((start, texts))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

#if YAML
    extension CommentScanner {
        /// Finds what begins with a number sign outside the values and keys of the document.
        fileprivate mutating func scanYAML(_ document: PrefsDocument) {
            var texts: [Range<Int>] = []
            for node in document.nodes {
                if !node.isContainer { texts.append(node.range) }
                guard node.keyLength > 0 else { continue }
                let start = document.text.entryStart(of: node)
                texts.append(
                    start..<(node.flags.contains(.encodedKey)
                        ? endOfQuotes(at: start) : node.keyRange.upperBound)
                )
            }
            texts.sort { $0.lowerBound < $1.lowerBound }
            var next = 0
            var offset = 0
            while offset < bytes.count {
                while next < texts.count, texts[next].upperBound <= offset { next += 1 }
                if next < texts.count, texts[next].contains(offset) {
                    offset = texts[next].upperBound
                } else if bytes[offset] == UInt8(ascii: "#"), offset == 0 || bytes[offset - 1].isBlank {
                    let start = offset
                    offset = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                    add(start, content: start + 1..<offset)
                } else {
                    offset += 1
                }
            }
        }

        /// Returns the end of a text of YAML in quotes on one line.
        private func endOfQuotes(at start: Int) -> Int {
            let quote = bytes[start]
            var end = start + 1
            while end < bytes.count {
                let isPair = end + 1 < bytes.count && bytes[end + 1] == quote && quote == UInt8(ascii: "'")
                if bytes[end] == quote, !isPair { return end + 1 }
                end +=
                    bytes[end] == quote || bytes[end] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
                    ? 2 : 1
            }
            return min(end, bytes.count)
        }
    }
#endif
