/// Edits a format whose dictionaries enclose their entries: XML or JSON.
protocol ContainerEditor: SurgicalEditor {
    associatedtype Writer: EntryWriter

    /// The indentation of one level in a file without entries.
    static var unit: String { get }
    /// The text between two entries, apart from white space.
    static var separator: String { get }

    /// Returns a writer that follows the layout of the file.
    static func writer(_ style: TextLayout.Style) -> Writer
}

/// Writes the values of a format whose lines are indented.
protocol EntryWriter {
    var output: [UInt8] { get set }

    /// Writes a value. `indent` is the indentation of its line; nested lines are indented further.
    mutating func write(_ value: PrefsValue, indent: String) throws(PrefsError)
    /// Writes a dictionary's entry.
    mutating func write(key: String, _ value: PrefsValue, indent: String) throws(PrefsError)
}

extension EntryWriter {
    mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }
}

extension ContainerEditor {
    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError) {
        let range = document.nodes[node].range
        var writer = Self.writer(style(of: parent))
        try writer.write(value, indent: layout.lineIndentation(at: range.lowerBound))
        patch.replace(range, with: writer.output)
    }

    mutating func replaceElement(_ node: Int, of array: Int, with value: PrefsValue) throws(PrefsError) {
        let range = document.nodes[node].range
        var writer = Self.writer(elementStyle(of: array))
        try writer.write(value, indent: layout.lineIndentation(at: range.lowerBound))
        patch.replace(range, with: writer.output)
    }

    /// Returns the style of an array that has elements.
    func elementStyle(of array: Int) -> TextLayout.Style {
        let (start, first) = (Int(document.nodes[array].start), document.nodes[array + 1])
        var style = layout.style(parent: start, child: Int(first.start))
        let isOnly = Int(first.next) == Int(document.nodes[array].next)
        // The same space as between the first two elements, or else as after the array's key.
        let next = isOnly ? start : Int(document.nodes[Int(first.next)].start)
        style.space = next > 0 && document.text.bytes[next - 1].isBlank ? " " : ""
        return style
    }

    /// Returns the style of a new element. The element takes one line if its neighbour is a container on one line.
    func style(ofElementBeside element: Int, in array: Int) -> TextLayout.Style {
        let node = document.nodes[element]
        guard node.isContainer, node.count > 0,
            !document.text.bytes[node.range].contains(UInt8(ascii: "\n"))
        else { return elementStyle(of: array) }
        return node.kind == .array ? elementStyle(of: element) : style(of: element)
    }

    /// Returns the new content of a dictionary that was empty.
    func block(
        _ adding: [(key: String, value: PrefsValue)], in parent: Int
    ) throws(PrefsError) -> [UInt8] {
        let style = style(of: parent)
        if style.newline.isEmpty { return try entries(adding, style, indent: "") }
        let outer = layout.lineIndentation(at: document.nodes[parent].range.lowerBound)
        let inner = Array((style.newline + outer + style.unit).utf8)
        let text = try entries(adding, style, indent: outer + style.unit)
        return inner + text + Array((style.newline + outer).utf8)
    }

    /// Returns the white space between two entries: a new line, or a space in a container on one line.
    func separation(_ style: TextLayout.Style, _ indent: String) -> String {
        style.newline.isEmpty ? (Self.separator.isEmpty ? "" : style.space) : style.newline + indent
    }

    func entries(
        _ adding: [(key: String, value: PrefsValue)], _ style: TextLayout.Style, indent: String
    ) throws(PrefsError) -> [UInt8] {
        var writer = Self.writer(style)
        for (index, entry) in adding.enumerated() {
            if index > 0 { writer.write(Self.separator + separation(style, indent)) }
            try writer.write(key: entry.key, entry.value, indent: indent)
        }
        return writer.output
    }

    /// Returns the style of the dictionary's own entries. If it has none, returns the style of the innermost
    /// container around it that has entries, or else the default style.
    func style(of parent: Int) -> TextLayout.Style {
        var container = parent
        while true {
            if document.nodes[container].kind == .array, container < parent {
                return elementStyle(of: container)
            }
            if let child = firstEntry(of: container) {
                var style = layout.style(parent: document.nodes[container].range.lowerBound, child: child)
                let value = Int(document.nodes[container + 1].start)
                style.space = value > 0 && document.text.bytes[value - 1].isBlank ? " " : ""
                return style
            }
            // The nearest container before this one that ends after its start is the container around it.
            let around = document.nodes[..<container].lastIndex { Int($0.next) > container }
            guard let around else { return TextLayout.Style(unit: Self.unit) }
            container = around
        }
    }

    func firstEntry(of parent: Int) -> Int? {
        guard document.nodes[parent].count > 0 else { return nil }
        return document.text.entryStart(of: document.nodes[parent + 1])
    }
}
