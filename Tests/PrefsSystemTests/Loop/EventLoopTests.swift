import Dispatch
import TestSupport
import Testing

@testable import PrefsSystem

@Suite struct EventLoopTests {
    /// The observations of threads, in order, with a bell for each entry.
    private final class Log: Sendable {
        private let entries = Lock<[String]>([])
        private let bell = DispatchSemaphore(value: 0)

        var all: [String] { entries.withLock { $0 } }

        func add(_ entry: String) {
            entries.withLock { $0.append(entry) }
            bell.signal()
        }

        func wait(for count: Int) { for _ in 0..<count { bell.wait() } }
    }

    /// The two ends of a pipe.
    private final class Channel: Sendable {
        let reader: Int32
        private let writer: Int32

        init() {
            var ends: [Int32] = [-1, -1]
            #expect(unsafe pipe(&ends) == 0)
            (reader, writer) = (ends[0], ends[1])
        }

        deinit {
            close(reader)
            close(writer)
        }

        func put() {
            var byte: UInt8 = 1
            #expect(unsafe write(writer, &byte, 1) == 1)
        }

        func take() {
            var byte: UInt8 = 0
            #expect(unsafe read(reader, &byte, 1) == 1)
        }
    }

    private let time = VirtualTime()
    private let log = Log()

    /// Returns a function that starts one thread, and then fails.
    private static func onlyOneThread() -> @Sendable (@escaping EventLoop.Work) -> Bool {
        let started = Lock(0)
        return { body in
            let isFirst = started.withLock { started in
                started += 1
                return started == 1
            }
            return isFirst && BackgroundThread.start(named: "prefs-loop", body)
        }
    }

    private static func isIdle(_ loop: EventLoop) -> Bool {
        loop.state.withLock { $0.threads.busyCount == 0 && $0.threads.summoned == 0 }
    }

    @Test func `a thread that finds an event does its work while another waits for the next`() {
        let loop = EventLoop(idleTimeout: .zero)
        let (channel, released) = (Channel(), DispatchSemaphore(value: 0))
        let thread = Lock<UInt>(0)
        let registration = loop.register(channel.reader, for: Int16(POLLIN)) { [log] in
            channel.take()
            thread.withLock { $0 = BackgroundThread.current }
            return {
                log.add(thread.withLock { $0 } == BackgroundThread.current ? "found here" : "found elsewhere")
                released.wait()
            }
        }
        for _ in 0..<5 {
            channel.put()
            log.wait(for: 1)
        }
        #expect(log.all.allSatisfy { $0 == "found here" })
        for _ in 0..<5 { released.signal() }
        loop.deregister(registration)
        #expect(eventually { loop.threadCount == 0 })
    }

    @Test func `one thread follows events whose work is done quickly`() {
        let loop = EventLoop(time: time)
        let channel = Channel()
        let threads = Lock<[UInt]>([])
        let registration = loop.register(channel.reader, for: Int16(POLLIN)) { [log] in
            channel.take()
            return {
                threads.withLock { $0.append(BackgroundThread.current) }
                log.add("event")
            }
        }
        for _ in 0..<100 {
            channel.put()
            log.wait(for: 1)
            #expect(eventually { Self.isIdle(loop) })
        }
        // When the first event comes, the loop has no second thread yet.
        #expect(threads.withLock { Set($0.dropFirst()).count } == 1)
        #expect(loop.threadCount == 2)
        loop.deregister(registration)
    }

    @Test func `another thread leads if work takes longer than 20 ms`() {
        let loop = EventLoop(time: time)
        let (channel, released) = (Channel(), DispatchSemaphore(value: 0))
        let registration = loop.register(channel.reader, for: Int16(POLLIN)) { [log] in
            channel.take()
            return {
                log.add("event")
                released.wait()
            }
        }
        // Both threads exist after the first event.
        channel.put()
        log.wait(for: 1)
        released.signal()
        #expect(eventually { Self.isIdle(loop) })
        for count in 1...10 {
            channel.put()
            log.wait(for: 1)
            channel.put()
            time.advance(to: .milliseconds(100 * count), in: loop)
            log.wait(for: 1)
            released.signal()
            released.signal()
            #expect(eventually { Self.isIdle(loop) })
        }
        loop.deregister(registration)
    }

