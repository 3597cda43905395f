import LayeredPrefs
import PrefsSystem

/// Standard output and standard error, written in whole lines of ``TerminalText``.
///
/// Standard output is buffered until ``flush()``, so that most commands need one system call. A command that
/// streams flushes after each line.
enum Output {
    private struct State {
        var pending: [UInt8] = []
        /// True if output was lost, for example because the disk is full. Nothing is written after that.
        var hasFailed = false
    }

    private static let state = Lock(State())

    static func print(_ line: TerminalText) { print(bytes: Array("\(line.text)\n".utf8)) }

    @_disfavoredOverload
    static func print(_ line: String) { print(TerminalText(line)) }

    /// Prints a value exactly, for scripts. On a terminal, control characters are escaped.
    static func print(value text: String) {
        print(bytes: Array("\(Style.output.isTerminal ? TerminalText(lines: text).text : text)\n".utf8))
    }

    static func print(bytes content: [UInt8]) {
        state.withLock { $0.pending.append(contentsOf: content) }
    }

    /// Prints a JSON value on one line.
    static func print(_ json: OrderedJSON) { print(json.text) }

    /// Prints a JSON array with one element per line, which people and line-based tools can read.
    static func print(_ elements: [OrderedJSON]) {
        guard !elements.isEmpty else { return print("[]") }
        print("[")
        for (index, element) in elements.enumerated() {
            print("  \(element.text)\(index < elements.count - 1 ? "," : "")")
        }
        print("]")
    }

    /// Prints a message to standard error. Flushes standard output first, to keep the order.
    static func complain(_ line: TerminalText) { prompt(line + "\n") }

    /// Prints a warning to standard error.
    static func warn(_ text: TerminalText) { complain("prefs: warning: \(text)") }

    /// Prints a part of a line to standard error, for a person to read.
    static func prompt(_ text: TerminalText) {
        flush()
        _ = put(Array(text.text.utf8), to: STDERR_FILENO)
    }

    /// Writes the buffered output. Returns false if that fails or has failed before.
    @discardableResult
    static func flush() -> Bool {
        state.withLock { state in
            defer { state.pending.removeAll() }
            if !state.hasFailed { state.hasFailed = !put(state.pending, to: STDOUT_FILENO) }
            return !state.hasFailed
        }
    }

    private static func put(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        (try? writeAll(bytes, to: descriptor)) != nil
    }
}
