import FileWatching
import Floor
import Glibc

/// Everything is measured alternately within one run: absolute figures drift, ratios hold.
struct Measurements {
    let directory: String
    let blocks: Int
    private var race: Race

    init(directory: String, blocks: Int) {
        self.directory = directory
        self.blocks = blocks
        race = Race(directory: directory, name: "f")
    }

    mutating func compareWithFloor() {
        let floor = FloorContestant(directory: directory, name: "f")
        let contestants = [FileWatcherEngine.kernel, .inotifyTools].map {
            WatcherContestant($0, [directory + "/f"])
        }
        var floorTimes: [Int64] = []
        var times = contestants.map { _ in [Int64]() }
        for _ in 0..<blocks {
            floorTimes += race.run(floor, rounds: 50)
            for (index, contestant) in contestants.enumerated() {
                times[index] += race.run(contestant, rounds: 50)
            }
        }
        print("replaced → read, C floor: \(floorTimes.summary)")
        for (contestant, times) in zip(contestants, times) {
            let ratio = ratio(times.median, floorTimes.median)
            print("replaced → read, \(contestant.engine): \(times.summary), \(ratio) × floor")
        }
    }

    mutating func compareNumbersOfPaths() {
        let counts = [10, 10_000]
        var times = counts.map { _ in [Int64]() }
        var costs = counts.map { _ in [Int64]() }
        for _ in 0..<max(3, blocks / 4) {
            for (index, count) in counts.enumerated() {
                let paths = (0..<count).map { directory + ($0 == 0 ? "/f" : "/f\($0)") }
                let contestant = WatcherContestant(.kernel, paths)
                contestant.arm()
                usleep(200_000)
                let thread = WatcherThread()
                let before = thread?.cpu ?? 0
                let measured = race.run(Rearmed(contestant), rounds: 100)
                costs[index].append(((thread?.cpu ?? 0) - before) / Int64(max(1, measured.count)))
                times[index] += measured
                contestant.disarm()
                usleep(300_000)
            }
        }
        for (index, count) in counts.enumerated() {
            print(
                "one of \(count) paths replaced: \(times[index].summary), \(costs[index].median) ns of thread"
            )
        }
        let latency = ratio(times[1].median, times[0].median)
        let cost = ratio(costs[1].median, costs[0].median)
        print("10,000 paths against 10: latency \(latency) ×, time of thread \(cost) ×")
    }

    func countIdleWakeUps() {
        for (poll, expected) in [(Duration?.none, 0), (.seconds(1), 5)] {
            let watcher = FileWatcher(engine: .kernel, safetyPoll: poll)
            let watch = watcher.watch(directory + "/f") { _ in }
            usleep(500_000)
            let thread = WatcherThread()
            let before = thread?.sleeps ?? 0
            usleep(5_100_000)
            let count = (thread?.sleeps ?? 0) - before
            let name = poll.map { "\($0)" } ?? "off"
            print("idle for 5 s, safety poll \(name): \(count) wake-ups, \(expected) expected")
            watch.cancel()
            usleep(300_000)
        }
    }

    private func ratio(_ a: Int64, _ b: Int64) -> String {
        let percent = b == 0 ? 0 : a * 100 / b
        return "\(percent / 100).\(percent % 100 / 10)\(percent % 10)"
    }
}

/// Already armed.
struct Rearmed: Contestant {
    let contestant: WatcherContestant

    init(_ contestant: WatcherContestant) {
        self.contestant = contestant
    }

    func arm() {}
    func disarm() {}
    func seen(_ number: Int64) -> Int64 { contestant.seen(number) }
}
