import CMeasuring
import LayeredPrefs
import Synchronization

/// Whole configurations, valid and from one moment, compared with the code that a program would write instead.
enum Configurations {
    private static let current = "current"
    private static let part = "part"
    private static let mutex = "Mutex<Settings>"

    private static let large = "Large configurations"

    static var rows: [Row] {
        [
            Row(
                "current.read", in: "Reading a configuration of forty fields", "One field of it",
                measure: read),
            Row(
                "live.create", in: large, "`Live` of many fields, created", unit: "µs per field",
                how: "CPU time of the thread", measure: create),
            Row(
                "live.reload", in: large, "`Live` of many fields, all of which change", unit: "µs per field",
                how: "CPU time of the thread", measure: reload),
            Row(
                "live.edit", in: large, "One field edited beside a dictionary of 10,000 structs",
                unit: "decodings per edit", how: "calls of init(from:) of the structs during ten edits",
                measure: edit),
            Row(
                "live.dropIns", in: large, "2,000 drop-ins, one of which is rejected", unit: "s",
                how: "CPU time of the thread", measure: dropIns),
        ]
    }

    private static let counts = [100, 400, 1_000]

    private static func name(_ count: Int) -> String { "\(count) fields" }

    /// Adds the goal that a field of a large configuration takes no more time than a field of a small one.
    private static func expectProportion(_ turns: inout Turns) {
        turns.expect(name(1_000), .atMost, 1.5, name(100))
    }

    private static func create(_ turns: inout Turns) throws {
        let contenders = counts.map { count in
            Contender(name(count), .ours) {
                let layer = DictionaryPrefsStorage(values: WideSettings.contents(count, 1))
                let stack = WideSettings.stack(layer)
                return try processorTime { keep(try Live(WideSettings(count), stack).current) } / 1e3
                    / Double(count)
            }
        }
        try turns.alternate(samples: 7, contenders)
        expectProportion(&turns)
    }

    private static func reload(_ turns: inout Turns) throws {
        var version = 0
        let contenders = try counts.map { count in
            let layer = DictionaryPrefsStorage(values: WideSettings.contents(count, 0))
            let live = try Live(WideSettings(count), WideSettings.stack(layer))
            return Contender(name(count), .ours) {
                version += 1
                let contents = WideSettings.contents(count, version)
                let time = processorTime {
                    layer.update { $0 = contents }
                    keep(live.current)
                }
                precondition(live.current.values[0] == version)
                return time / 1e3 / Double(count)
            }
        }
        try turns.alternate(samples: 7, contenders)
        expectProportion(&turns)
    }

    private static func edit(_ turns: inout Turns) throws {
        let stack = RoutedSettings.stack(10_000)
        let live = try Live(RoutedSettings(), stack)
        CountedRoute.decodings.withLock { $0 = [:] }
        for limit in 1...10 {
            try stack.setValue(.integer(Int128(limit)), forKey: "limit", in: .overrides)
            precondition(live.current.limit == limit)
        }
        let count = CountedRoute.decodings.withLock { $0.values.reduce(0, +) }
        turns.add("structs of the dictionary", .ours, [Double(count) / 10])
        turns.expect("structs of the dictionary", .absolute, 0)
    }

    private static func dropIns(_ turns: inout Turns) throws {
        let folder = try Folder()
        func write(_ version: Int, rejecting wrong: Int?) throws {
            for number in 0..<2_000 {
                let value = number == wrong ? "\"none\"" : "\(version)"
                try folder.write("{\"key\(number)\": \(value)}", in: "x.json.d", "\(number).json")
            }
        }
        try write(0, rejecting: nil)
        var options = FilePrefsStorage.Options()
        options.watcher = .unwatched
        let system = SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: folder.path + "/x.json")], options: options)
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.system, system) }
        for number in 0..<2_000 { stack.declare(PersistentKey("key\(number)", defaultValue: 0)) }
        func sample(_ name: String, _ version: Int, rejecting wrong: Int?) throws {
            try write(version, rejecting: wrong)
            turns.add(name, .ours, [processorTime { system.reload() } / 1e9])
        }
        try sample("all accepted", 1, rejecting: nil)
        try sample("one rejected", 2, rejecting: 1_000)
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
