/// Finds the comments in a parsed file.
package struct CommentScanner {
    private let bytes: [UInt8]
    /// The start of each comment, and its lines without markup.
    package private(set) var comments: [(start: Int, lines: [String])] = []

    package init(_ document: PrefsDocument) {
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
        /// Finds the comments, which begin with a number sign outside the keys and values of the document.
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

        /// Returns the end of a quoted YAML text on one line.
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
