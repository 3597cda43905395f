import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite struct ReloadQueueTests {
    private final class File: Reloadable {
        let name: String
        let log: Log<String>

        init(_ name: String, _ log: Log<String>) {
            self.name = name
            self.log = log
        }

        func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
            log.add("read \(name): \(cause)")
            return { [log, name] in log.add("notify \(name)") }
        }
    }

    private let log = Log<String>()
    private let scheduler = VirtualScheduler()

    @Test func `all edited files are read before any observer is notified`() {
        let queue = ReloadQueue(.immediate, scheduler: scheduler)
        let files = [File("a", log), File("b", log)]
        for file in files { queue.note(file, .file) }
        #expect(log.all.isEmpty)
        queue.run()
        #expect(Set(log.all.prefix(2)) == ["read a: file", "read b: file"])
        #expect(Set(log.all.suffix(2)) == ["notify a", "notify b"])
    }

    @Test func `a file edited often is read once, and a requested check remains the cause`() {
        let queue = ReloadQueue(.trailingEdge(.seconds(1)), scheduler: scheduler)
        let file = File("a", log)
        for cause in [PrefsChangeCause.file, .reload, .file] {
            queue.note(file, cause)
            queue.run()
        }
        scheduler.advance(to: .seconds(10))
        #expect(log.all == ["read a: reload", "notify a"])
    }

    @Test func `an edit that changes nothing does not delay the next one`() {
        let queue = ReloadQueue(.leadingEdge(.seconds(1)), scheduler: scheduler)
        let (folder, files) = (UnchangedFile(), [File("a", log), File("b", log)])
        for file in [folder, files[0], files[1]] as [any Reloadable] {
            queue.note(file, .file)
            queue.run()
        }
        #expect(log.all == ["read a: file", "notify a"])
        scheduler.advance(to: .seconds(1))
        #expect(log.all == ["read a: file", "notify a", "read b: file", "notify b"])
        scheduler.advance(to: .seconds(1.5))
        queue.note(folder, .file)
        queue.run()
        scheduler.advance(to: .seconds(10))
        queue.note(folder, .file)
        queue.run()
        queue.note(files[0], .file)
        queue.run()
        #expect(log.all.suffix(2) == ["read a: file", "notify a"])
    }

    @Test func `a queue that is released reads the edits that are left`() {
        let file = File("a", log)
        do {
            let queue = ReloadQueue(.trailingEdge(.seconds(1)), scheduler: scheduler)
            queue.note(file, .file)
            queue.run()
            #expect(log.all.isEmpty)
        }
        #expect(log.all == ["read a: file", "notify a"])
        scheduler.advance(to: .seconds(10))
        #expect(log.all.count == 2)
    }

    private final class UnchangedFile: Reloadable {
        func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { nil }
    }

    @Test func `a released file is not read`() {
        let queue = ReloadQueue(.immediate, scheduler: scheduler)
        var file: File? = File("a", log)
        if let file { queue.note(file, .file) }
        file = nil
        queue.run()
        #expect(log.all.isEmpty)
    }

    @Test func `waiting ends when no read is under way`() {
        let queue = ReloadQueue(.immediate, scheduler: scheduler)
        queue.whenNotified { [log] in log.add("idle") }
        let file = File("a", log)
        queue.note(file, .file)
        queue.run()
        queue.whenNotified { [log] in log.add("idle") }
        #expect(log.all == ["idle", "read a: file", "notify a", "idle"])
    }

    @Test func `the outermost storage's queue reads the files`() {
        let sources = (0..<3).map { _ in PrefsChangeSource(isExact: true, coalescing: .immediate) }
        let own = sources.map(\.reloads)
        sources[0].join(sources[1])
        sources[1].join(sources[2])
        #expect(own[0] !== own[2])
        #expect(sources.allSatisfy { $0.reloads === own[2] })
    }

    @Test func `an edit noted before a source joined its container is read`() {
        let (inner, outer) = (
            PrefsChangeSource(isExact: true, coalescing: .immediate),
            PrefsChangeSource(isExact: true, coalescing: .immediate)
        )
        let file = File("a", log)
        inner.reloads?.note(file, .file)
        inner.join(outer)
        inner.runReloads()
        #expect(log.all == ["read a: file", "notify a"])
    }

    @Test func `a source without files has no queue, and a lost container leaves its files to themselves`() {
        #expect(PrefsChangeSource().reloads == nil)
        let inner = PrefsChangeSource(isExact: true, coalescing: .immediate)
        var outer: PrefsChangeSource? = PrefsChangeSource(isExact: true, coalescing: .immediate)
        if let outer { inner.join(outer) }
        #expect(inner.reloads === outer?.reloads)
        outer = nil
        #expect(inner.reloads != nil)
    }
}
