/// The layout of a hand-edited text, so that additions look like the existing content.
struct TextLayout {
    let bytes: [UInt8]

    /// How new text is broken into lines.
    struct Style {
        var unit: String
        var newline = "\n"
        /// The text after the colon of JSON, and after a comma within a line.
        var space = " "

        /// All on one line.
        static let compact = Style(unit: "", newline: "")
    }

    /// The maximum length of an indentation. Without a limit, finding and copying an indentation would take longer
    /// the larger the file is.
    private static let longest = 4096

    /// Returns the white space from the start of the line to the offset; `nil` if anything else precedes it
    /// on its line, or if it is very long.
    func indentation(before offset: Int) -> Range<Int>? {
        var start = offset
        let reach = max(0, offset - Self.longest)
        while start > reach, bytes[start - 1].isIndentation { start -= 1 }
        let isLineStart = start <= TextEncoding.start(of: bytes) || bytes[start - 1] == UInt8(ascii: "\n")
        return isLineStart ? start..<offset : nil
    }

    /// Returns the white space at the start of the offset's line. Lines of thousands of bytes count as not
    /// indented: finding their start would take longer the larger the file is.
    func lineIndentation(at offset: Int) -> String {
        let reach = max(0, offset - Self.longest)
        let lineFeed = bytes[reach..<offset].lastIndex(of: UInt8(ascii: "\n"))
        guard let start = lineFeed.map({ $0 + 1 }) ?? (reach == 0 ? 0 : nil) else { return "" }
        return String(decoding: bytes[start..<offset].prefix { $0.isIndentation }, as: UTF8.self)
    }

    /// Returns the offset after the next line end if only white space precedes it; otherwise `nil`.
    func lineEnd(after offset: Int) -> Int? {
        var end = offset
        while end < bytes.count, bytes[end].isIndentation || bytes[end] == UInt8(ascii: "\r") { end += 1 }
        return end < bytes.count && bytes[end] == UInt8(ascii: "\n") ? end + 1 : nil
    }

    /// Infers the style of a container that begins at `parent` from a child that begins at `child`.
    func style(parent: Int, child: Int) -> Style {
        guard let indentation = indentation(before: child) else { return .compact }
        let outer = lineIndentation(at: parent)
        let inner = String(decoding: bytes[indentation], as: UTF8.self)
        let unit = inner.hasPrefix(outer) ? String(inner.dropFirst(outer.count)) : inner
        return Style(unit: unit, newline: newline(before: indentation.lowerBound))
    }

    /// The end of the first line.
    var firstNewline: String { newline(before: bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) }

    private func newline(before lineStart: Int) -> String {
        lineStart >= 2 && bytes[lineStart - 2] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }
}
