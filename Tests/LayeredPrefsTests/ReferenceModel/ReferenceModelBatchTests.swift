import FoundationEssentials
import Testing

/// Compares the model with copies of itself: the comparison must detect every mutation and nothing else.
@Suite struct ReferenceModelBatchTests {
    /// The number of traces in a batch:
    /// `PREFS_MODEL_HISTORIES=100000 swift test --filter ReferenceModelBatch`.
    static let histories =
        ProcessInfo.processInfo.environment["PREFS_MODEL_HISTORIES"].flatMap { Int($0) } ?? 150

    @Test func `a faithful copy never diverges and every rule is covered`() async throws {
        let driver = ModelDriver { ModelReplica($0) }
        let report = try await driver.run(count: Self.histories, width: 2)
        #expect(report.failures.isEmpty)
        #expect(report.rules(below: Self.histories < 10_000 ? 1 : Self.histories / 100) == [])
    }

    @Test func `a faithful copy never diverges in a plain world`() async throws {
        let driver = ModelDriver(world: .plain) { ModelReplica($0) }
        #expect(try await driver.run(count: 50).failures.isEmpty)
    }

    @Test func `a generator produces only the requested kinds of operations`() async throws {
        let driver = ModelDriver(kinds: [.writeFile, .write]) { ModelReplica($0) }
        let operations = (0..<20).flatMap { driver.history(seed: $0).operations }
        #expect(Set(operations.map(\.kind)) == [.restart, .writeFile, .write])
    }

    @Test func `the same seed gives the same trace`() async throws {
        let driver = ModelDriver { ModelReplica($0) }
        #expect(driver.history(seed: 7) == driver.history(seed: 7))
        #expect(driver.history(seed: 7) != driver.history(seed: 8))
    }

    @Test(arguments: ModelTwist.allCases)
    func `every mutation is detected`(twist: ModelTwist) async throws {
        let driver = ModelDriver(shrinksFailures: false) { ModelReplica($0, twists: [twist]) }
        let report = try await driver.run(count: 500, from: 5000)
        #expect(!report.failures.isEmpty)
    }

    @Test(arguments: [ModelTwist.brokenIsEmpty, .lockIgnoresAncestors, .transactionIsPartial])
    func `a failing trace is shrunk`(twist: ModelTwist) async throws {
        let driver = ModelDriver { ModelReplica($0, twists: [twist]) }
        let failure = try #require(try await driver.run(count: 100, from: 5000).failures.first)
        #expect(failure.history.operations.count <= 4)
        #expect(try await driver.run(failure.history)?.difference == failure.difference)
    }
}
