/// Changes entries of a JSON object and nothing else: order and layout are preserved.
struct JSONEditor: ContainerEditor {
    let document: PrefsDocument
    var patch = TextPatch()
    var elementEdits = ElementEdits()

    static let unit = "  "
    static let separator = ","

    init(_ document: PrefsDocument) { self.document = document }

    static func writer(_ style: TextLayout.Style) -> JSONWriter {
        JSONWriter(
            style: style, breaking: style.newline.isEmpty ? [] : [.arrays, .objects], space: style.space)
    }

    mutating func change(
        _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        let children = physicalChildren(of: parent)
        if !removing.isEmpty {
            let members = children.map { child in
                document.text.entryStart(of: document.nodes[child])..<Int(document.nodes[child].end)
            }
            let removed = Set(removing)
            for range in TextPatch.removals(of: members, where: { removed.contains(children[$0]) }) {
                patch.remove(range)
            }
        }
        guard !adding.isEmpty else { return }
        guard let last = children.last else {
            // The new entries replace white space in the empty object.
            let range = document.nodes[parent].range
            return try patch.replace(
                range.lowerBound + 1..<range.upperBound - 1, with: block(adding, in: parent))
        }
        let style = style(of: parent)
        let indent = layout.lineIndentation(at: document.text.entryStart(of: document.nodes[last]))
        let separator = Array(separation(style, indent).utf8)
        var text: [UInt8] = removing.count < children.count ? Array(",".utf8) + separator : []
        text += try entries(adding, style, indent: indent)
        patch.insert(text, at: Int(document.nodes[last].end))
    }

    mutating func changeElements(of array: Int, _ changes: ArrayChanges) throws(PrefsError) -> Bool {
        let children = physicalChildren(of: array)
        let ranges = children.map { document.nodes[$0].range }
        for (index, value) in changes.changed {
            try changeElement(children[index], of: array, to: value)
        }
        let removed = Set(changes.removed)
        for range in TextPatch.removals(of: ranges, where: removed.contains) { patch.remove(range) }
        let style = elementStyle(of: array)
        for (previous, values) in changes.added {
            let range = ranges[previous ?? 0]
            let indent = layout.lineIndentation(at: range.lowerBound)
            let separator = Self.separator + separation(style, indent)
            var text: [UInt8] = []
            for value in values {
                var writer = Self.writer(self.style(ofElementBeside: children[previous ?? 0], in: array))
                try writer.write(value, indent: indent)
                text += previous == nil ? writer.output + separator.utf8 : separator.utf8 + writer.output
            }
            patch.insert(text, at: previous == nil ? range.lowerBound : range.upperBound)
        }
        return true
    }
}
