import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// The live table that `prefs watch` shows on a terminal.
final class LiveTable: WatchPrinter {
    private let table: Lock<WatchTable>

    init(title: TerminalText) {
        var table = WatchTable()
        table.title = title
        self.table = Lock(table)
    }

    /// Takes over the terminal, runs `body`, waits for `q` or a signal, and restores the terminal.
    func run(until end: EndSignal, _ body: () throws -> Void) rethrows {
        TerminalScreen.enter()
        defer { TerminalScreen.leave() }
        let events = TerminalEvents(
            onKeys: { [self, trigger = end.trigger] in press($0, trigger) }, onDraw: { [self] in draw() })
        defer { events.cancel() }
        try body()
        draw()
        end.wait()
    }

    func print(_ change: WatchedChange, at time: Date) {
        let isFirst = change.cause == .start
        let row = WatchTable.Row(
            value: TerminalText(change.shown(change.new) ?? "not set"),
            source: TerminalText(change.origin?.place ?? (change.new == nil ? "" : "default")),
            changed: isFirst ? nil : Self.clock(time))
        table.withLock { $0.set(change.key, row) }
        if !isFirst { draw() }
    }

    func print(_ diagnostic: PrefsDiagnostic) { note("\(diagnostic)") }

    func printReady(_ stack: Stack) { draw() }

    func set(_ key: String, _ row: WatchTable.Row) { table.withLock { $0.set(key, row) } }

    /// Shows a line below the table.
    func note(_ text: String) {
        table.withLock { $0.footer = TerminalText(text) }
        draw()
    }

    func draw() {
        let size = TerminalScreen.size
        table.withLock { table in
            TerminalScreen.draw(table.lines(width: size.width, height: size.height, .output))
        }
    }

    static func clock(_ time: Date) -> String {
        var local = unsafe tm()
        var seconds = time_t(time.timeIntervalSince1970)
        unsafe localtime_r(&seconds, &local)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return unsafe [local.tm_hour, local.tm_min, local.tm_sec].map(two).joined(separator: ":")
    }

    private func press(_ keys: [UInt8], _ end: () -> Void) {
        let height = TerminalScreen.size.height
        switch String(decoding: keys, as: UTF8.self) {
        case "", "q", "Q", "\u{4}": return end()
        case "\u{1B}[A", "k": scroll(-1, height)
        case "\u{1B}[B", "j": scroll(1, height)
        case "\u{1B}[5~": scroll(2 - height, height)
        case "\u{1B}[6~", " ": scroll(height - 2, height)
        default: break
        }
    }

    private func scroll(_ count: Int, _ height: Int) {
        table.withLock { $0.scroll(by: count, height: height) }
        draw()
    }
}
