import PrefsDocuments
import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite final class RejectionLogTests {
    private var log = RejectionLog()

    private func update(_ value: PrefsValue?, at seconds: Int) -> RejectionLog.Report {
        let rejections = value.map { value in
            [(value: PrefsValue?.some(value), error: PrefsError(.wrongType, key: "k", reason: "\(value)"))]
        }
        return log.update("k", with: rejections ?? [], at: .seconds(seconds))
    }

    @Test func `each version is reported once, and its recovery once`() {
        #expect(update("many", at: 0).rejected.count == 1)
        #expect(update("many", at: 1).rejected.isEmpty)
        #expect(update("more", at: 2).rejected.count == 1)
        #expect(update(nil, at: 3).recovered.count == 1)
        #expect(update(nil, at: 4).recovered.isEmpty)
    }

    @Test func `a value that flips between two versions is reported a limited number of times`()
        throws
    {
        var (reported, waits) = (0, 0)
        for number in 0..<1000 {
            let report = update(number.isMultiple(of: 2) ? "many" : "more", at: 0)
            reported += report.rejected.count
            if report.wait != nil { waits += 1 }
        }
        #expect(reported == RejectionLog.limit)
        #expect(waits == 1)
        // The last version that was reported is the present one: there is nothing to add.
        #expect(log.wake(at: RejectionLog.period).rejected.isEmpty)
    }

    @Test func `the last version is reported when the limit allows it`() throws {
        for number in 0..<100 { _ = update(.string("version \(number)"), at: 0) }
        #expect(log.wake(at: .seconds(1)).rejected.isEmpty)
        let report = log.wake(at: RejectionLog.period)
        #expect(
            report.rejected.map(\.reason) == ["\"version 99\" (and 79 other versions since the last report)"])
        #expect(log.wake(at: RejectionLog.period * 2).rejected.isEmpty)
    }

    @Test func `a recovery that was held back is reported later`() {
        for number in 0..<20 { _ = update(.string("version \(number)"), at: 0) }
        let recovery = update(nil, at: 1)
        #expect(recovery.recovered.isEmpty)
        #expect(recovery.wait == RejectionLog.period - .seconds(1))
        #expect(log.wake(at: RejectionLog.period).recovered.count == 1)
    }

    @Test func `keys are independent of each other`() {
        for number in 0..<100 { _ = update(.string("version \(number)"), at: 0) }
        let rejections: [RejectionLog.ReportedRejection] = [
            (value: "x", error: PrefsError(.wrongType, key: "other", reason: "x"))
        ]
        #expect(log.update("other", with: rejections, at: .zero).rejected.count == 1)
    }
}
