/// Changes entries of a JSON object and nothing else: order and layout are preserved.
struct JSONEditor: SurgicalEditor {
    let document: PrefsDocument
    private let layout: TextLayout
    private var patch = TextPatch()

    init(_ document: PrefsDocument) {
        self.document = document
        layout = TextLayout(bytes: document.text.bytes)
    }

    static func edit(_ document: PrefsDocument, _ edits: EditTree) throws(PrefsError) -> [UInt8] {
        var editor = JSONEditor(document)
        try editor.apply(edits)
        return document.encoding.encode(editor.patch.applied(to: document.text.bytes))
    }

    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError) {
        let range = document.nodes[node].range
        var writer = JSONWriter(style: style(of: parent))
        try writer.write(value, indent: layout.lineIndentation(at: range.lowerBound))
        patch.replace(range, with: writer.output)
    }

    mutating func change(
        _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        let children = physicalChildren(of: parent)
        remove(Set(removing), from: children)
        guard !adding.isEmpty else { return }
        guard let last = children.last else { return try fill(parent, adding) }
        let style = style(of: parent)
        let indent = layout.lineIndentation(at: document.text.entryStart(of: document.nodes[last]))
        let separator = Array((style.newline + indent).utf8)
        var text: [UInt8] = removing.count < children.count ? Array(",".utf8) + separator : []
        text += try entries(adding, style, indent: indent)
        patch.insert(text, at: Int(document.nodes[last].end))
    }

    /// Removes entries with one comma each: the preceding one or, for the first entries, the following one.
    private mutating func remove(_ removed: Set<Int>, from children: [Int]) {
        guard !removed.isEmpty else { return }
        var previous: Int?
        var hasKept = false
        for (index, child) in children.enumerated() {
            defer { previous = child }
            guard removed.contains(child) else {
                hasKept = true
                continue
            }
            let start = document.text.entryStart(of: document.nodes[child])
            if hasKept, let previous {
                patch.remove(Int(document.nodes[previous].end)..<Int(document.nodes[child].end))
            } else if index + 1 < children.count {
                patch.remove(start..<document.text.entryStart(of: document.nodes[children[index + 1]]))
            } else {
                patch.remove(start..<Int(document.nodes[child].end))
            }
        }
    }

    /// Fills an empty object, replacing any white space in it.
    private mutating func fill(
        _ parent: Int, _ adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        let style = style(of: parent)
        let range = document.nodes[parent].range
        let outer = layout.lineIndentation(at: range.lowerBound)
        let inner = Array((style.newline + outer + style.unit).utf8)
        let text = try entries(adding, style, indent: outer + style.unit)
        let content = inner + text + Array((style.newline + outer).utf8)
        patch.replace(range.lowerBound + 1..<range.upperBound - 1, with: content)
    }

    private func entries(
        _ adding: [(key: String, value: PrefsValue)], _ style: TextLayout.Style, indent: String
    ) throws(PrefsError) -> [UInt8] {
        var writer = JSONWriter(style: style)
        for (index, entry) in adding.enumerated() {
            if index > 0 { writer.write("," + style.newline + indent) }
            try writer.write(key: entry.key, entry.value, indent: indent)
        }
        return writer.output
    }

    /// Returns the style of the object's own entries, otherwise of the root's, otherwise two spaces.
    private func style(of parent: Int) -> TextLayout.Style {
        for dictionary in [parent, 0] where document.nodes[dictionary].count > 0 {
            let child = document.text.entryStart(of: document.nodes[dictionary + 1])
            return layout.style(parent: document.nodes[dictionary].range.lowerBound, child: child)
        }
        return .init(unit: "  ")
    }
}
