import Glibc
import PrefsDocuments
import PrefsSystem

/// The reports that storages make while the stack that will contain them is being created.
///
/// The storage of a file does not know its layer. So the reports from the first reading of its file are
/// collected, and the stack adds the layer.
final class StartReports: Sendable {
    @TaskLocal private static var current: StartReports?

    private let reports = Lock<[(report: PrefsDiagnostic, destination: PrefsDiagnosticHandler)]>([])

    private init() {}

    /// Collects the reports of the storages that `body` creates.
    static func collect<Result>(_ body: () throws -> Result) rethrows -> (Result, StartReports) {
        let reports = StartReports()
        return (try $current.withValue(reports) { try body() }, reports)
    }

    /// Reports a problem that a storage has found in the first reading of its files.
    static func report(_ report: PrefsDiagnostic, to destination: PrefsDiagnosticHandler) {
        guard let current else { return destination.report(report.severity, report.error) }
        current.reports.withLock { $0.append((report, destination)) }
    }

    /// Passes all reports on.
    ///
    /// - Parameter layer: Returns the layer of a file.
    func send(naming layer: (_ file: String) -> String?) {
        for (report, destination) in reports.withLock({ $0 }) {
            let error = report.error.naming(layer: report.error.origin?.file.flatMap(layer))
            destination.reportSoon(PrefsDiagnostic(report.severity, error))
        }
    }
}

/// The destinations with reports that are not printed yet. The reports are printed at the exit of the program
/// at the latest.
enum UnprintedReports {
    private static let destinations = Lock<[PrefsDiagnosticHandler]>([])
    private static let printsAtExit: Bool = {
        atexit {
            for destination in UnprintedReports.destinations.withLock({ $0 }) { destination.printAll() }
        } == 0
    }()

    /// Adds a destination. Returns false if nothing can be printed at the exit.
    static func add(_ destination: PrefsDiagnosticHandler) -> Bool {
        guard printsAtExit else { return false }
        destinations.withLock { $0.append(destination) }
        EventLoop.shared.run(after: .seconds(1)) { destination.printAll() }
        return true
    }

    static func remove(_ destination: PrefsDiagnosticHandler) {
        destinations.withLockReleasing { destinations in
            defer { destinations.removeAll { $0 === destination } }
            return destinations
        }
    }
}
