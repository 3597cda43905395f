import CMeasuring
import FileWatching
import Foundation
import Synchronization

/// Many paths under one watcher.
enum Watching {
    static let rows = [
        Row(
            "watching.paths", in: Latency.group, "Rename to watcher's callback, one of many watched paths",
            unit: "µs", how: "wall clock from right before rename(2) until the callback runs", measure: paths)
    ]

    private static func paths(_ turns: inout Turns) throws {
        let followers = try [10, 10_000].map { try PathFollower(count: $0) }
        var samples = followers.map { _ in [Double]() }
        for _ in 0..<201 {
            for (index, follower) in followers.enumerated() {
                if let time = follower.time() { samples[index].append(time / 1000) }
                usleep(500)
            }
        }
        for (follower, samples) in zip(followers, samples) {
            turns.add(follower.name, .ours, samples)
        }
        turns.expect(followers[1].name, .atMost, 1.3, followers[0].name, by: .median)
    }
}

/// Watches many files in a folder while one of them is replaced.
private final class PathFollower {
    let name: String
    private let folder: Folder
    private let watches: [FileWatch]
    private let seen: Moment

    init(count: Int) throws {
        name = "one of \(count) paths"
        let folder = try Folder()
        let seen = Moment()
        let watcher = FileWatcher(engine: .kernel)
        try folder.write("0", to: "f0")
        watches = (0..<count).map { index in
            watcher.watch("\(folder.path)/f\(index)") { _ in
                if index == 0 { seen.time.store(bench_time(), ordering: .releasing) }
            }
        }
        self.folder = folder
        self.seen = seen
        usleep(300_000)
    }

    func time() -> Double? {
        seen.time.store(0, ordering: .releasing)
        let start = bench_replace_timed(folder.path + "/f0", "1", 1)
        let deadline = start + 1_000_000_000
        while seen.time.load(ordering: .acquiring) == 0, bench_time() < deadline { usleep(200) }
        let end = seen.time.load(ordering: .acquiring)
        return end == 0 ? nil : Double(end - start)
    }
}

private final class Moment: Sendable {
    let time = Atomic<Int64>(0)
}

extension FileWatcher {
    /// A watcher that never reports an event of its own accord.
    static var unwatched: FileWatcher { FileWatcher(engine: .manual(ManualFileEngine())) }
}
