/// Changes entries of an XML property list and nothing else: comments, order and indentation are preserved.
struct XMLEditor: ContainerEditor {
    let document: PrefsDocument
    var patch = TextPatch()

    static let unit = "\t"
    static let separator = ""

    init(_ document: PrefsDocument) { self.document = document }

    static func writer(_ style: TextLayout.Style) -> XMLWriter { XMLWriter(style: style) }

    mutating func change(
        _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        for child in removing { patch.remove(removal(of: child)) }
        guard !adding.isEmpty else { return }
        let dictionary = document.nodes[parent].range
        let isEmptyElement = layout.bytes[dictionary.upperBound - 2] == UInt8(ascii: "/")
        guard !isEmptyElement else { return try expand(parent, adding) }
        let closing =
            document.text.bytes[dictionary].lastIndex(of: UInt8(ascii: "<")) ?? dictionary.upperBound
        if let line = layout.indentation(before: closing) {
            try patch.insert(lines(adding, of: parent), at: line.lowerBound)
        } else if document.nodes[parent].count == 0 {
            try patch.insert(block(adding, in: parent), at: closing)
        } else {
            try patch.insert(entries(adding, .compact, indent: ""), at: closing)
        }
    }

    /// Returns the whole lines of the entry if nothing else is on them, otherwise just the entry.
    private func removal(of child: Int) -> Range<Int> {
        let node = document.nodes[child]
        let start = document.text.entryStart(of: node)
        let end = Int(node.end)
        guard let line = layout.indentation(before: start), let lineEnd = layout.lineEnd(after: end) else {
            return start..<end
        }
        return line.lowerBound..<lineEnd
    }

    /// Expands `<dict/>` to `<dict>…</dict>`.
    private mutating func expand(
        _ parent: Int, _ adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        let end = document.nodes[parent].range.upperBound
        let content = try block(adding, in: parent)
        patch.replace(end - 2..<end, with: Array(">".utf8) + content + Array("</dict>".utf8))
    }
}

extension XMLEditor {
    /// Returns whole lines to be inserted before the line of the closing tag.
    private func lines(
        _ adding: [(key: String, value: PrefsValue)], of parent: Int
    ) throws(PrefsError) -> [UInt8] {
        var style = style(of: parent)
        if style.newline.isEmpty { style = .init(unit: Self.unit) }
        let indent = entryIndentation(in: parent, style)
        let text = try entries(adding, style, indent: indent)
        return Array(indent.utf8) + text + Array(style.newline.utf8)
    }

    /// Returns the indentation of the dictionary's first entry, otherwise one level more than the
    /// dictionary's.
    private func entryIndentation(in parent: Int, _ style: TextLayout.Style) -> String {
        if let start = firstEntry(of: parent), let line = layout.indentation(before: start) {
            return String(decoding: layout.bytes[line], as: UTF8.self)
        }
        return layout.lineIndentation(at: document.nodes[parent].range.lowerBound) + style.unit
    }
}
