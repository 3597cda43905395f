import LayeredPrefs
import PrefsSystem

/// The input of `prefs set KEY -`, which keeps a secret off the command line. It is read from standard input; on a
/// terminal, it is one line that is not shown while the user types it.
enum SecretInput {
    /// Reads the value, without the line break at its end.
    static func read(for key: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try text(of: bytes(), for: key) }
        defer { Output.prompt("\n") }
        let line = try withoutEcho {
            // Ask only after the echo is off: turning it off discards everything that was typed before.
            Output.prompt("Value of \(key): ")
            return try text(of: bytes(untilLineEnd: true), for: key)
        }
        // ^C arrives as a character here, because signals are off until the terminal is restored.
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

    /// Returns all bytes of standard input, or its first line.
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
            // A terminal delivers one line at a time. ^C does not end a line.
            let isLine = all.last == UInt8(ascii: "\n") || all.contains(3)
            if count == 0 || untilLineEnd && isLine { return all }
        }
        throw CommandFailure.failed("standard input is longer than any file may be")
    }
}
