import PrefsSystem

/// How text looks on a terminal: coloured, unless `NO_COLOR` is set, the terminal is dumb, or it is a pipe.
struct Style: Sendable {
    enum Colour: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// Whether a person looks at it, so that columns line up.
    let isTerminal: Bool
    let isColoured: Bool

    static let plain = Style(isTerminal: false, isColoured: false)

    /// Standard output's, found out once.
    static let output: Style = {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isColoured = isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
        return Style(isTerminal: isTerminal, isColoured: isColoured)
    }()

    func callAsFunction(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    private static func variable(_ name: String) -> String {
        guard let value = unsafe getenv(name) else { return "" }
        return unsafe String(cString: value)
    }
}
