import PrefsSystem

/// The style of text. It has colours on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
struct Style: Sendable {
    enum Colour: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    /// True if the output is a terminal. Columns are then aligned.
    let isTerminal: Bool
    let isColoured: Bool

    static let plain = Style(isTerminal: false, isColoured: false)

    /// The style of standard output, determined once.
    static let output: Style = {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isColoured = isTerminal && environmentVariable("NO_COLOR") == nil && !isDumb
        return Style(isTerminal: isTerminal, isColoured: isColoured)
    }()

    /// True if the terminal understands no control sequences.
    static var isDumb: Bool { environmentVariable("TERM") == "dumb" }
}
