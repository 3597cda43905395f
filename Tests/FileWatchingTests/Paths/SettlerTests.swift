import Testing

@testable import FileWatching

@Suite struct SettlerTests {
    private let start = ContinuousClock.now
    private var settler = Settler(.standard)

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    @Test func nothingIsDueInTheBeginning() {
        #expect(settler.due == nil)
    }

    @Test mutating func anAtomicReplaceIsDueAtOnce() {
        settler.note(.complete, at: start)
        #expect(settler.due == start)
        let isDue = settler.take(at: start)
        #expect(isDue)
        #expect(settler.due == nil)
    }

    @Test mutating func aWriteIsDueAfterSilence() {
        settler.note(.written, at: start)
        let isTooEarly = settler.take(at: at(49))
        #expect(!isTooEarly)
        let isDue = settler.take(at: at(50))
        #expect(isDue)
    }

    @Test mutating func eachWriteProlongsTheWait() {
        settler.note(.written, at: start)
        settler.note(.written, at: at(40))
        #expect(settler.due == at(90))
    }

    @Test mutating func closingEndsTheWait() {
        settler.note(.written, at: start)
        settler.note(.closed, at: at(3))
        #expect(settler.due == at(3))
    }

    @Test mutating func aWriteAfterClosingBeginsAnotherWait() {
        settler.note(.closed, at: start)
        settler.note(.written, at: start)
        #expect(settler.due == at(50))
    }

    @Test mutating func aFileWrittenForEverIsDueAtTheLimitAgainAndAgain() {
        var delivered: [Int] = []
        for time in stride(from: 0, through: 1000, by: 10) {
            if settler.take(at: at(time)) { delivered.append(time) }
            settler.note(.written, at: at(time))
        }
        #expect(delivered == [250, 500, 750, 1000])
    }

    @Test mutating func goneAndBackIsOneEvent() {
        settler.note(.gone, at: start)
        let isTooEarly = settler.take(at: at(10))
        #expect(!isTooEarly)
        settler.note(.complete, at: at(10))
        let isDue = settler.take(at: at(10))
        #expect(isDue)
        #expect(settler.due == nil)
    }

    @Test mutating func attributesDoNotEndAWriteThatGoesOn() {
        settler.note(.written, at: start)
        settler.noteAttributes(at: at(5))
        #expect(settler.due == at(50))
    }

    @Test mutating func attributesAloneAreDueAtOnce() {
        settler.noteAttributes(at: at(5))
        #expect(settler.due == at(5))
    }

    @Test func withoutSettlingEverythingIsDueAtOnce() {
        var settler = Settler(.none)
        settler.note(.written, at: start)
        let isDue = settler.take(at: start)
        #expect(isDue)
    }
}
