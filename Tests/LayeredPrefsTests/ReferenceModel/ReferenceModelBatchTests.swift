import FoundationEssentials
import Testing

@testable import PrefsReferenceModel

/// Compares the model with copies of itself. The comparison must detect every mutation and nothing else.
@Suite struct ReferenceModelBatchTests {
    /// The number of traces in a batch:
    /// `TRACES=100000 ./Scripts/test --filter ReferenceModelBatch`.
    static let traces =
        ProcessInfo.processInfo.environment["TRACES"].flatMap { Int($0) } ?? 150

    @Test func `a faithful copy never diverges and every rule is covered`() async throws {
        let driver = ModelDriver { ModelReplica($0) }
        let report = try await driver.run(count: Self.traces, width: 2)
        #expect(report.failures.isEmpty)
        #expect(report.rules(below: Self.traces < 10_000 ? 1 : Self.traces / 100) == [])
    }

    @Test func `a faithful copy never diverges in a plain world`() async throws {
        let driver = ModelDriver(world: .plain) { ModelReplica($0) }
        #expect(try await driver.run(count: 50).failures.isEmpty)
    }

    @Test func `a generator produces only the requested kinds of operations`() async throws {
        let driver = ModelDriver(kinds: [.writeFile, .write]) { ModelReplica($0) }
        let operations = (0..<20).flatMap { driver.trace(seed: $0).operations }
        #expect(Set(operations.map(\.kind)) == [.restart, .writeFile, .write])
    }

    @Test func `the same seed gives the same trace`() async throws {
        let driver = ModelDriver { ModelReplica($0) }
        #expect(driver.trace(seed: 7) == driver.trace(seed: 7))
        #expect(driver.trace(seed: 7) != driver.trace(seed: 8))
    }

    @Test(arguments: ModelMutation.allCases)
    func `every mutation is detected`(mutation: ModelMutation) async throws {
        let driver = ModelDriver(shrinksFailures: false) { ModelReplica($0, mutations: [mutation]) }
        // With seeds from here on, most mutations take few traces.
        let report = try await driver.run(count: 500, from: 6000)
        #expect(!report.failures.isEmpty)
    }

    @Test(arguments: [ModelMutation.brokenIsEmpty, .lockIgnoresAncestors, .transactionIsPartial])
    func `a failing trace is shrunk`(mutation: ModelMutation) async throws {
        let driver = ModelDriver { ModelReplica($0, mutations: [mutation]) }
        let failure = try #require(try await driver.run(count: 100, from: 5000).failures.first)
        #expect(failure.trace.operations.count <= 4)
        #expect(try await driver.run(failure.trace)?.difference == failure.difference)
    }
}
