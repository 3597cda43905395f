import Dispatch
import PrefsSystem

/// The whole terminal while a command draws on it. It uses a screen of its own, without cursor and echo.
///
/// The shell's screen is restored when the command ends: by a key, by `SIGINT`, `SIGTERM` or `SIGHUP`, by an
/// error, or by `exit`. It is also restored while the command is stopped with ^Z.
enum TerminalScreen {
    /// The settings to restore; `nil` while the terminal belongs to the shell.
    private static let shellSettings = Lock<termios?>(nil)

    /// True if standard input and output are a terminal that can be drawn on.
    static var isAvailable: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && Style.output.isTerminal
            && !Style.isDumb
    }

    /// Takes over the terminal.
    static func enter() {
        atexit { TerminalScreen.leave() }
        shellSettings.withLock { shellSettings in
            guard shellSettings == nil else { return }
            var settings = termios()
            guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
            shellSettings = settings
            // ^C and ^Z still send signals.
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
            put("\u{1B}[?1049h\u{1B}[?25l")
        }
    }

    /// Restores the terminal. Further calls do nothing.
    static func leave() {
        shellSettings.withLock { shellSettings in
            guard var settings = shellSettings.take() else { return }
            put("\u{1B}[?25h\u{1B}[?1049l")
            unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        }
    }

    /// Draws a new screen. Does nothing while the terminal belongs to the shell.
    static func draw(_ lines: [TerminalText]) {
        shellSettings.withLock { shellSettings in
            guard shellSettings != nil else { return }
            put("\u{1B}[H" + lines.map { "\($0.text)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
        }
    }

    /// The columns and rows of the terminal.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private static func put(_ text: String) {
        Output.print(bytes: Array(text.utf8))
        Output.flush()
    }
}

/// Calls closures when keys are pressed, when the terminal changes its size, and when the command continues after
/// a stop.
final class TerminalEvents {
    private var sources: [any DispatchSourceProtocol] = []
    private let queue = DispatchQueue(label: "prefs-terminal")

    /// - Parameters:
    ///   - onKeys: Called with the bytes that the user typed; with none at the end of the input.
    ///   - onDraw: Called when everything must be drawn again.
    init(onKeys: @escaping @Sendable ([UInt8]) -> Void, onDraw: @escaping @Sendable () -> Void) {
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        keys.setEventHandler {
            var typed = [UInt8](repeating: 0, count: 64)
            let read = unsafe typed.withUnsafeMutableBufferPointer {
                unsafe readBytes(STDIN_FILENO, into: $0)
            }
            onKeys(Array(typed.prefix((try? read.get()) ?? 0)))
        }
        keys.resume()
        sources.append(keys)
        handle(SIGWINCH, onDraw)
        handle(SIGTSTP) {
            TerminalScreen.leave()
            raise(SIGSTOP)
        }
        handle(SIGCONT) {
            TerminalScreen.enter()
            onDraw()
        }
    }

    private func handle(_ number: CInt, _ body: @escaping @Sendable () -> Void) {
        // The terminal must be restored before the process stops. The other signals are ignored by default.
        if number == SIGTSTP { signal(number, SIG_IGN) }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: body)
        source.resume()
        sources.append(source)
    }

    func cancel() { for source in sources { source.cancel() } }
}
