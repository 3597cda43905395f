/// Finds out whether removing a dictionary from a file would lose comments, or leave them in another
/// dictionary's part of the file.
package struct SectionComments {
    private let document: PrefsDocument
    private let layout: TextLayout
    /// The starts of the comments.
    private let comments: [Int]
    private let places: Places

    private enum Places {
        case xml
        /// The starts of the headers, ascending.
        case toml(TOMLTree, headers: [Int])
        #if YAML
            case yaml(YAMLTree, [YAMLPlace]?)
        #endif
    }

    /// Creates the list of a file's comments; `nil` if there are none, or if its format has none.
    package init?(of document: PrefsDocument) {
        let comments = CommentScanner(document).comments.map(\.start)
        guard !comments.isEmpty else { return nil }
        switch document.format.name {
        case .xml: places = .xml
        case .toml:
            var scanner = TOMLScanner(document.text, limits: document.limits, wantsEntryStarts: true)
            guard let tree = try? scanner.scanTree() else { return nil }
            let headers = (0..<tree.count).filter {
                $0 > 0 && [.header, .element].contains(tree.form(of: $0))
            }
            places = .toml(tree, headers: headers.map { tree.entryStart(of: $0) }.sorted())
        #if YAML
            case .yaml:
                var scanner = YAMLScanner(document.text, limits: document.limits, wantsPlaces: true)
                guard let (tree, places) = try? scanner.scanTree() else { return nil }
                self.places = .yaml(tree, places)
        #else
            case .yaml: return nil
        #endif
        case .json, .binary: return nil
        }
        (self.document, self.comments) = (document, comments)
        layout = TextLayout(bytes: document.text.bytes)
    }

    /// Returns true if a dictionary's part of the file has comments, other than the comments that go with its
    /// removed entries.
    package func areThere(in dictionary: PrefsNode, without removed: (String) -> Bool) -> Bool {
        guard dictionary.kind == .dictionary, dictionary.index > 0, let part = part(of: dictionary.index)
        else { return false }
        let entries = DocumentChildren(of: dictionary.index, in: document.nodes).filter { child in
            removed(document.text.key(of: document.nodes[child]))
        }.flatMap(lines)
        return comments.contains { comment in
            part.contains(comment) && !entries.contains { $0.contains(comment) }
        }
    }

    /// Returns the part of the file that belongs to a dictionary alone, with the comments after its last entry.
    private func part(of dictionary: Int) -> Range<Int>? {
        let range = document.nodes[dictionary].range
        switch places {
        case .xml: return range
        case .toml(let tree, let headers):
            switch tree.form(of: dictionary) {
            case .value: return range
            case .header, .element:
                let start = tree.entryStart(of: dictionary)
                let next = headers.first { $0 > start } ?? layout.bytes.count
                // A comment right above the next header belongs to that header if a blank line precedes the
                // comment.
                let comment = next < layout.bytes.count ? layout.startOfComments(before: next) : next
                return start..<(layout.isBlankLine(before: comment) ? comment : next)
            case .dotted, .implied, .tables: return nil
            }
        #if YAML
            case .yaml(let tree, let places):
                let place = places?[dictionary] ?? YAMLPlace(item: dictionary, isExpanded: false)
                guard !place.isExpanded, tree.form(of: place.item) == .block else { return nil }
                let start = Int(tree.place(of: place.item).entryStart)
                let end = layout.endOfLine(at: tree.end(of: place.item))
                return start..<layout.endOfComments(after: end, indentedMoreThan: layout.column(of: start))
        #endif
        }
    }

    /// Returns the ranges that go with an entry when it is removed.
    private func lines(of entry: Int) -> [Range<Int>] {
        let start = document.text.entryStart(of: document.nodes[entry])
        switch places {
        case .xml: return [start..<Int(document.nodes[entry].end)]
        case .toml(let tree, _):
            guard tree.form(of: entry) != .value else {
                return [tree.entryStart(of: entry)..<layout.endOfLine(at: Int(tree[entry].end))]
            }
            return tree.form(of: entry) == .dotted ? tree.children(of: entry).flatMap(lines) : []
        #if YAML
            case .yaml(let tree, let places):
                let place = places?[entry] ?? YAMLPlace(item: entry, isExpanded: false)
                return place.isExpanded ? [] : [start..<layout.endOfLine(at: tree.end(of: place.item))]
        #endif
        }
    }
}

#if YAML
    extension TextLayout {
        /// Returns the number of bytes between the start of the offset's line, or a byte order mark, and the offset.
        func column(of offset: Int) -> Int {
            let line = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            return offset - (line ?? min(TextEncoding.start(of: bytes), offset))
        }

        /// Returns the end of the comment lines that follow a line start and are indented by more than `column`
        /// bytes, with blank lines between them; the line start itself if there are none.
        func endOfComments(after offset: Int, indentedMoreThan column: Int) -> Int {
            var (end, line) = (offset, offset)
            while line < bytes.count {
                let next = endOfLine(at: line)
                let text = bytes[line..<next].drop(while: \.isBlank)
                if text.first == UInt8(ascii: "#"), text.startIndex - line > column {
                    end = next
                } else if !text.isEmpty {
                    break
                }
                line = next
            }
            return end
        }
    }
#endif
