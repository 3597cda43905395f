import FoundationEssentials
import LayeredPrefs
import Testing

@testable import PrefsReferenceModel

/// Compares the engine with the reference model, over random traces of edits, locks, writes and restarts.
@Suite struct EngineModelTests {
    /// The number of traces in a batch: `TRACES=100000 ./Scripts/test --filter EngineModel`.
    static let traces =
        ProcessInfo.processInfo.environment["TRACES"].flatMap { Int($0) } ?? 100
    /// The first random number seed, to run a different batch.
    static let first =
        ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 0

    /// True if a failing trace is minimized. Set `SHRINKS=0` if only the result matters.
    static let shrinks = ProcessInfo.processInfo.environment["SHRINKS"] != "0"

    @Test(arguments: ModelRow.all)
    func `the engine agrees with the model on every row`(row: ModelRow) async throws {
        let trace = ModelTrace(operations: [.start()] + row.operations)
        let failure = try await ModelDriver.engine.run(trace)
        #expect(failure?.description == nil)
    }

    @Test func `the engine never diverges from the model`() async throws {
        var driver = ModelDriver.engine
        driver.shrinksFailures = Self.shrinks
        let report = try await driver.run(count: Self.traces, from: Self.first, width: 2)
        #expect(report.failures.isEmpty)
        #expect(report.rules(below: Self.traces < 10_000 ? 1 : Self.traces / 100) == [])
    }

    @Test func `the engine agrees with the model if every version takes effect at a start`() async throws {
        var driver = ModelDriver.engine
        (driver.shrinksFailures, driver.startsAfterEdits) = (Self.shrinks, true)
        let report = try await driver.run(count: Self.traces / 5, from: Self.first, width: 2)
        #expect(report.failures.isEmpty)
    }

    @Test func `no edit of a burst is lost if its first is committed at once`() async throws {
        let driver = ModelDriver(
            world: .engine, aspects: ModelDriver.engine.aspects.subtracting([.typedOrigins, .rawOrigins]),
            kinds: [.restart, .writeFile, .deleteFile, .burst], splitsBursts: true
        ) { try EngineSubject($0, splitsBursts: true) }
        let report = try await driver.run(count: Self.traces / 10, from: Self.first, width: 2)
        #expect(report.failures.isEmpty)
    }
}
