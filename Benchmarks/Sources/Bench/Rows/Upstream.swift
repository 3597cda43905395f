import Foundation
import PrefsKitCompatibility
import Synchronization

/// Foundation's defaults and PrefsKit's keys, compared with the calls of a program without this library.
enum Upstream {
    static let group = "Over UserDefaults, and with PrefsKit's keys"

    static var rows: [Row] {
        [
            Row(
                "upstream.prefskit", in: group, "A PrefsKit key of an Int in a dictionary",
                measure: dictionary),
            Row(
                "upstream.defaults-read", in: group, "Reading UserDefaults of 1,000 keys", measure: reads),
            Row(
                "upstream.defaults-write", in: group, "Writing UserDefaults of 1,000 keys",
                measure: writes),
        ]
    }

    private static func dictionary(_ turns: inout Turns) throws {
        let storage = DictionaryPrefsStorage(root: ["port": 8443, "host": "a", "level": "info"])
        let key = AnyDefaultedAtomicPrefsKey(key: "port", defaultValue: 80)
        let plain = UntypedTable(["port": 8443, "host": "a", "level": "info"])
        precondition(storage.value(forKey: key) == 8443)
        try turns.alternate([
            .loop("Mutex<[String: Any]> lookup and cast", .floor) {
                for _ in 0..<$0 { keep(plain.int(forKey: "port")) }
            },
            .loop("PrefsKit key", .ours) {
                for _ in 0..<$0 { keep(storage.value(forKey: key)) }
            },
        ])
        turns.expect("PrefsKit key", .atMost, 3, "Mutex<[String: Any]> lookup and cast")
    }

    /// Calls `body` with a suite of 1,000 keys in memory, and removes the suite afterwards.
    private static func withSuite(_ body: (UserDefaults) throws -> Void) rethrows {
        let name = "LayeredPrefsBench-\(UUID().uuidString)"
        guard let suite = UserDefaults(suiteName: name) else { fatalError("no suite \(name)") }
        for index in 0..<1_000 { suite.set(index, forKey: "key\(index)") }
        try body(suite)
        suite.removePersistentDomain(forName: name)
        _ = suite.synchronize()
    }

    private static func reads(_ turns: inout Turns) throws {
        try withSuite { suite in
            let storage = UserDefaultsPrefsStorage(suite: suite)
            let key = PersistentKey("key500", defaultValue: 0)
            try turns.alternate([
                .loop("UserDefaults.object(forKey:)", .peer) {
                    for _ in 0..<$0 { keep(suite.object(forKey: "key500") as? Int ?? 0) }
                },
                .loop("typed key", .ours) {
                    for _ in 0..<$0 { keep(storage.get(key)) }
                },
            ])
        }
        turns.expect("typed key", .atMost, 3, "UserDefaults.object(forKey:)")
    }

    private static func writes(_ turns: inout Turns) throws {
        try withSuite { suite in
            let storage = UserDefaultsPrefsStorage(suite: suite)
            let (key, observed) = (
                PersistentKey("key500", defaultValue: 0), PersistentKey("key600", defaultValue: 0)
            )
            let received = Atomic<Int>(0)
            let observation = storage.observe(observed) { received.add($0.new.value, ordering: .relaxed) }
            var number = 0
            try turns.alternate([
                .loop("UserDefaults.set(_:forKey:)", .peer) {
                    for _ in 0..<$0 {
                        number += 1
                        suite.set(number, forKey: "key500")
                    }
                },
                .loop("typed key", .ours) {
                    for _ in 0..<$0 {
                        number += 1
                        _ = try? storage.set(key, to: number)
                    }
                },
                .loop("UserDefaults.set(_:forKey:), and a read", .peer) {
                    for _ in 0..<$0 {
                        number += 1
                        suite.set(number, forKey: "key600")
                        keep(suite.object(forKey: "key600") as? Int ?? 0)
                    }
                },
                .loop("typed key with an observer", .ours) {
                    for _ in 0..<$0 {
                        number += 1
                        _ = try? storage.set(observed, to: number)
                    }
                },
            ])
            observation.cancel()
        }
        turns.expect("typed key", .atMost, 3, "UserDefaults.set(_:forKey:)")
        turns.expect("typed key with an observer", .atMost, 3, "UserDefaults.set(_:forKey:), and a read")
    }
}

/// A table of values of any type. Threads may share it.
private final class UntypedTable: Sendable {
    private let content: Mutex<[String: any Sendable]>

    init(_ content: [String: any Sendable]) { self.content = Mutex(content) }

    func int(forKey key: String) -> Int { content.withLock { $0[key] as? Int } ?? 0 }
}
