import CMeasuring
import LayeredPrefs

/// Two threads that read concurrently, compared with two threads that share nothing.
enum ThreadedReads {
    static let group = "Two threads at once"
    static let apart = "two threads of independent work"
    static let unit = "× one thread"
    static let how = """
        rate of two threads divided by the rate of one, by the wall clock, in samples of 0.5 ms while the \
        kernel preempted neither; the maximum is 2
        """

    static var rows: [Row] {
        var rows = [
            Row("threads.typed", in: group, "Typed keys, Int", unit: unit, how: how) { turns in
                let layers = try FiveLayers()
                let storage = layers.storage
                try compare(&turns, "typed key") { for _ in 0..<$0 { keep(storage.get(.port)) } }
            },
            Row("threads.string", in: group, "Typed keys, String", unit: unit, how: how) {
                turns in
                let layers = try FiveLayers()
                let storage = layers.storage
                try compare(&turns, "typed key", goal: nil) {
                    for _ in 0..<$0 { keep(storage.get(.host)) }
                }
            },
            Row("threads.current", in: group, "A configuration of forty fields", unit: unit, how: how) {
                turns in
                let layers = try FiveLayers()
                let live = try Live(Settings(), layers.storage)
                try compare(&turns, "current") { for _ in 0..<$0 { keep(live.current.http.port) } }
            },
        ]
        #if Macros
            rows.append(
                Row("threads.pref", in: group, "@Pref, Int", unit: unit, how: how) { turns in
                    let layers = try FiveLayers()
                    let prefs = StackPrefs(layers.storage)
                    let plain = Plain(seed: 1)
                    try compare(
                        &turns, "@Pref",
                        others: [
                            ("plain @Observable", { for _ in 0..<$0 { keep(plain.int) } })
                        ]
                    ) { for _ in 0..<$0 { keep(prefs.int) } }
                })
            rows.append(
                Row("threads.pref-string", in: group, "@Pref, String of 47 bytes", unit: unit, how: how) {
                    turns in
                    let layers = try FiveLayers()
                    let prefs = StackPrefs(layers.storage)
                    let plain = Plain(seed: 1)
                    try compare(
                        &turns, "@Pref", goal: nil,
                        others: [
                            (
                                "plain @Observable",
                                { for _ in 0..<$0 { keep(plain.long) } }
                            )
                        ]
                    ) { for _ in 0..<$0 { keep(prefs.long) } }
                })
        #endif
        return rows
    }

    private typealias Work = @Sendable (Int) -> Void

    private static func compare(
        _ turns: inout Turns, _ name: String, goal: Double? = 0.9, others: [(String, Work)] = [],
        _ work: @escaping Work
    ) throws {
        let table = LockedTable(100)
        let works: [(String, Figure.Role, Work)] =
            [
                (apart, .floor, independent),
                (name, .ours, work),
                (
                    TypedReads.keyedLookup, .floor,
                    { @Sendable in for _ in 0..<$0 { keep(table.value(for: "http.port")) } }
                ),
            ] + others.map { ($0.0, .floor, $0.1) }
        let counts = works.map { Threads.turns(of: $0.2) }
        var gains = works.map { _ in [Double]() }
        let end = bench_time() + 15_000_000_000
        while bench_time() < end, gains.contains(where: { $0.count < 21 }) {
            for index in works.indices {
                if let gain = Threads.gain(turns: counts[index], works[index].2) { gains[index].append(gain) }
            }
        }
        for (work, gains) in zip(works, gains) { turns.add(work.0, work.1, gains) }
        if let goal { turns.expect(name, .shareOf, goal, apart, by: .median) }
    }

    /// Reads a dictionary that belongs to the thread. This needs no mutex.
    @Sendable
    private static func independent(_ turns: Int) {
        var table = ["http.port": turns]
        for index in 1..<100 { table["group\(index)"] = index }
        for _ in 0..<turns { keep(table["http.port"] ?? 0) }
    }
}
