import CMeasuring
import LayeredPrefs
import Synchronization

/// Writes in memory. The cost to the writer ends when the new generation is published and its notifications are
/// queued.
enum Writes {
    static let group = "Publishing one changed key"

    static var rows: [Row] {
        var rows = [
            Row(
                "publish.keys", in: group, "One key of a stack's topmost layer", unit: "µs",
                how: "CPU time of the writing thread, in loops of 2 ms", measure: keys),
            Row(
                "publish.observers", in: group, "With 100,000 keys and observers of other keys", unit: "µs",
                how: "CPU time of the writing thread, in loops of 2 ms", measure: observers),
        ]
        #if Macros
            rows.append(
                Row(
                    "publish.schema", in: group, "`prefs.int = n`, a schema over a dictionary storage",
                    unit: "µs", how: "CPU time of the writing thread, in loops of 2 ms",
                    measure: schema))
        #endif
        return rows
    }

    private static func keys(_ turns: inout Turns) throws {
        let few = stack(of: 10)
        let some = stack(of: 1_000)
        let many = stack(of: 100_000)
        let table = LockedTable(100_000)
        var number = 0
        func writes(_ name: String, _ storage: PrefsStack) -> Contender {
            microseconds(name, .ours) {
                for _ in 0..<$0 {
                    number += 1
                    _ = try? storage.set(.subject, to: number, in: .overrides)
                }
            }
        }
        try turns.alternate([
            microseconds("Mutex<[String: Int]> of 100,000", .floor) {
                for _ in 0..<$0 {
                    number += 1
                    table.set(number, for: "http.port")
                }
            },
            writes("10 keys", few), writes("1,000 keys", some), writes("100,000 keys", many),
        ])
        precondition(many.get(.subject) > 0 && few.get(.subject) > 0)
        turns.expect("100,000 keys", .absolute, 10)
    }

    private static func observers(_ turns: inout Turns) throws {
        let one = stack(of: 100_000)
        let many = stack(of: 100_000)
        let received = Atomic<Int>(0)
        var kept = [one, many].map { storage in
            storage.observe(.subject) { _ in received.add(1, ordering: .relaxed) }
        }
        for index in 1...10_000 {
            kept.append(many.observe(.sample(index * 5)) { _ in received.add(1, ordering: .relaxed) })
        }
        var number = 0
        func writes(_ name: String, _ storage: PrefsStack) -> Contender {
            microseconds(name, .ours) {
                for _ in 0..<$0 {
                    number += 1
                    _ = try? storage.set(.subject, to: number, in: .overrides)
                }
            }
        }
        try turns.alternate([writes("one observer", one), writes("and 10,000 of other keys", many)])
        precondition(one.get(.subject) > 0 && many.get(.subject) > 0)
        turns.expect("and 10,000 of other keys", .atMost, 1.1, "one observer")
        kept.forEach { $0.cancel() }
    }

    /// Returns a stack of five layers with all keys in the topmost layer.
    static func stack(of count: Int) -> PrefsStack {
        let values = Dictionary(uniqueKeysWithValues: PropertyList.sample(count))
        return PrefsStack(diagnostics: .silent) {
            PrefsLayer.defaults(["group0.setting0": 0])
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["group0.setting0": 1]))
            PrefsLayer(.user, DictionaryPrefsStorage(values: ["group0.setting0": 2]))
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "BENCH_", environment: [:]))
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: values))
        }
    }

    static func microseconds(
        _ name: String, _ role: Figure.Role, body: @escaping (Int) -> Void
    ) -> Contender {
        let contender = Contender.loop(name, role, body: body)
        return Contender(name, role, allocations: contender.allocations) { try contender.sample() / 1000 }
    }
}

extension PersistentKey where Value == Int {
    static var subject: Self { .sample(0) }

    /// Returns the key of an integer in the sample. Every fifth entry is an integer.
    static func sample(_ index: Int) -> Self {
        Self("group\(index % 97).setting\(index)", defaultValue: -1)
    }
}

#if Macros
    extension Writes {
        private static func schema(_ turns: inout Turns) throws {
            let plain = Plain(seed: 1)
            let few = prefs(10)
            let many = prefs(100_000)
            var number = 0
            try turns.alternate([
                microseconds("plain @Observable", .floor) {
                    for _ in 0..<$0 {
                        number += 1
                        plain.int = number
                    }
                },
                microseconds("10 keys", .ours) {
                    for _ in 0..<$0 {
                        number += 1
                        few.int = number
                    }
                },
                microseconds("100,000 keys", .ours) {
                    for _ in 0..<$0 {
                        number += 1
                        many.int = number
                    }
                },
            ])
            precondition(few.int > 1 && many.int > 1)
            turns.expect("10 keys", .absolute, 10)
            turns.expect("100,000 keys", .absolute, 10)
        }

        private static func prefs(_ count: Int) -> MemoryPrefs {
            let content = FiveLayers.subjects(1) + PropertyList.sample(count - FiveLayers.subjects(1).count)
            return MemoryPrefs(DictionaryPrefsStorage(values: Dictionary(uniqueKeysWithValues: content)))
        }
    }
#endif