    @Test func `two threads remain while there is something to wait for`() {
        let loop = EventLoop(idleTimeout: .zero)
        let (channel, meeting) = (Channel(), DispatchSemaphore(value: 0))
        let registration = loop.register(channel.reader, for: Int16(POLLIN)) { nil }
        for _ in 0..<10 {
            loop.post { [log] in
                log.add("works")
                meeting.wait()
            }
        }
        for _ in 0..<10 { meeting.signal() }
        log.wait(for: 10)
        #expect(eventually { loop.threadCount == 2 })
        loop.deregister(registration)
        #expect(eventually { loop.threadCount == 0 })
    }

    @Test func `timers go off when their time has come, unless they are cancelled`() {
        let loop = EventLoop(time: time)
        let timers = [30, 10, 20].map { due in
            loop.setTimer(at: .milliseconds(due)) { [log] in { log.add("\(due)") } }
        }
        loop.post { [log] in log.add("none yet") }
        log.wait(for: 1)
        loop.cancel(timers[1])
        time.advance(to: .milliseconds(20), in: loop)
        log.wait(for: 1)
        time.advance(to: .milliseconds(30), in: loop)
        log.wait(for: 1)
        #expect(log.all == ["none yet", "20", "30"])
    }

    @Test(arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max)])
    func `a call that is delayed for ever is not made, and delays no other`(delay: Duration) {
        let loop = EventLoop()
        loop.run(after: delay) { [log] in log.add("late") }
        loop.run(after: .milliseconds(1)) { [log] in log.add("soon") }
        log.wait(for: 1)
        #expect(log.all == ["soon"])
    }

    @Test func `posted work is done in order`() {
        let loop = EventLoop(time: time)
        for number in 0..<100 { loop.post { [log] in log.add("\(number)") } }
        log.wait(for: 100)
        #expect(log.all == (0..<100).map(String.init))
    }

    @Test func `fifty blocked callbacks delay another by four checks`() {
        let loop = EventLoop(time: time)
        let released = DispatchSemaphore(value: 0)
        for _ in 0..<50 {
            loop.post(.callback) { [log] in
                log.add("blocked")
                released.wait()
            }
        }
        loop.post(.callback) { [log] in log.add("called") }
        log.wait(for: 1)
        // All threads are in callbacks before each check.
        for (check, count) in [1, 4, 16, 29].enumerated() {
            time.advance(to: .milliseconds(20 * (check + 1)), in: loop)
            log.wait(for: count)
        }
        #expect(log.all.contains("called"))
        for _ in 0..<50 { released.signal() }
    }

    @Test func `ten thousand blocked callbacks leave threads for the library's own work`() {
        let loop = EventLoop(time: time)
        let (channel, released) = (Channel(), DispatchSemaphore(value: 0))
        let isOver = Lock(false)
        for _ in 0..<10_000 {
            loop.post(.callback) { [log] in
                if isOver.withLock({ $0 }) { return }
                log.add("blocked")
                released.wait()
            }
        }
        log.wait(for: 1)
        for (check, count) in [1, 4, 16, 40].enumerated() {
            time.advance(to: .milliseconds(20 * (check + 1)), in: loop)
            log.wait(for: count)
        }
        time.advance(to: .seconds(1), in: loop)
        let registration = loop.register(channel.reader, for: Int16(POLLIN)) { [log] in
            channel.take()
            return { log.add("edit") }
        }
        for _ in 0..<10 {
            channel.put()
            log.wait(for: 1)
            #expect(log.all.last == "edit")
        }
        #expect(loop.threadCount <= 64)
        #expect(log.all.count { $0 == "blocked" } == 62)
        isOver.withLock { $0 = true }
        for _ in 0..<62 { released.signal() }
        loop.deregister(registration)
    }

    @Test func `one thread does everything if no other can be created`() {
        let loop = EventLoop(time: time, startThread: Self.onlyOneThread())
        _ = loop.setTimer(at: .milliseconds(10)) { [log] in { log.add("timer") } }
        for number in 0..<3 { loop.post(.callback) { [log] in log.add("\(number)") } }
        log.wait(for: 3)
        time.advance(to: .milliseconds(10), in: loop)
        log.wait(for: 1)
        #expect(log.all == ["0", "1", "2", "timer"])
        #expect(loop.threadCount == 1)
    }

    @Test func `a call on the leading thread is made by it, or refused if there is none`() {
        let loop = EventLoop(time: time)
        call(on: loop)
        log.wait(for: 1)
        let none = EventLoop(time: time) { _ in false }
        call(on: none)
        #expect(log.all == ["made", "refused"])
    }

    @Test func `work may wait for a call on the leading thread`() {
        let loop = EventLoop(time: time)
        let channel = Channel()
        let registration = loop.register(channel.reader, for: Int16(POLLIN)) { [log] in
            channel.take()
            return {
                let isDone = DispatchSemaphore(value: 0)
                loop.callOnLeadingThread {
                    isDone.signal()
                } otherwise: {
                }
                log.add(isDone.wait(timeout: .now() + 60) == .success ? "made" : "not made")
            }
        }
        for _ in 0..<10 {
            channel.put()
            log.wait(for: 1)
            #expect(eventually { Self.isIdle(loop) })
        }
        #expect(log.all == Array(repeating: "made", count: 10))
        loop.deregister(registration)
    }

    private func call(on loop: EventLoop) {
        loop.callOnLeadingThread { [log] in
            log.add("made")
        } otherwise: { [log] in
            log.add("refused")
        }
    }

    @Test func `a call on the leading thread is refused while the only thread works`() {
        let loop = EventLoop(time: time, startThread: Self.onlyOneThread())
        let released = DispatchSemaphore(value: 0)
        loop.post { [log] in
            log.add("works")
            released.wait()
        }
        log.wait(for: 1)
        call(on: loop)
        #expect(log.all == ["works", "refused"])
        released.signal()
    }

    @Test func `work that is posted by work of the loop is done by the same thread`() {
        let loop = EventLoop(time: time)
        loop.post { [log] in
            let thread = BackgroundThread.current
            loop.post(.callback) { log.add(thread == BackgroundThread.current ? "here" : "elsewhere") }
            log.add(loop.isDoingOwnWork ? "first" : "lost")
        }
        log.wait(for: 2)
        #expect(log.all == ["first", "here"])
        #expect(!loop.isDoingOwnWork)
    }

    @Test func `every event, timer and piece of work is served once, whoever leads`() {
        let loop = EventLoop(idleTimeout: .zero)
        let channels = (0..<4).map { _ in Channel() }
        let handling = Lock(0)
        let overlaps = Tally()
        let registrations = channels.map { channel in
            loop.register(channel.reader, for: Int16(POLLIN)) { [log] in
                if handling.withLock({ count in
                    count += 1
                    return count
                }) > 1 {
                    overlaps.add()
                }
                channel.take()
                handling.withLock { $0 -= 1 }
                return { log.add("event") }
            }
        }
        for channel in channels {
            let isStarted = BackgroundThread.start(named: "test") { [log] in
                for number in 0..<250 {
                    channel.put()
                    loop.post(number.isMultiple(of: 2) ? .own : .callback) { log.add("work") }
                    loop.run(after: .microseconds(number)) { log.add("timer") }
                    loop.cancel(loop.setTimer(at: .seconds(1000)) { { log.add("cancelled") } })
                }
            }
            #expect(isStarted)
        }
        log.wait(for: 3000)
        let counts = ["event", "timer", "work", "cancelled"].map { kind in log.all.count { $0 == kind } }
        #expect(counts == [1000, 1000, 1000, 0])
        #expect(overlaps.count == 0)
        for registration in registrations { loop.deregister(registration) }
        #expect(eventually { loop.threadCount == 0 })
    }
}
