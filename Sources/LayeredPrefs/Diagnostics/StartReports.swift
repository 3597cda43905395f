import Glibc
import PrefsDocuments
import PrefsSystem

/// What storages report while the stack is being created that they are layers of.
///
/// A storage of a file does not know the layer that it is. So what it reports when it reads the file for the first time is
/// collected, and the stack adds the layer.
final class StartReports: Sendable {
    @TaskLocal private static var current: StartReports?

    private let reports = Lock<[(report: PrefsDiagnostic, destination: PrefsDiagnosticHandler)]>([])

    private init() {}

    /// Collects what storages report that `body` creates.
    static func collect<Result>(_ body: () throws -> Result) rethrows -> (Result, StartReports) {
        let reports = StartReports()
        return (try $current.withValue(reports) { try body() }, reports)
    }

    /// Reports what a storage has found when it read its files for the first time.
    static func report(_ report: PrefsDiagnostic, to destination: PrefsDiagnosticHandler) {
        guard let current else { return destination.report(report.severity, report.error) }
        current.reports.withLock { $0.append((report, destination)) }
    }

    /// Passes everything on.
    ///
    /// - Parameter layer: Returns the layer of a file.
    func send(naming layer: (_ file: String) -> String?) {
        for (report, destination) in reports.withLock({ $0 }) {
            let error = report.error.naming(layer: report.error.origin?.file.flatMap(layer))
            destination.reportSoon(PrefsDiagnostic(report.severity, error))
        }
    }
}

/// The destinations with reports that are not printed yet. They are printed at the exit of the program at the latest.
enum UnprintedReports {
    private static let destinations = Lock<[PrefsDiagnosticHandler]>([])
    private static let printsAtExit: Bool = {
        atexit {
            for destination in UnprintedReports.destinations.withLock({ $0 }) { destination.printAll() }
        } == 0
    }()

    /// Returns false if nothing can be printed at the exit.
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
