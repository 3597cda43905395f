import CMeasuring
import Foundation
import LayeredPrefs
import Synchronization

/// Edits of a watched file, for Scripts/guard to count what one costs from the moment that the watcher's thread
/// wakes until the observer is called on it. Prints the allocations of each.
enum Edits {
    static func run(_ count: Int) throws {
        let layers = try FiveLayers(in: .here())
        let seen = Atomic<Int>(0)
        let allocations = Mutex<[Int64]>([])
        let observation = layers.storage.observe(.port) { change in
            let count = bench_allocations_since_woken()
            bench_region_end("edit")
            // A system call that Scripts/guard finds in a trace.
            keep(Int(getppid()))
            allocations.withLock { $0.append(count) }
            seen.store(change.new.value, ordering: .releasing)
        }
        bench_print_markers()
        for number in 1...count {
            // The work after the observer's call must not be counted for the next edit.
            usleep(50_000)
            let bytes = Array(FiveLayers.user(port: number).utf8)
            bench_replace(layers.userFile, bytes, Int64(bytes.count))
            while seen.load(ordering: .acquiring) != number { usleep(1_000) }
        }
        observation.cancel()
        for count in allocations.withLock({ $0 }) { print("allocations \(count)") }
    }
}
