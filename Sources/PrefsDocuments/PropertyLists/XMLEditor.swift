/// Changes entries of an XML property list and nothing else: comments, order and indentation are preserved.
struct XMLEditor: ContainerEditor {
    let document: PrefsDocument
    var patch = TextPatch()
    var elementEdits = ElementEdits()

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

    /// Returns the whole lines of the entry if nothing else is on them, or else just the entry.
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

    /// Returns the indentation of the dictionary's first entry, or else the dictionary's own indentation plus one
    /// level.
    private func entryIndentation(in parent: Int, _ style: TextLayout.Style) -> String {
        if let start = firstEntry(of: parent), let line = layout.indentation(before: start) {
            return String(decoding: layout.bytes[line], as: UTF8.self)
        }
        return layout.lineIndentation(at: document.nodes[parent].range.lowerBound) + style.unit
    }
}

extension XMLEditor {
    mutating func changeElements(of array: Int, _ changes: ArrayChanges) throws(PrefsError) -> Bool {
        let children = physicalChildren(of: array)
        let ranges = children.map { document.nodes[$0].range }
        for (index, value) in changes.changed {
            try changeElement(children[index], of: array, to: value)
        }
        for index in changes.removed { patch.remove(lines(of: ranges[index]) ?? ranges[index]) }
        let style = elementStyle(of: array)
        for (previous, values) in changes.added {
            let range = ranges[previous ?? 0]
            let lines = lines(of: range)
            let indent = lines == nil ? "" : layout.lineIndentation(at: range.lowerBound)
            var text: [UInt8] = []
            for value in values {
                var writer = Self.writer(
                    lines == nil ? .compact : self.style(ofElementBeside: children[previous ?? 0], in: array))
                try writer.write(value, indent: indent)
                text += indent.utf8 + writer.output + (lines == nil ? "" : style.newline).utf8
            }
            let place = lines ?? range
            patch.insert(text, at: previous == nil ? place.lowerBound : place.upperBound)
        }
        return true
    }

    /// Returns the lines of an element, with the comments above and after it; `nil` if anything else is on them.
    private func lines(of element: Range<Int>) -> Range<Int>? {
        let end = layout.endOfLine(at: element.upperBound)
        guard let indentation = layout.indentation(before: element.lowerBound), end < layout.bytes.count,
            isBlankOrComment(element.upperBound..<end)
        else { return nil }
        var start = indentation.lowerBound
        while start > 0 {
            let previous =
                layout.bytes[..<(start - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let isBlank = layout.bytes[previous..<start].allSatisfy(\.isBlank)
            guard !isBlank, isBlankOrComment(previous..<start) else { break }
            start = previous
        }
        return start..<end
    }

    /// Returns true if a part of one line is blank or a comment.
    private func isBlankOrComment(_ range: Range<Int>) -> Bool {
        let text = layout.bytes[range].drop(while: \.isBlank)
        guard let last = text.lastIndex(where: { !$0.isBlank }) else { return true }
        return text.starts(with: "<!--".utf8) && text[...last].suffix(3).elementsEqual("-->".utf8)
    }
}
