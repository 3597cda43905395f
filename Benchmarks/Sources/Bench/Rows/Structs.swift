import CMeasuring
import LayeredPrefs
import Synchronization

/// Structs. Their fields are merged over all layers, and each version is decoded once.
enum Structs {
    static let group = "Reading a struct of ten fields, five layers"
    private static let lookup = "Mutex<[String: Relay]> lookup"

    static var rows: [Row] {
        [
            Row("struct.get", in: group, "typed key, unchanged", measure: get),
            Row(
                "struct.edit", in: "Files: parsing and reloading",
                "One field edited in a file of 100,000 keys", unit: "decodings per edit",
                how:
                    "calls of init(from:) while 100 structs are observed, and two of them read after each of ten edits",
                measure: edit),
        ]
    }

    private static func get(_ turns: inout Turns) throws {
        let layers = try FiveLayers()
        let storage = layers.storage
        try storage.setValue(
            ["host": "a host name of some length", "port": 26], forKey: "relay", in: .overrides)
        let relay = storage.get(.relay)
        precondition(relay.port == 26 && relay.names.count == 2)
        let table = Mutex(["relay": relay])
        try turns.alternate([
            .loop(lookup, .floor) {
                for _ in 0..<$0 {
                    if let relay = table.withLock({ $0["relay"] }) { keep(relay) }
                }
            },
            .loop("typed key", .ours) {
                for _ in 0..<$0 { keep(storage.get(.relay)) }
            },
        ])
        turns.expect("typed key", .atMost, 1.5, lookup)
        turns.expect("typed key", .allocations, 0)
    }

    private static func edit(_ turns: inout Turns) throws {
        let (structs, edits) = (100, 10)
        let folder = try Folder()
        func text(_ edit: Int) -> String {
            let routes = (0..<structs).map { number -> (String, PrefsValue) in
                let seconds = number == 50 ? edit + 1 : 30
                return (
                    "route\(number)", ["number": .integer(Int128(number)), "timeout": .string("\(seconds)s")]
                )
            }
            return PropertyList.text(PropertyList.sample(100_000 - structs) + routes)
        }
        try folder.write(text(0), to: "large.plist")
        var options = FilePrefsStorage.Options()
        options.watcher = .unwatched
        let path = folder.path + "/large.plist"
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer(.user, FilePrefsStorage(path: path, options: options))
        }
        let keys = (0..<structs).map {
            PersistentKey("route\($0)", defaultValue: CountedRoute(number: $0))
        }
        let observations = keys.map { stack.observe($0) { _ in } }
        for key in keys { _ = stack.get(key) }
        CountedRoute.decodings.withLock { $0 = [:] }
        for edit in 1...edits {
            let bytes = Array(text(edit).utf8)
            bench_replace(path, bytes, Int64(bytes.count))
            stack.reload()
            _ = stack.get(keys[7])
            precondition(stack.get(keys[50]).timeout == .seconds(edit + 1))
        }
        let counts = CountedRoute.decodings.withLock { $0 }
        let others = counts.filter { ![7, 50].contains($0.key) }.values.reduce(0, +)
        turns.add("the edited struct", .ours, [Double(counts[50] ?? 0) / Double(edits)])
        turns.add("another one, which is read", .ours, [Double(counts[7] ?? 0) / Double(edits)])
        turns.add("the other structs", .ours, [Double(others) / Double(edits)])
        turns.expect("the other structs", .absolute, 0)
        withExtendedLifetime(observations) {}
    }
}
