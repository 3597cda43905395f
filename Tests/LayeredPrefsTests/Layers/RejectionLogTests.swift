import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite final class RejectionLogTests {
    private var log = RejectionLog()

    private func rejection(of value: PrefsValue, _ key: String) -> RejectedValue {
        let found = LocatedValue(
            value: value, isText: false, content: nil, path: PrefsPath(key), spelling: key, file: nil)
        return RejectedValue(found, value, PrefsError(.wrongType, key: key, reason: "\(value)"))
    }

    private func update(_ value: PrefsValue?) -> [PrefsDiagnostic.Severity] {
        let rejections = value.map { [rejection(of: $0, "k")] } ?? []
        return log.update("k", with: rejections).map(\.severity)
    }

    @Test func `each version is reported once, and its recovery once`() {
        #expect(update("many") == [.error])
        #expect(update("many").isEmpty)
        #expect(update("more") == [.error])
        #expect(log.rejectedKeys.count == 1)
        #expect(update(nil) == [.recovered])
        #expect(update(nil).isEmpty)
        #expect(log.rejectedKeys.isEmpty)
    }

    @Test func `keys are independent of each other`() {
        #expect(update("many") == [.error])
        #expect(log.update("other", with: [rejection(of: "many", "other")]).count == 1)
        #expect(update("many").isEmpty)
    }
}
