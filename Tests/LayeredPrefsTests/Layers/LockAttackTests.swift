import Foundation
import TestSupport
import Testing

@testable import LayeredPrefs

/// Generated attempts to override a locked key, of which none may succeed.
///
/// Each attack has a pair of keys of its own and is one combination of: where the lock and the good value
/// are, how the attacker spells the key, how the value reaches which layer, and when. The attacks of a batch
/// share a stack. `ATTACKS=10240 ./Scripts/test --filter LockAttackTests` sets their number.
@Suite struct LockAttackTests {
    private static let count =
        ProcessInfo.processInfo.environment["ATTACKS"].flatMap(Int.init) ?? 5_120
    private static let batchSize = 64

    @Test func `no attack on a lock succeeds`() async throws {
        var random = SeededGenerator(seed: 20_261_122)
        let attacks = LockAttack.all.shuffled(using: &random).prefix(Self.count)
        #expect(attacks.count == Self.count)
        let results: [AttackBatch.Result] = try await withThrowingTaskGroup(of: AttackBatch.Result.self) {
            group in
            for moment in LockAttack.Moment.allCases {
                var rest = attacks.filter { $0.moment == moment }[...]
                while !rest.isEmpty {
                    let batch = rest.prefix(Self.batchSize)
                    rest = rest.dropFirst(Self.batchSize)
                    group.addTask { try await AttackBatch(Array(batch), moment).run() }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let breaches = results.flatMap(\.breaches)
        #expect(breaches.isEmpty, "\(breaches.prefix(20).joined(separator: "\n"))")
        #expect(results.reduce(0) { $0 + $1.count } == Self.count)
        // Before a lock arrives most of them succeed, so they are attacks.
        let (tried, landed) = results.reduce((0, 0)) { ($0.0 + $1.tried, $0.1 + $1.landed) }
        #expect(tried > 100)
        #expect(landed > tried / 2)
    }
}
