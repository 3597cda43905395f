import Testing

@testable import LayeredPrefs

/// The turns of observers and threads, without any thread.
@Suite struct DeliveryTurnsTests {
    private typealias Turns = DeliveryTurns<String>

    private let turns = Model(limit: 8)

    /// The turns under test, which remember the callbacks in progress by observer.
    private final class Model {
        private var turns: Turns
        private var calling: [String: Turns.Turn] = [:]

        init(limit: Int) { turns = Turns(limit: limit) }

        func add(_ observer: String, neverBlocks: Bool = false, hasThread: Bool = false) -> Turns.Effect {
            turns.add(observer, neverBlocks: neverBlocks, hasThread: hasThread)
        }

        func lead() -> Bool { turns.lead().leads }

        /// Returns the observer whose event a thread delivers next, and the effect.
        func next(isGuest: Bool = false) -> (observer: String, effect: Turns.Effect)? {
            guard case .call(let turn, let effect) = turns.next(isGuest: isGuest) else { return nil }
            calling[turn.queue] = turn
            return (turn.queue, effect)
        }

        /// Ends an observer's callback; returns false if its thread leaves.
        func finish(_ observer: String, again: Bool = false) -> Bool {
            guard let turn = calling.removeValue(forKey: observer) else { return false }
            return turns.finish(turn, again: again).stays
        }

        func endTiming() -> Turns.Effect { turns.endTiming() }

        func check(_ callback: UInt64) -> Turns.Effect { turns.check(callback) }

        var threads: Int { turns.threads }
    }

    @Test func `the first event starts a thread and later ones do not`() {
        #expect(turns.add("a") == .recruit(starting: 1, waking: 0))
        #expect(turns.add("b") == .nothing)
        #expect(turns.next()?.observer == "a")
        #expect(turns.finish("a"))
        #expect(turns.add("a") == .nothing)
    }

    @Test func `a thread that waits is woken instead of starting another`() {
        _ = turns.add("a")
        _ = turns.next()
        _ = turns.finish("a")
        #expect(turns.next() == nil)
        #expect(turns.add("b") == .recruit(starting: 0, waking: 1))
        #expect(turns.threads == 1)
    }

    @Test func `observers are served in turn`() {
        for observer in ["a", "b"] { _ = turns.add(observer) }
        for expected in ["a", "b", "a", "b"] {
            #expect(turns.next()?.observer == expected)
            #expect(turns.finish(expected, again: true))
        }
    }

    @Test func `a callback is checked only if observers wait behind it`() {
        _ = turns.add("a")
        #expect(turns.next()?.effect == .nothing)
        #expect(turns.add("b") == .checkLater(callback: 1))
        #expect(turns.add("c") == .nothing)
    }

    @Test func `an event that cannot block is never checked`() {
        _ = turns.add("commits", neverBlocks: true)
        _ = turns.add("a")
        #expect(turns.next()?.effect == .nothing)
        #expect(turns.add("b") == .nothing)
        #expect(turns.finish("commits"))
        #expect(turns.next()?.effect == .checkLater(callback: 1))
    }

    @Test func `another thread takes over from a blocked one, which leaves when its callback returns`() {
        _ = turns.add("slow")
        _ = turns.add("quick")
        #expect(turns.next()?.observer == "slow")
        #expect(turns.check(1) == .recruit(starting: 1, waking: 0))
        #expect(turns.next()?.observer == "quick")
        #expect(!turns.finish("slow", again: true))
        #expect(turns.finish("quick"))
        #expect(turns.next()?.observer == "slow")
        #expect(turns.finish("slow"))
        #expect(turns.threads == 1)
    }

    @Test func `a thread that finished in time is kept, and its next callback is checked`() {
        for observer in ["a", "b", "c"] { _ = turns.add(observer) }
        #expect(turns.next()?.effect == .checkLater(callback: 1))
        #expect(turns.finish("a"))
        #expect(turns.next()?.effect == .nothing)
        #expect(turns.check(1) == .checkLater(callback: 2))
        #expect(turns.check(2) == .recruit(starting: 1, waking: 0))
    }

    @Test func `nothing takes over while no observer waits`() {
        _ = turns.add("a")
        _ = turns.next()
        #expect(turns.check(1) == .nothing)
    }

    @Test func `each time that all are blocked four times as many take over, up to the limit`() {
        for number in 0..<20 { _ = turns.add("\(number)") }
        _ = turns.next()
        #expect(turns.check(1) == .recruit(starting: 1, waking: 0))
        _ = turns.next()
        #expect(turns.check(2) == .recruit(starting: 4, waking: 0))
        #expect((0..<4).map { _ in turns.next()?.effect }.first == .checkLater(callback: 6))
        #expect(turns.check(6) == .recruit(starting: 2, waking: 0))
        for _ in 0..<2 { _ = turns.next() }
        #expect(turns.check(8) == .nothing)
        #expect(turns.threads == 8)
        #expect(turns.finish("3"))
        #expect(turns.next()?.observer == "8")
    }

    @Test func `a thread that leads takes the time itself`() {
        for observer in ["a", "b"] { _ = turns.add(observer, hasThread: true) }
        _ = turns.lead()
        #expect(turns.next(isGuest: true)?.effect == .nothing)
        #expect(turns.add("c") == .nothing)
        #expect(turns.endTiming() == .recruit(starting: 1, waking: 0))
        #expect(turns.endTiming() == .nothing)
        #expect(turns.next()?.observer == "b")
        #expect(!turns.finish("a"))
    }

    @Test func `a thread that leads delivers what it added, unless another one does`() {
        #expect(turns.add("a", hasThread: true) == .nothing)
        #expect(turns.lead())
        #expect(turns.add("b") == .nothing)
        #expect(turns.next(isGuest: true)?.observer == "a")
        #expect(!turns.lead())
        #expect(turns.finish("a"))
        #expect(turns.next(isGuest: true)?.observer == "b")
        #expect(turns.finish("b"))
        #expect(turns.next(isGuest: true) == nil)
        #expect(turns.threads == 0)
    }
}
