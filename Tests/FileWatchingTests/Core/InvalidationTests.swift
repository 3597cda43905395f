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
        #expect(
            invalidation(0, .incomplete).change(
                of: path, before: before, way: .unknown, isInOtherFolder: false) == .removed)
        #expect(
            invalidation(0, .incomplete).change(
                of: path, before: nil, way: .unknown, isInOtherFolder: false) == nil)
    }

    @Test func `a mount elsewhere does not declare a file complete that is being written`() {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        // No file is open, so the signature is all zeros.
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
            return invalidation(0, .mounted).change(
                of: path, before: before, way: .unknown, isInOtherFolder: false)
        }
    }

    @Test(arguments: [
        (Invalidation.Way.known, 0, Debouncer.Change.complete), (.known, 5, .complete),
        (.newFile, 0, .modified), (.newFile, 5, .created),
        (.newFolder, 0, .begun), (.newFolder, 5, .written), (.unknown, 0, .begun), (.unknown, 5, .written),
    ])
    func `a file that appeared is left to its writer`(
        _ way: Invalidation.Way, _ size: Int, _ change: Debouncer.Change
    ) {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        var signature = FileSignature(fileDescriptor: -1)
        signature.size = Int64(size)
        path.end = WatchedPath.End(isDirectory: false, links: 1, signature: signature)
        #expect(
            invalidation(0, .incomplete)
                .change(of: path, before: nil, way: way, isInOtherFolder: false) == change)
    }

    @Test func `a file is gone at once only if its folder is another one that was put there as a whole`() {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        let before = WatchedPath.End(isDirectory: false, links: 1)
        func change(_ way: Invalidation.Way, isInOtherFolder: Bool) -> Debouncer.Change? {
            invalidation(0, .incomplete)
                .change(of: path, before: before, way: way, isInOtherFolder: isInOtherFolder)
        }
        #expect(change(.known, isInOtherFolder: true) == .complete)
        #expect(change(.newFolder, isInOtherFolder: true) == .removed)
        #expect(change(.known, isInOtherFolder: false) == .removed)
    }

    @Test(arguments: [
        (1, false, Debouncer.Change.written), (2, false, .complete), (1, true, .complete),
    ])
    func `a new file may be incomplete unless it appeared in one step`(
        _ links: Int, _ isDirectory: Bool, _ change: Debouncer.Change
    ) {
        let path = WatchedPath(.init(path: "/f", settling: .standard, safetyPoll: nil))
        path.end = WatchedPath.End(isDirectory: isDirectory, links: links)
        #expect(
            invalidation(0, .incomplete).change(
                of: path, before: nil, way: .unknown, isInOtherFolder: false) == change)
    }
}
