import Testing

@testable import FileWatching

@Suite struct PollScheduleTests {
    private let start = ContinuousClock.now
    private var schedule = PollSchedule()

    @Test func `nothing is due without paths`() {
        #expect(schedule.due == nil)
    }

    @Test mutating func `paths of one pace are polled together`() {
        schedule.add(1, at: .safety(.seconds(30)), now: start)
        schedule.add(2, at: .safety(.seconds(30)), now: start + .seconds(7))
        #expect(schedule.due == start + .seconds(30))
        #expect(schedule.take(at: start + .seconds(29)).isEmpty)
        #expect(schedule.take(at: start + .seconds(30)) == [1, 2])
        #expect(schedule.due == start + .seconds(60))
    }

    @Test(arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max)])
    mutating func `a poll that is never due does not overflow`(interval: Duration) {
        schedule.add(1, at: .safety(interval), now: start)
        #expect(schedule.take(at: start + .seconds(86_400 * 365)).isEmpty)
        let due = schedule.due ?? start
        #expect(schedule.take(at: due) == [1] && due > start)
    }

    @Test mutating func `a removed path is not polled`() {
        schedule.add(1, at: .only, now: start)
        schedule.remove(1, from: .only)
        #expect(schedule.due == nil)
    }

    @Test(arguments: [(1, 250), (100, 250), (10_000, 4_000), (1_000_000, 30_000)])
    func `many paths are polled less often`(_ paths: Int, _ milliseconds: Int) {
        #expect(PollSchedule.interval(.only, paths: paths) == .milliseconds(milliseconds))
    }
}
