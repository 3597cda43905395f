import Testing

@testable import FileWatching

@Suite struct SettlerTests {
    private let start = ContinuousClock.now
    private var settler = Settler(.standard)

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    @Test func `nothing is due initially`() {
        #expect(settler.due == nil)
    }

    @Test mutating func `an atomic replacement is due immediately`() {
        settler.note(.complete, at: start)
        #expect(settler.due == start)
        let isDue = settler.take(at: start)
        #expect(isDue)
        #expect(settler.due == nil)
    }

    @Test mutating func `a write is due after a quiet period`() {
        settler.note(.written, at: start)
        let isTooEarly = settler.take(at: at(49))
        #expect(!isTooEarly)
        let isDue = settler.take(at: at(50))
        #expect(isDue)
    }

    @Test mutating func `each write prolongs the wait`() {
        settler.note(.written, at: start)
        settler.note(.written, at: at(40))
        #expect(settler.due == at(90))
    }

    @Test mutating func `closing ends the wait`() {
        settler.note(.written, at: start)
        settler.note(.closed, at: at(3))
        #expect(settler.due == at(3))
    }

    @Test mutating func `a write after closing begins another wait`() {
        settler.note(.closed, at: start)
        settler.note(.written, at: start)
        #expect(settler.due == at(50))
    }

    @Test mutating func `a file written continuously is due at the limit repeatedly`() {
        var delivered: [Int] = []
        for time in stride(from: 0, through: 1000, by: 10) {
            if settler.take(at: at(time)) { delivered.append(time) }
            settler.note(.written, at: at(time))
        }
        #expect(delivered == [250, 500, 750, 1000])
    }

    @Test mutating func `deleting and recreating is one event`() {
        settler.note(.gone, at: start)
        let isTooEarly = settler.take(at: at(10))
        #expect(!isTooEarly)
        settler.note(.complete, at: at(10))
        let isDue = settler.take(at: at(10))
        #expect(isDue)
        #expect(settler.due == nil)
    }

    @Test mutating func `changed attributes do not end a write in progress`() {
        settler.note(.written, at: start)
        settler.noteAttributes(at: at(5))
        #expect(settler.due == at(50))
    }

    @Test mutating func `changed attributes alone are due immediately`() {
        settler.noteAttributes(at: at(5))
        #expect(settler.due == at(5))
    }

    @Test func `every change is due immediately without settling`() {
        var settler = Settler(.none)
        settler.note(.written, at: start)
        let isDue = settler.take(at: start)
        #expect(isDue)
    }
}
