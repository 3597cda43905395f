import CMeasuring
import Foundation
import LayeredPrefs
import Synchronization

/// Edits of a watched file for Scripts/check guard. It counts the cost of an edit, from the moment when the
/// following thread wakes until the thread has the new value.
enum Edits {
    /// - Parameter arguments: The number of edits, and the follower of the file. The default follower is a typed
    ///   observer of a stack; `configuration` is a configuration of forty fields. Both print the allocations of
    ///   each edit. `scan`, `equal` and `second-thread` are programs in C.
    static func run(_ arguments: [String]) throws {
        let count = arguments.first.flatMap { Int($0) } ?? 1
        let folder = try Folder.here()
        let follower = try follower(named: arguments.dropFirst().first, in: folder)
        bench_print_markers()
        for number in 1...count {
            // Wait, so that work after the new value is known does not count for the next edit.
            usleep(50_000)
            let bytes = Array(FiveLayers.user(port: number).utf8)
            bench_replace(folder.path + "/user.plist", bytes, Int64(bytes.count))
            while !follower.hasSeen(number) { usleep(1_000) }
        }
        follower.end()
    }

    private static func follower(named name: String?, in folder: Folder) throws -> any EditFollower {
        guard let name else { return try StackEdits(in: folder) }
        if name == "configuration" { return try StackEdits(ofConfigurationIn: folder) }
        try folder.write(FiveLayers.user(port: 8443), to: "user.plist")
        if name == "scan" { return ScanEdits(in: folder) }
        return EqualWorkEdits(in: folder, hops: name == "second-thread")
    }
}

private protocol EditFollower {
    func hasSeen(_ number: Int) -> Bool
    func end()
}

private final class StackEdits: EditFollower {
    private let layers: FiveLayers
    private let live: Live<Settings>?
    private let seen: Seen
    private let observation: PrefsObservation

    /// The last number that the observer saw, and the allocations before each of its calls.
    private final class Seen: Sendable {
        let number = Atomic<Int>(0)
        let allocations = Mutex<[Int64]>([])

        func note(_ port: Int) {
            let count = bench_allocations_since_woken()
            bench_region_end("edit")
            // Scripts/check guard finds this system call in a trace.
            keep(Int(getppid()))
            allocations.withLock { $0.append(count) }
            number.store(port, ordering: .releasing)
        }
    }

    init(in folder: Folder) throws {
        let (layers, seen) = (try FiveLayers(in: folder), Seen())
        observation = layers.storage.observe(.port) { seen.note($0.new.value) }
        (self.layers, live, self.seen) = (layers, nil, seen)
    }

    init(ofConfigurationIn folder: Folder) throws {
        let (layers, seen) = (try FiveLayers(in: folder), Seen())
        let live = try Live(Settings(), layers.storage)
        observation = live.observe { seen.note($1.http.port) }
        (self.layers, self.live, self.seen) = (layers, live, seen)
    }

    func hasSeen(_ number: Int) -> Bool { seen.number.load(ordering: .acquiring) == number }

    func end() {
        observation.cancel()
        for count in seen.allocations.withLock({ $0 }) { print("allocations \(count)") }
    }
}

private struct ScanEdits: EditFollower {
    init(in folder: Folder) {
        guard bench_floor_start() == 0 else { fatalError("no inotify") }
        bench_floor_arm(folder.path, "user.plist", "port")
    }

    func hasSeen(_ number: Int) -> Bool { bench_floor_seen(Int64(number)) != 0 }

    func end() { bench_floor_disarm() }
}

private struct EqualWorkEdits: EditFollower {
    private let program: OpaquePointer

    init(in folder: Folder, hops: Bool) {
        guard let program = bench_equal_start(folder.path, "user.plist", "port", hops ? 1 : 0) else {
            fatalError("no inotify")
        }
        self.program = program
    }

    func hasSeen(_ number: Int) -> Bool { bench_equal_seen(program, Int64(number)) != 0 }

    func end() {}
}
