import Foundation
import LayeredPrefs
import Synchronization

/// Reads by typed key through five layers.
enum TypedReads {
    static let group = "Reading a typed key, five layers"
    static let keyedLookup = "Mutex<[String: Int]> lookup"
    static let configuration = "swift-configuration, five providers"

    static let rows = [
        Row("typed.int", in: group, "Int, the key a computed `static var`", measure: int),
        Row("typed.string", in: group, "String", measure: string),
        Row("typed.options", in: group, "Int, keys with options", measure: options),
    ]

    private static func int(_ turns: inout Turns) throws {
        let layers = try FiveLayers()
        let storage = layers.storage
        let table = LockedTable(100)
        precondition(storage.get(.port) == 8443 && storage.get(.doubledPort) == 16886)
        let defaults = UserDefaults.standard
        defaults.set(8443, forKey: "http.port")
        let peers = turns.contender(configuration, program: "PeerConfiguration", asking: "read 2000")
        try turns.alternate(
            [
                .loop(keyedLookup, .floor) {
                    for _ in 0..<$0 { keep(table.value(for: "http.port")) }
                },
                .loop("typed key", .ours) {
                    for _ in 0..<$0 { keep(storage.get(.port)) }
                },
                .loop("two codings of one id in turn", .ours, share: 2) {
                    for _ in 0..<$0 {
                        keep(storage.get(.port))
                        keep(storage.get(.doubledPort))
                    }
                },
                .loop("UserDefaults.integer(forKey:)", .peer) {
                    for _ in 0..<$0 { keep(defaults.integer(forKey: "http.port")) }
                },
            ] + peers)
        defaults.removeObject(forKey: "http.port")
        turns.expect("typed key", .atMost, 0.7, keyedLookup)
        turns.expect("two codings of one id in turn", .atMost, 0.7, keyedLookup)
        turns.expect("typed key", .allocations, 0)
        turns.expect("two codings of one id in turn", .allocations, 0)
        turns.expect("typed key", .timesFaster, 100, configuration)
    }

    private static func options(_ turns: inout Turns) throws {
        let layers = try FiveLayers()
        let storage = layers.storage
        let others = try FiveLayers()
        let locked = others.storage
        locked.lock("group1", at: .system)
        let plain = "typed key"
        func reads(_ name: String, of key: PersistentKey<Int>) -> Contender {
            precondition(storage.get(key) == (key.id == "cache.size" ? 4096 : 8443))
            return .loop(name, .ours) { for _ in 0..<$0 { keep(storage.get(key)) } }
        }
        precondition(locked.get(.port) == 8443)
        try storage.setValue("30s", forKey: "timeout", in: .overrides)
        precondition(storage.get(.timeout) == .seconds(30))
        try turns.alternate([
            .loop(plain, .ours) { for _ in 0..<$0 { keep(storage.get(.port)) } },
            reads("with a range", of: DeclaredKeys.range),
            reads("with a validation", of: DeclaredKeys.validation),
            reads("secret", of: DeclaredKeys.secret),
            reads("stored under a former name", of: DeclaredKeys.formerName),
            reads("with an environment name", of: DeclaredKeys.environmentName),
            reads("from a variable", of: DeclaredKeys.text),
            .loop("a duration as text", .ours) { for _ in 0..<$0 { keep(storage.get(.timeout)) } },
            .loop("beside a lock", .ours) { for _ in 0..<$0 { keep(locked.get(.port)) } },
            .loop("with a range, a computed `static var`", .ours) {
                for _ in 0..<$0 { keep(storage.get(.limitedPort)) }
            },
        ])
        for name in ["with a range", "with a validation"] {
            turns.expect(name, .atMost, 4, plain)
            turns.expect(name, .allocations, 0)
        }
        for name in ["secret", "stored under a former name", "with an environment name", "beside a lock"] {
            turns.expect(name, .atMost, 8, plain)
            turns.expect(name, .allocations, 0)
        }
        for name in ["from a variable", "a duration as text", "with a range, a computed `static var`"] {
            turns.expect(name, .atMost, 8, plain)
        }
    }

    private static func string(_ turns: inout Turns) throws {
        let layers = try FiveLayers()
        let storage = layers.storage
        let table = Mutex(["http.host": storage.get(.host)])
        let peers = turns.contender(configuration, program: "PeerConfiguration", asking: "readString 2000")
        try turns.alternate(
            [
                .loop("Mutex<[String: String]> lookup", .floor) {
                    for _ in 0..<$0 {
                        keep(table.withLock { $0["http.host"] ?? "" })
                    }
                },
                .loop("typed key", .ours) {
                    for _ in 0..<$0 { keep(storage.get(.host)) }
                },
            ] + peers)
        turns.expect("typed key", .atMost, 0.7, "Mutex<[String: String]> lookup")
        turns.expect("typed key", .allocations, 0)
    }
}

/// The floor of a keyed read from a table that threads may share.
final class LockedTable: Sendable {
    private let content: Mutex<[String: Int]>

    init(_ count: Int) {
        var content = ["http.port": 8443]
        for index in 1..<count { content["group\(index % 97).setting\(index)"] = index }
        self.content = Mutex(content)
    }

    func value(for key: String) -> Int { content.withLock { $0[key] ?? 0 } }

    func set(_ value: Int, for key: String) { content.withLock { $0[key] = value } }
}
