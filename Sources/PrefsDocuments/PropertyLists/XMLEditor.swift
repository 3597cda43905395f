/// Changes entries of an XML property list and nothing else: comments, order and indentation are preserved.
struct XMLEditor: SurgicalEditor {
    let document: PrefsDocument
    private let layout: TextLayout
    private var patch = TextPatch()

    init(_ document: PrefsDocument) {
        self.document = document
        layout = TextLayout(bytes: document.text.bytes)
    }

    static func edit(_ document: PrefsDocument, _ edits: EditTree) throws(PrefsError) -> [UInt8] {
        var editor = XMLEditor(document)
        try editor.apply(edits)
        return document.encoding.encode(editor.patch.applied(to: document.text.bytes))
    }

    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError) {
        let range = document.nodes[node].range
        var writer = XMLWriter(style: style(of: parent))
        try writer.write(value, indent: layout.lineIndentation(at: range.lowerBound))
        patch.replace(range, with: writer.output)
    }

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
    /// Returns the new content of a dictionary that was empty.
    private func block(
        _ adding: [(key: String, value: PrefsValue)], in parent: Int
    ) throws(PrefsError) -> [UInt8] {
        let style = style(of: parent)
        let outer = layout.lineIndentation(at: document.nodes[parent].range.lowerBound)
        let inner = Array((style.newline + outer + style.unit).utf8)
        let text = try entries(adding, style, indent: outer + style.unit)
        return inner + text + Array((style.newline + outer).utf8)
    }

    /// Returns whole lines to be inserted before the line of the closing tag.
    private func lines(
        _ adding: [(key: String, value: PrefsValue)], of parent: Int
    ) throws(PrefsError) -> [UInt8] {
        var style = style(of: parent)
        if style.newline.isEmpty { style = .init(unit: "\t") }
        let indent = entryIndentation(in: parent, style)
        let text = try entries(adding, style, indent: indent)
        return Array(indent.utf8) + text + Array(style.newline.utf8)
    }

    private func entries(
        _ adding: [(key: String, value: PrefsValue)], _ style: TextLayout.Style, indent: String
    ) throws(PrefsError) -> [UInt8] {
        var writer = XMLWriter(style: style)
        for (index, entry) in adding.enumerated() {
            if index > 0 { writer.write(style.newline + indent) }
            try writer.write(key: entry.key, entry.value, indent: indent)
        }
        return writer.output
    }

    /// Returns the indentation of the dictionary's first entry, otherwise one level more than the
    /// dictionary's.
    private func entryIndentation(in parent: Int, _ style: TextLayout.Style) -> String {
        if let start = firstEntry(of: parent), let line = layout.indentation(before: start) {
            return String(decoding: layout.bytes[line], as: UTF8.self)
        }
        return layout.lineIndentation(at: document.nodes[parent].range.lowerBound) + style.unit
    }

    /// Returns the style of the dictionary's own entries, otherwise of the root's, otherwise Apple's.
    private func style(of parent: Int) -> TextLayout.Style {
        for dictionary in [parent, 0] {
            guard let child = firstEntry(of: dictionary) else { continue }
            return layout.style(parent: document.nodes[dictionary].range.lowerBound, child: child)
        }
        return .init(unit: "\t")
    }

    private func firstEntry(of parent: Int) -> Int? {
        guard document.nodes[parent].count > 0 else { return nil }
        return document.text.entryStart(of: document.nodes[parent + 1])
    }
}
