import Testing

@testable import FileWatching

@Suite struct SuspicionTests {
    private func suspicion(_ step: Int, _ cause: Suspicion.Cause) -> Suspicion {
        Suspicion(step: step, cause: cause, source: .inotify)
    }

    @Test func `merging keeps the earlier step and the later cause`() {
        let both = suspicion(3, .began).merged(with: suspicion(5, .replaced))
        #expect(both == suspicion(3, .replaced))
    }

    @Test(arguments: [Suspicion.Cause.attributes, .doubt])
    func `doubt and attributes do not hide a more significant cause`(_ cause: Suspicion.Cause) {
        #expect(suspicion(3, .replaced).merged(with: suspicion(1, cause)) == suspicion(1, .replaced))
    }

    @Test func `a deletion is noticed only once`() {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        let before = WatchedPath.End(isDirectory: false, links: 1)
        #expect(suspicion(0, .began).sign(of: path, before: before) == .settle(.gone))
        #expect(suspicion(0, .began).sign(of: path, before: nil) == nil)
    }

    @Test(arguments: [
        (1, false, Settler.Sign.written), (2, false, .complete), (1, true, .complete),
    ])
    func `a new file may be incomplete unless it appeared in one step`(
        _ links: Int, _ isDirectory: Bool, _ sign: Settler.Sign
    ) {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        path.end = WatchedPath.End(isDirectory: isDirectory, links: links)
        #expect(suspicion(0, .began).sign(of: path, before: nil) == .settle(sign))
    }
}
