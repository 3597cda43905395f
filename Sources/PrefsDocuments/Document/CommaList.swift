/// A list in brackets whose elements are separated by commas, perhaps on lines of their own, with comments that begin
/// with a number sign.
///
/// A comment above an element, or after it on its line, belongs to the element.
struct CommaList {
    let layout: TextLayout
    /// The ranges of the elements, ascending.
    let elements: [Range<Int>]
    let newline: String
    /// The text after a comma within a line.
    var space = " "

    /// Returns the replacements that remove and add elements; `nil` if a comment would be lost or change its place.
    func replacements(
        removing removed: [Int], adding added: [(previous: Int?, texts: [String])]
    ) -> [(range: Range<Int>, text: String)]? {
        guard var replacements = removals(of: removed) else { return nil }
        for (previous, texts) in added {
            if let previous {
                replacements += insertions(of: texts, after: previous)
            } else {
                replacements.append(insertionAtStart(of: texts))
            }
        }
        return replacements
    }

    private func removals(of removed: [Int]) -> [(range: Range<Int>, text: String)]? {
        if removed.isEmpty { return [] }
        let isRemoved = Set(removed)
        let ownLines = removed.compactMap { lines(of: $0) }
        guard ownLines.count == removed.count else {
            let ranges = TextPatch.removals(of: elements) { isRemoved.contains($0) }
            let hasComments = ranges.contains { layout.bytes[$0].contains(UInt8(ascii: "#")) }
            return hasComments ? nil : ranges.map { ($0, "") }
        }
        var ranges = ownLines
        // Without this, the comma after the last element that stays would become a trailing comma.
        let last = elements.count - 1
        if isRemoved.contains(last), comma(after: last) == nil,
            let kept = elements.indices.last(where: { !isRemoved.contains($0) }),
            let comma = comma(after: kept)
        {
            ranges.append(comma..<comma + 1)
        }
        return ranges.map { ($0, "") }
    }

    /// Returns the lines of an element and its comments; `nil` if the lines contain anything else.
    private func lines(of index: Int) -> Range<Int>? {
        let element = elements[index]
        guard layout.indentation(before: element.lowerBound) != nil, let end = lineEnd(after: index) else {
            return nil
        }
        return layout.startOfComments(before: element.lowerBound)..<end
    }

    private func insertions(of texts: [String], after index: Int) -> [(range: Range<Int>, text: String)] {
        let end = elements[index].upperBound
        guard let indentation = layout.indentation(before: elements[index].lowerBound),
            let line = lineEnd(after: index)
        else { return [(end..<end, texts.map { "," + space + $0 }.joined())] }
        let indent = String(decoding: layout.bytes[indentation], as: UTF8.self)
        let lines = texts.map { indent + $0 }.joined(separator: "," + newline)
        if comma(after: index) != nil { return [(line..<line, lines + "," + newline)] }
        return [(end..<end, ","), (line..<line, lines + newline)]
    }

    private func insertionAtStart(of texts: [String]) -> (range: Range<Int>, text: String) {
        let start = elements[0].lowerBound
        guard let indentation = layout.indentation(before: start) else {
            return (start..<start, texts.map { $0 + "," + space }.joined())
        }
        let indent = String(decoding: layout.bytes[indentation], as: UTF8.self)
        let place = layout.startOfComments(before: start)
        return (place..<place, texts.map { indent + $0 + "," + newline }.joined())
    }

    /// Returns the offset of the comma after an element.
    private func comma(after index: Int) -> Int? {
        var offset = elements[index].upperBound
        while offset < layout.bytes.count {
            if layout.bytes[offset] == UInt8(ascii: "#") {
                offset = layout.endOfLine(at: offset)
            } else if layout.bytes[offset].isBlank {
                offset += 1
            } else {
                return layout.bytes[offset] == UInt8(ascii: ",") ? offset : nil
            }
        }
        return nil
    }

    /// Returns the end of an element's line if only its comma and a comment follow the element there.
    private func lineEnd(after index: Int) -> Int? {
        let line = layout.endOfLine(at: elements[index].upperBound)
        var rest = layout.bytes[elements[index].upperBound..<line].drop(while: \.isBlank)
        if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst().drop(while: \.isBlank) }
        // A comma on another line would be lost.
        let isSeparated = comma(after: index).map { $0 < line } ?? true
        return isSeparated && line < layout.bytes.count && (rest.isEmpty || rest.first == UInt8(ascii: "#"))
            ? line : nil
    }
}
