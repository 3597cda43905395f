import FoundationEssentials
import LayeredPrefs
import Testing

/// The engine against the reference model: random histories of edits, locks, writes and starts.
@Suite struct EngineModelTests {
    /// How many histories a batch has: `PREFS_MODEL_HISTORIES=100000 swift test --filter EngineModel`.
    static let histories =
        ProcessInfo.processInfo.environment["PREFS_MODEL_HISTORIES"].flatMap { Int($0) } ?? 150
    /// The first seed, for another batch than the last one.
    static let first =
        ProcessInfo.processInfo.environment["PREFS_MODEL_SEED"].flatMap { UInt64($0) } ?? 0

    /// Whether a failing history is made short; `PREFS_MODEL_SHRINKS=0` where only the fact matters.
    static let shrinks = ProcessInfo.processInfo.environment["PREFS_MODEL_SHRINKS"] != "0"

    @Test(arguments: ModelRow.all)
    func theEngineAgreesOnEveryRowOfTheTable(row: ModelRow) async throws {
        let history = ModelHistory(operations: [.start()] + row.operations)
        let failure = try await ModelDriver.engine.run(history)
        #expect(failure?.description == nil)
    }

    @Test func theEngineNeverPartsFromTheModel() async throws {
        var driver = ModelDriver.engine
        driver.shrinksFailures = Self.shrinks
        let report = try await driver.run(count: Self.histories, from: Self.first, width: 2)
        #expect(report.failures.isEmpty)
        #expect(report.rules(below: Self.histories < 10_000 ? 1 : Self.histories / 100) == [])
    }

    @Test func nothingIsLostOfABurstWhoseFirstEditIsSeenAtOnce() async throws {
        let driver = ModelDriver(
            world: .engine, aspects: ModelDriver.engine.aspects.subtracting([.typedOrigins, .rawOrigins]),
            kinds: [.restart, .writeFile, .deleteFile, .burst]
        ) { try EngineSubject($0, splitsBursts: true) }
        let report = try await driver.run(count: Self.histories / 10, from: Self.first, width: 2)
        #expect(report.failures.isEmpty)
    }
}
