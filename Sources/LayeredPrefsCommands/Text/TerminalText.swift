import LayeredPrefs

/// Text for a terminal. Interpolated text can neither control the terminal nor begin another line.
///
/// ``Output`` prints only such text, whole JSON values, and the exact bytes of values and files. Text from a file,
/// a path or an argument is escaped when it is interpolated. Only ``Style`` adds terminal controls.
///
/// ```swift
/// Output.print("\(style(key, .bold)): \(value)")
/// ```
struct TerminalText: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String

    /// Creates a text of one line. Control characters are escaped.
    init(_ text: String) { self.text = text.printable }

    /// Creates a text that keeps its lines and tabs. Other control characters are escaped.
    init(lines text: String) {
        self.text = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
            .map { $0.map { String($0).printable }.joined(separator: "\t") }.joined(separator: "\n")
    }

    fileprivate init(verbatim text: String) { self.text = text }

    /// Creates a text from a literal in the program.
    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ part: TerminalText) { text += part.text }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description.printable
        }
    }

    /// The number of columns, provided each character takes one column.
    var count: Int { text.count }

    /// Returns the first characters. The text must not contain colours.
    func prefix(_ length: Int) -> TerminalText { TerminalText(verbatim: String(text.prefix(length))) }

    static func + (lhs: TerminalText, rhs: TerminalText) -> TerminalText {
        TerminalText(verbatim: lhs.text + rhs.text)
    }
}

extension [TerminalText] {
    func joined(separator: TerminalText = "") -> TerminalText {
        TerminalText(verbatim: map(\.text).joined(separator: separator.text))
    }
}

extension Style {
    /// Returns the text in a colour, if the output is coloured.
    func callAsFunction(_ text: TerminalText, _ colour: Colour?) -> TerminalText {
        guard isColoured, let colour, text.count > 0 else { return text }
        return TerminalText(verbatim: "\u{1B}[\(colour.rawValue)m\(text.text)\u{1B}[0m")
    }

    @_disfavoredOverload
    func callAsFunction(_ text: String, _ colour: Colour?) -> TerminalText {
        self(TerminalText(text), colour)
    }
}
