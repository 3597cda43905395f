import Testing

@testable import PrefsSystem

/// The decisions of a loop about its threads, without any thread.
@Suite struct LoopThreadsTests {
    private typealias Threads = LoopThreads<String>

    private let loop = Model(limit: 8)

    /// A loop whose threads are numbers. The test moves them on.
    private final class Model {
        private var threads: Threads
        private var tasks: [UInt: Threads.Task] = [:]
        var now = Duration.zero

        init(limit: Int) { threads = Threads(limit: limit, patience: .milliseconds(20)) }

        /// Adds callbacks from outside of the loop. Returns the numbers of threads started and woken.
        func add(_ work: String..., on thread: UInt = 0, as kind: EventLoop.Kind = .callback) -> [Int] {
            counts(work.map { threads.add($0, kind, on: thread) }.reduce(Threads.Recruits(), +))
        }

        func arrive(_ thread: UInt) -> String { note(threads.arrive(at: now, on: thread), thread) }

        func finish(_ thread: UInt) -> String {
            guard let task = tasks.removeValue(forKey: thread) else { return "no work" }
            return note(threads.finish(task, at: now, on: thread), thread)
        }

        /// Lets the leading thread hand over. Returns its work and the numbers of threads started and woken.
        func handOver(_ thread: UInt, _ own: String...) -> (String, [Int])? {
            guard let (task, recruits) = threads.handOver(own, at: now, on: thread) else { return nil }
            return (note(.work(task), thread), counts(recruits))
        }

        func relieve(_ thread: UInt, at milliseconds: Int) -> String {
            now = .milliseconds(milliseconds)
            return note(threads.relieve(at: now), thread)
        }

        func summonLeader(on thread: UInt?) -> [Int] { counts(threads.summonLeader(on: thread)) }

        func check(at milliseconds: Int) -> [Int] {
            now = .milliseconds(milliseconds)
            return counts(threads.check(at: now))
        }

        func failToStart() { threads.failToStart() }

        func parkNone() { threads.canPark = false }

        var checkDue: Duration? { threads.needsCheck ? threads.checkDue : nil }
        var reliefDue: Duration? { threads.reliefDue }
        var total: Int { threads.total }

        private func counts(_ recruits: Threads.Recruits) -> [Int] { [recruits.starting, recruits.waking] }

        private func note(_ step: Threads.Step, _ thread: UInt) -> String {
            switch step {
            case .lead: return "lead"
            case .park: return "park"
            case .end: return "end"
            case .work(let task):
                tasks[thread] = task
                return task.work
            }
        }
    }

    /// Starts the first two threads: thread 2 leads, and thread 1 has done some work and is parked.
    private func begin() {
        #expect(loop.add("first") == [1, 0])
        #expect(loop.arrive(1) == "lead")
        #expect(loop.handOver(1)?.0 == "first")
        #expect(loop.arrive(2) == "lead")
        #expect(loop.finish(1) == "park")
    }

    @Test func `the first work starts a thread that works and one that leads, and they remain`() {
        begin()
        #expect(loop.total == 2)
        #expect(loop.add("next") == [0, 1])
        #expect(loop.arrive(1) == "next")
        #expect(loop.finish(1) == "park")
    }

    @Test func `the leading thread does what it finds and leads again, and no other is woken`() {
        begin()
        #expect(loop.handOver(2)?.0 == nil)
        let (work, recruits) = loop.handOver(2, "edit") ?? ("", [])
        #expect(work == "edit")
        #expect(recruits == [0, 0])
        #expect(loop.reliefDue == .milliseconds(20))
        #expect(loop.finish(2) == "lead")
        #expect(loop.reliefDue == nil)
        #expect(loop.relieve(1, at: 20) == "park")
    }

    @Test func `the parked thread leads if what the leading one has found takes long`() {
        begin()
        _ = loop.handOver(2, "edit")
        #expect(loop.relieve(1, at: 19) == "park")
        #expect(loop.relieve(1, at: 20) == "lead")
        #expect(loop.reliefDue == nil)
        #expect(loop.finish(2) == "park")
        // The same again, with the other thread.
        _ = loop.handOver(1, "edit")
        #expect(loop.reliefDue == .milliseconds(40))
        #expect(loop.relieve(2, at: 40) == "lead")
    }

    @Test func `the leading thread hands over at once if there is more to do`() {
        begin()
        _ = loop.add("slow", on: 2)
        #expect(loop.handOver(2, "edit")?.1 == [0, 0])
        #expect(loop.arrive(1) == "lead")
        #expect(loop.reliefDue == nil)
        #expect(loop.finish(2) == "slow")
    }

    @Test func `a thread calls the observers of what it reads before it leads again`() {
        begin()
        _ = loop.handOver(2, "edit")
        #expect(loop.add("observer", on: 2) == [0, 0])
        #expect(loop.finish(2) == "observer")
        #expect(loop.reliefDue == .milliseconds(20))
        #expect(loop.finish(2) == "lead")
    }

