import LayeredPrefs
import PrefsSystem

/// The value of `prefs set KEY -`, which so appears on no command line: what standard input contains, or, from a
/// terminal, a line that is not shown while it is typed.
enum SecretInput {
    /// Reads the value; a line break at its end is not part of it.
    static func read(for key: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try text(of: bytes(), for: key) }
        defer { Output.prompt("\n") }
        let line = try withoutEcho {
            // Asked for when nothing is shown any more, because what was typed before is discarded.
            Output.prompt("Value of \(key): ")
            return try text(of: bytes(untilLineEnd: true), for: key)
        }
        // ^C, which is no signal meanwhile, so that the terminal is always restored.
        if line.contains("\u{3}") { throw CommandFailure.failed("\(key): cancelled") }
        return line
    }

    private static func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return try body() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        return try body()
    }

    private static func text(of bytes: [UInt8], for key: String) throws -> String {
        if bytes.isEmpty {
            throw CommandFailure.failed(
                "\(key): standard input is empty, so nothing was stored; expected the value there, as from '< FILE' or "
                    + "'COMMAND |'; to store an empty value, write '' instead of -")
        }
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure.failed("standard input is not UTF-8")
        }
        return text
    }

    /// Returns what standard input contains, or its first line.
    static func bytes(untilLineEnd: Bool = false) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while all.count <= PrefsLimits.standard.fileSize {
            let read = unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe readBytes(STDIN_FILENO, into: $0)
            }
            guard case .success(let count) = read else {
                throw CommandFailure.failed("cannot read standard input")
            }
            all += buffer[..<count]
            // A terminal gives one line at a time; ^C does not end it.
            let isLine = all.last == UInt8(ascii: "\n") || all.contains(3)
            if count == 0 || untilLineEnd && isLine { return all }
        }
        throw CommandFailure.failed("standard input is longer than any file may be")
    }
}
