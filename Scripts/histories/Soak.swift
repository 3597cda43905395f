import FoundationEssentials
import Glibc

/// Runs many random traces on the engine and the reference model, and prints the results.
///
/// The environment variables `HISTORIES` and `SEED` set the number of traces and the first seed, `CORES` the
/// number of concurrent traces, and `LENGTH` the operations per trace. The run ends early after `FAILURES`
/// divergent traces, which are shrunk unless `SHRINKS` is 0.
@main struct Soak {
    let histories = number("HISTORIES", 100_000)
    let seed = number("SEED", 0)
    let cores = number("CORES", 2)
    let failureLimit = number("FAILURES", 20)
    let driver: ModelDriver

    init() {
        var driver = ModelDriver.engine
        driver.length = Self.number("LENGTH", 12)
        driver.failureLimit = failureLimit
        driver.shrinksFailures = Self.number("SHRINKS", 1) != 0
        self.driver = driver
    }

    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    static func main() async throws {
        let soak = Soak()
        let report = try await soak.play()
        let short = soak.printRules(report)
        exit(report.failures.isEmpty && !short ? 0 : 1)
    }

    private func play() async throws -> ModelReport {
        var report = ModelReport()
        let start = ContinuousClock.now
        while report.histories < histories, report.failures.count < failureLimit {
            let count = min(1000, histories - report.histories)
            let part = try await driver.run(
                count: count, from: UInt64(seed + report.histories), width: cores)
            report.add(part)
            for failure in part.failures { print(failure) }
            printProgress(report, since: start)
        }
        return report
    }

    private func printProgress(_ report: ModelReport, since start: ContinuousClock.Instant) {
        let rate = Double(report.histories) / ((.now - start) / .seconds(1))
        print(
            "\(report.histories) traces from seed \(seed), \(report.operations) operations,",
            "\(Int(rate)) per second, \(report.failures.count) diverged")
        // Standard output is fully buffered if it is a file; flush so that progress appears there.
        fflush(nil)
    }

    /// Prints how many operations each rule decided; returns true if a long run reached some rule too rarely.
    private func printRules(_ report: ModelReport) -> Bool {
        let counts = ModelRule.allCases.map { (rule: $0, count: report.counts[$0, default: 0]) }
        for (rule, count) in counts.sorted(by: { $0.count < $1.count }) {
            print(count, rule, separator: "\t")
        }
        let isShort = histories >= 100_000 && counts.contains { $0.count < histories / 100 }
        if isShort { print("at least one rule decided fewer than \(histories / 100) operations") }
        return isShort
    }
}
