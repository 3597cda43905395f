import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite final class RejectionLogTests {
    private var log = RejectionLog()

    private func update(_ value: PrefsValue?) -> [PrefsDiagnostic.Severity] {
        let rejections = value.map { value in
            [(value: PrefsValue?.some(value), error: PrefsError(.wrongType, key: "k", reason: "\(value)"))]
        }
        return log.update("k", with: rejections ?? []).map(\.severity)
    }

    @Test func `each version is reported once, and its recovery once`() {
        #expect(update("many") == [.error])
        #expect(update("many").isEmpty)
        #expect(update("more") == [.error])
        #expect(log.rejectedKeyCount == 1)
        #expect(update(nil) == [.recovered])
        #expect(update(nil).isEmpty)
        #expect(log.rejectedKeyCount == 0)
    }

    @Test func `keys are independent of each other`() {
        #expect(update("many") == [.error])
        let rejections: [RejectionLog.ReportedRejection] = [
            (value: "many", error: PrefsError(.wrongType, key: "other", reason: "x"))
        ]
        #expect(log.update("other", with: rejections).count == 1)
        #expect(update("many").isEmpty)
    }
}