    @Test func `a thread that has found much leads again in between`() {
        begin()
        _ = loop.handOver(2, "edit")
        _ = loop.add("observer", "other observer", on: 2)
        #expect(loop.finish(2) == "observer")
        #expect(loop.check(at: 20) == [0, 1])
        #expect(loop.arrive(1) == "lead")
    }

    @Test func `the observers of a write do not wait for a thread that reads`() {
        begin()
        _ = loop.handOver(2, "edit")
        #expect(loop.add("observer") == [1, 1])
        #expect(loop.arrive(1) == "observer")
        #expect(loop.arrive(3) == "lead")
    }

    @Test func `whoever needs a thread that leads wakes the parked one while another thread works`() {
        begin()
        _ = loop.handOver(2, "edit")
        #expect(loop.summonLeader(on: 2) == [0, 0])
        #expect(loop.summonLeader(on: nil) == [0, 1])
        #expect(loop.finish(2) == "park")
        #expect(loop.arrive(1) == "lead")
    }

    @Test func `a thread that cannot be parked ends, and another is started to lead`() {
        loop.parkNone()
        #expect(loop.add("first") == [1, 0])
        #expect(loop.arrive(1) == "lead")
        #expect(loop.handOver(1)?.1 == [1, 0])
        #expect(loop.arrive(2) == "lead")
        #expect(loop.finish(1) == "end")
        #expect(loop.handOver(2, "edit")?.1 == [1, 0])
        #expect(loop.total == 2)
    }

    @Test func `a callback does not delay the library's own work`() {
        begin()
        _ = loop.add("slow", "next")
        #expect(loop.arrive(1) == "slow")
        #expect(loop.add("retry", as: .own) == [1, 0])
        #expect(loop.arrive(3) == "retry")
        #expect(loop.handOver(2, "edit")?.0 == "edit")
    }

    @Test func `callbacks are made in turn by one thread`() {
        begin()
        #expect(loop.add("a", "b", "c") == [0, 1])
        #expect(loop.arrive(1) == "a")
        #expect(loop.finish(1) == "b")
        #expect(loop.finish(1) == "c")
    }

    @Test func `work behind a callback asks for a check`() {
        begin()
        _ = loop.add("a")
        #expect(loop.arrive(1) == "a")
        #expect(loop.checkDue == nil)
        #expect(loop.add("b") == [0, 0])
        #expect(loop.checkDue == .milliseconds(20))
        #expect(loop.check(at: 19) == [0, 0])
    }

    @Test func `another thread goes on in place of a late one, which ends with its callback`() {
        begin()
        _ = loop.add("slow", "quick")
        #expect(loop.arrive(1) == "slow")
        #expect(loop.check(at: 20) == [1, 0])
        #expect(loop.arrive(3) == "quick")
        #expect(loop.finish(1) == "park")
        #expect(loop.finish(3) == "end")
        #expect(loop.total == 2)
    }

    @Test func `what comes after a late callback does not wait for another check`() {
        begin()
        _ = loop.add("slow")
        #expect(loop.arrive(1) == "slow")
        #expect(loop.check(at: 20) == [0, 0])
        #expect(loop.add("quick") == [1, 0])
    }

    @Test func `each time that all are late four times as many go on, up to the limit`() {
        begin()
        for number in 0..<20 { _ = loop.add("\(number)") }
        #expect(loop.arrive(1) == "0")
        #expect(loop.check(at: 20) == [1, 0])
        #expect(loop.arrive(3) == "1")
        // Two threads stay free of callbacks.
        #expect(loop.check(at: 40) == [4, 0])
        for thread in 4...7 as ClosedRange<UInt> { #expect(loop.arrive(thread) == "\(thread - 2)") }
        #expect(loop.check(at: 60) == [0, 0])
        #expect(loop.total == 7)
        #expect(loop.handOver(2, "edit")?.1 == [1, 0])
        #expect(loop.arrive(8) == "lead")
        #expect(loop.finish(2) == "park")
        // A callback that returns makes room for the next one.
        #expect(loop.finish(5) == "6")
    }

    @Test func `at the limit the leading thread goes on leading, and work waits for a thread`() {
        let loop = Model(limit: 3)
        _ = loop.add("first")
        _ = (loop.arrive(1), loop.handOver(1))
        #expect(loop.arrive(2) == "lead")
        #expect(loop.handOver(2, "edit")?.1 == [1, 0])
        #expect(loop.arrive(3) == "lead")
        #expect(loop.handOver(3, "other edit")?.0 == nil)
        #expect(loop.finish(2) == "other edit")
    }

    @Test func `a thread that works without one that leads leads afterwards`() {
        begin()
        _ = loop.add("a")
        #expect(loop.arrive(1) == "a")
        #expect(loop.handOver(2, "edit")?.1 == [1, 0])
        loop.failToStart()
        #expect(loop.finish(1) == "lead")
        #expect(loop.finish(2) == "park")
        #expect(loop.total == 2)
    }
}
