import Foundation
import TestSupport
import Testing

@testable import LayeredPrefs

/// Generated attempts to override a locked key. None of them may succeed.
///
/// Each attack has its own pair of keys and is one combination of: the places of the lock and of the good
/// value, the attacker's spelling of the key, the way of the value into a layer, and the time. The attacks of
/// a batch share a stack. `ATTACKS=10240 ./Scripts/test --filter LockAttackTests` sets their number.
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
        // Before a lock arrives most of them succeed, which shows that they are attacks.
        let (tried, landed) = results.reduce((0, 0)) { ($0.0 + $1.tried, $0.1 + $1.landed) }
        #expect(tried > 100)
        #expect(landed > tried / 2)
    }
}
