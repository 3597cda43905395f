import FoundationEssentials
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

extension LiveProcess {
    /// Shows the keys of the process in a live table until `q` or a signal.
    func showTable(of keys: [String]) throws {
        let end = EndSignal(includesHangUp: true)
        let table = LiveTable(
            title: "\(client.socket.domain) · process \(client.socket.pid) · the values that it uses")
        try table.run(until: end) {
            let keys = try holders(of: keys)
            for report in try list(nil) where isWanted(report.key, keys) {
                table.set(report.key, .init(report))
            }
            let isStarted = BackgroundThread.start(named: "prefs-watch") { follow(keys, table) }
            if !isStarted { throw PrefsError(.busy, reason: "cannot start a thread") }
        }
    }

    private func follow(_ keys: [String], _ table: LiveTable) {
        do {
            try client.follow(InspectionRequest(.watch)) { reply in
                guard let changes = reply.changes else { return true }
                let clock = LiveTable.clock(Date())
                for name in (changes.keys ?? []) + (changes.shadowed ?? []) where isWanted(name, keys) {
                    let reports = try list(name)
                    for report in reports { table.set(report.key, .init(report, changed: clock)) }
                    if reports.isEmpty {
                        table.set(name, .init(value: "not set", source: "", changed: clock))
                    }
                }
                table.draw()
                return true
            }
            table.note("the process has ended; q quits")
        } catch {
            table.note("\(error); q quits")
        }
    }

    /// Replaces each part of a declared key by the key itself, because the process reports changes of whole
    /// declared keys.
    func holders(of keys: [String]) throws -> [String] {
        try keys.map { key in try list(key).map(\.key).first { !$0.isBelow(key) } ?? key }
    }

    func isWanted(_ name: String, _ keys: [String]) -> Bool {
        keys.isEmpty || keys.contains { name.isBelow($0) }
    }
}

extension WatchTable.Row {
    fileprivate init(_ report: InspectionReply.Key, changed: String? = nil) {
        self.init(
            value: TerminalText(report.isSecret ? SecretPaths.mask : report.shown ?? "not set"),
            source: TerminalText(report.origin ?? (report.value == nil ? "" : "default")), changed: changed)
    }
}
