import FoundationEssentials
import Glibc

/// Runs many random traces on the engine and the reference model, and prints the results.
///
/// The environment variables `TRACES` and `SEED` set the number of traces and the first seed, `CORES` the
/// number of concurrent traces, and `LENGTH` the operations per trace. The run ends early after `FAILURES`
/// divergent traces, which are shrunk unless `SHRINKS` is 0.
package struct Soak {
    let traces = number("TRACES", 100_000)
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

    /// Runs the traces and returns true if none diverged and every rule was covered.
    package static func run() async throws -> Bool {
        let soak = Soak()
        let report = try await soak.play()
        let isShort = soak.printRules(report)
        return report.failures.isEmpty && !isShort
    }

    private func play() async throws -> ModelReport {
        var report = ModelReport()
        let start = ContinuousClock.now
        while report.traces < traces, report.failures.count < failureLimit {
            let count = min(1000, traces - report.traces)
            let part = try await driver.run(
                count: count, from: UInt64(seed + report.traces), width: cores)
            report.add(part)
            for failure in part.failures { print(failure) }
            printProgress(report, since: start)
        }
        return report
    }

    private func printProgress(_ report: ModelReport, since start: ContinuousClock.Instant) {
        let rate = Double(report.traces) / ((.now - start) / .seconds(1))
        print(
            "\(report.traces) traces from seed \(seed), \(report.operations) operations,",
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
        let isShort = traces >= 100_000 && counts.contains { $0.count < traces / 100 }
        if isShort { print("at least one rule decided fewer than \(traces / 100) operations") }
        return isShort
    }
}
