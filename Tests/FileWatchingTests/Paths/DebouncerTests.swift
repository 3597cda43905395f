import Testing

@testable import FileWatching

@Suite struct DebouncerTests {
    private let start = ContinuousClock.now
    private var debouncer = Debouncer(.standard)

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

    @Test mutating func `a write is due after a quiet period`() {
        debouncer.note(.written, at: start)
        let isTooEarly = debouncer.take(at: at(49))
        #expect(!isTooEarly)
        let isDue = debouncer.take(at: at(50))
        #expect(isDue)
    }

    @Test mutating func `each write prolongs the wait`() {
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

    @Test mutating func `closing ends the wait`() {
        debouncer.note(.written, at: start)
        debouncer.note(.closed, at: at(3))
        #expect(debouncer.due == at(3))
    }

    @Test mutating func `a write after closing begins another wait`() {
        debouncer.note(.closed, at: start)
        debouncer.note(.written, at: start)
        #expect(debouncer.due == at(50))
    }

    @Test mutating func `a file written continuously is due at the limit repeatedly`() {
        var delivered: [Int] = []
        for time in stride(from: 0, through: 1000, by: 10) {
            if debouncer.take(at: at(time)) { delivered.append(time) }
            debouncer.note(.written, at: at(time))
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
        debouncer.note(.written, at: start)
        debouncer.note(.attributes, at: at(5))
        #expect(debouncer.due == at(50))
    }

    @Test mutating func `changed attributes alone are due immediately`() {
        debouncer.note(.attributes, at: at(5))
        #expect(debouncer.due == at(5))
    }

    @Test func `every change is due immediately without settling`() {
        var debouncer = Debouncer(.none)
        debouncer.note(.written, at: start)
        let isDue = debouncer.take(at: start)
        #expect(isDue)
    }
}
