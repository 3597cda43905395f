import PrefsDocuments
import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite final class ReportLimitTests {
    private var limit = ReportLimit()

    private func add(
        _ reason: String, key: String = "k", _ severity: PrefsDiagnostic.Severity = .error, at seconds: Int
    ) -> ReportLimit.Due {
        let diagnostic = PrefsDiagnostic(severity, PrefsError(.wrongType, key: key, reason: reason))
        return limit.add([diagnostic], at: .seconds(seconds))
    }

    private func wake(at time: Duration) -> [String] {
        limit.wake(at: time).diagnostics.map { "\($0.severity): \($0.error.reason)" }
    }

    @Test func `what flips between two versions is reported a limited number of times`() {
        var (reported, waits) = (0, 0)
        for number in 0..<1000 {
            let due = add(number.isMultiple(of: 2) ? "many" : "more", at: 0)
            reported += due.diagnostics.count
            if due.wait != nil { waits += 1 }
        }
        #expect(reported == ReportLimit.limit)
        #expect(waits == 1)
        // The last version that was reported is the present one: there is nothing to add.
        #expect(wake(at: ReportLimit.period).isEmpty)
    }

    @Test func `the last version is reported when the limit allows it`() {
        for number in 0..<100 { _ = add("version \(number)", at: 0) }
        #expect(wake(at: .seconds(1)).isEmpty)
        #expect(
            wake(at: ReportLimit.period) == [
                "error: version 99 (and 79 other reports since the last one)"
            ])
        #expect(wake(at: ReportLimit.period * 2).isEmpty)
    }

    @Test func `a recovery that was held back is reported later`() {
        for number in 0..<20 { _ = add("version \(number)", at: 0) }
        let recovery = add("no longer rejected", .recovered, at: 1)
        #expect(recovery.diagnostics.isEmpty)
        #expect(recovery.wait == ReportLimit.period - .seconds(1))
        #expect(wake(at: ReportLimit.period) == ["recovered: no longer rejected"])
    }

    @Test func `what was held back is reported in its order`() {
        for number in 0..<30 {
            _ = add("version \(number)", key: "a", at: 0)
            _ = add("version \(number)", key: "b", at: 0)
        }
        _ = add("last", key: "a", at: 1)
        #expect(
            wake(at: ReportLimit.period) == [
                "error: version 29 (and 9 other reports since the last one)",
                "error: last (and 10 other reports since the last one)",
            ])
    }

    @Test func `places are independent of each other`() {
        for number in 0..<100 { _ = add("version \(number)", at: 0) }
        #expect(add("x", key: "other", at: 0).diagnostics.count == 1)
        // The elements of one array are not.
        for number in 0..<20 { _ = add("x", key: "list[\(number)]", at: 0) }
        #expect(add("x", key: "list[20]", at: 0).diagnostics.isEmpty)
    }

    @Test func `the reports of many places are forgotten after the period`() {
        for number in 0..<2000 { _ = add("x", key: "k\(number)", at: 0) }
        #expect(add("x", key: "k0", at: 61).diagnostics.count == 1)
    }
}
