import Testing

@testable import FileWatching

@Suite struct InvalidationTests {
    private func invalidation(_ step: Int, _ cause: Invalidation.Cause) -> Invalidation {
        Invalidation(step: step, cause: cause, source: .inotify)
    }

    @Test func `merging keeps the earlier step and the later cause`() {
        let both = invalidation(3, .incomplete).merged(with: invalidation(5, .replaced))
        #expect(both == invalidation(3, .replaced))
    }

    @Test(arguments: [Invalidation.Cause.attributes, .recheck])
    func `rechecks and attributes do not hide a more significant cause`(_ cause: Invalidation.Cause) {
        #expect(invalidation(3, .replaced).merged(with: invalidation(1, cause)) == invalidation(1, .replaced))
    }

    @Test func `a deletion is noticed only once`() {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        let before = WatchedPath.End(isDirectory: false, links: 1)
        #expect(invalidation(0, .incomplete).change(of: path, before: before) == .removed)
        #expect(invalidation(0, .incomplete).change(of: path, before: nil) == nil)
    }

    @Test func `a mount elsewhere does not declare a file complete that is being written`() {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        // Of no open file, so all zeros.
        var signature = FileSignature(fileDescriptor: -1)
        let before = WatchedPath.End(isDirectory: false, links: 1, signature: signature)
        path.signature = signature
        #expect(change(to: signature) == nil)
        signature.size = 1
        #expect(change(to: signature) == .written)
        signature.inode = 1
        #expect(change(to: signature) == .complete)

        func change(to signature: FileSignature) -> Debouncer.Change? {
            path.end = WatchedPath.End(isDirectory: false, links: 1, signature: signature)
            return invalidation(0, .mounted).change(of: path, before: before)
        }
    }

    @Test(arguments: [
        (1, false, Debouncer.Change.written), (2, false, .complete), (1, true, .complete),
    ])
    func `a new file may be incomplete unless it appeared in one step`(
        _ links: Int, _ isDirectory: Bool, _ change: Debouncer.Change
    ) {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        path.end = WatchedPath.End(isDirectory: isDirectory, links: links)
        #expect(invalidation(0, .incomplete).change(of: path, before: nil) == change)
    }
}
