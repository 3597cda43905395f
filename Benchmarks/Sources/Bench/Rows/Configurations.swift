import CMeasuring
import LayeredPrefs
import Synchronization

/// Whole configurations, which are valid and of one moment, compared with what a program would write instead.
enum Configurations {
    private static let current = "current"
    private static let part = "part"
    private static let mutex = "Mutex<Settings>"

    static var rows: [Row] {
        [Row("current.read", in: "Reading a configuration of forty fields", "One field of it", measure: read)]
    }

    private static func read(_ turns: inout Turns) throws {
        let layers = try FiveLayers()
        let live = try Live(Settings(), layers.storage)
        let http = try live.part(\.http)
        let table = Mutex(live.current)
        precondition(live.current.http.port == 8443)
        var contenders: [Contender] = [
            .loop(mutex, .floor) { for _ in 0..<$0 { keep(table.withLock { $0 }.http.port) } },
            .loop(current, .ours) { for _ in 0..<$0 { keep(live.current.http.port) } },
            .loop(part, .ours) { for _ in 0..<$0 { keep(http.current.port) } },
        ]
        #if Macros
            let prefs = StackPrefs(layers.storage)
            contenders.append(.loop("@Pref, struct", .ours) { for _ in 0..<$0 { keep(prefs.relay.port) } })
        #endif
        try turns.alternate(contenders)
        turns.expect(current, .atMost, 0.5, mutex)
        turns.expect(current, .allocations, 0)
        turns.expect(part, .atMost, 1.5, current)
        turns.expect(part, .allocations, 0)
    }
}
