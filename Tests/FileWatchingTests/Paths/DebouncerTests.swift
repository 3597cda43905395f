import Testing

@testable import FileWatching

@Suite struct DebouncerTests {
    private let start = ContinuousClock.now
    private var debouncer = Debouncer(
        FileSettling(quiet: .milliseconds(50), limit: .milliseconds(250)))

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    @Test func `nothing is due initially`() {
        #expect(debouncer.due == nil)
    }

    @Test mutating func `an atomic replacement is due immediately`() {
        debouncer.note(.complete, at: start)
        #expect(debouncer.due == start)
        let isDue = debouncer.take(at: start)
        #expect(isDue)
        #expect(debouncer.due == nil)
    }

    @Test mutating func `a new file is due after a quiet period`() {
        debouncer.note(.written, at: start)
        let isTooEarly = debouncer.take(at: at(49))
        #expect(!isTooEarly)
        let isDue = debouncer.take(at: at(50))
        #expect(isDue)
    }

    @Test mutating func `a file whose writer seems to have just begun is due after a longer period`() {
        var debouncer = Debouncer(.standard)
        debouncer.note(.begun, at: start)
        #expect(debouncer.due == at(1000))
        debouncer.note(.closed, at: at(20))
        #expect(debouncer.due == at(20))
    }

    @Test mutating func `each change of a new file prolongs the wait`() {
        debouncer.note(.written, at: start)
        debouncer.note(.written, at: at(40))
        #expect(debouncer.due == at(90))
    }

    @Test func `a wait without end does not overflow`() {
        let forever = Duration(attoseconds: .max)
        var debouncer = Debouncer(FileSettling(quiet: forever, limit: forever))
        debouncer.note(.written, at: start)
        debouncer.note(.written, at: at(40))
        #expect(debouncer.due.map { $0 > start + .seconds(86_400 * 365) } == true)
        debouncer.note(.closed, at: at(50))
        #expect(debouncer.due == at(50))
    }

    @Test(arguments: [Debouncer.Change.closed, .complete])
    func `closing or replacing a file ends the wait`(_ end: Debouncer.Change) {
        for change in [Debouncer.Change.modified, .written] {
            var debouncer = debouncer
            debouncer.note(change, at: start)
            debouncer.note(end, at: at(3))
            #expect(debouncer.due == at(3))
        }
    }

    @Test mutating func `a file that stays open is due at the limit, however long its writer pauses`() {
        debouncer.note(.modified, at: start)
        #expect(debouncer.due == at(250))
        debouncer.note(.modified, at: at(200))
        #expect(debouncer.due == at(250))
    }

    @Test mutating func `a write after closing begins another wait`() {
        debouncer.note(.closed, at: start)
        debouncer.note(.modified, at: start)
        #expect(debouncer.due == at(250))
    }

    @Test mutating func `a file found changed is left to the writer that has it open`() {
        debouncer.note(.modified, at: start)
        debouncer.note(.written, at: at(10))
        #expect(debouncer.due == at(250))
    }

    @Test mutating func `deleting ends the wait for the writer that has the file open`() {
        debouncer.note(.modified, at: start)
        debouncer.note(.removed, at: at(10))
        #expect(debouncer.due == at(60))
    }

    @Test(arguments: [Debouncer.Change.modified, .written])
    func `a file written continuously is due at the limit repeatedly`(_ change: Debouncer.Change) {
        var debouncer = debouncer
        var delivered: [Int] = []
        for time in stride(from: 0, through: 1000, by: 10) {
            if debouncer.take(at: at(time)) { delivered.append(time) }
            debouncer.note(change, at: at(time))
        }
        #expect(delivered == [250, 500, 750, 1000])
    }

    @Test mutating func `deleting and recreating is one event`() {
        debouncer.note(.removed, at: start)
        let isTooEarly = debouncer.take(at: at(10))
        #expect(!isTooEarly)
        debouncer.note(.complete, at: at(10))
        let isDue = debouncer.take(at: at(10))
        #expect(isDue)
        #expect(debouncer.due == nil)
    }

    @Test mutating func `changed attributes do not end a write in progress`() {
        debouncer.note(.modified, at: start)
        debouncer.note(.attributes, at: at(5))
        #expect(debouncer.due == at(250))
    }

    @Test mutating func `changed attributes alone are due immediately`() {
        debouncer.note(.attributes, at: at(5))
        #expect(debouncer.due == at(5))
    }

    @Test func `every change is due immediately without settling`() {
        var debouncer = Debouncer(.none)
        debouncer.note(.modified, at: start)
        let isDue = debouncer.take(at: start)
        #expect(isDue)
    }
}
