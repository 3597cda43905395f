import Foundation

/// The numbers of this process's threads and open files, for tests that run in their own process.
package struct ProcessCounts: Equatable, Sendable {
    package var threads: Int
    package var files: Int

    package static var now: ProcessCounts {
        ProcessCounts(threads: entries("/proc/self/task"), files: entries("/proc/self/fd"))
    }

    /// The process's resident memory, in bytes.
    package static var residentMemory: Int {
        let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}

/// Returns true as soon as a condition holds; false if it does not hold within half a minute.
package func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        sched_yield()
    }
    return condition()
}
