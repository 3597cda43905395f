import Foundation

/// Collects ratios, prints them beside their goals, and remembers whether all were met.
struct Report {
    private(set) var isMet = true

    /// One line; `goal` is the least ratio, or the greatest if `isUpper`.
    mutating func add(_ name: String, _ ratio: Double, goal: Double, isUpper: Bool = false, _ detail: String)
    {
        let isGood = isUpper ? ratio <= goal : ratio >= goal
        isMet = isMet && isGood
        let relation = isUpper ? "≤" : "≥"
        let label = name.padding(toLength: 52, withPad: " ", startingAt: 0)
        print(
            "\(isGood ? "ok  " : "MISS") \(label) \(Self.text(ratio)) (\(relation) \(Self.text(goal)))   \(detail)"
        )
    }

    static func text(_ number: Double) -> String { String(format: "%.2f", number) }

    static func milliseconds(_ time: Double) -> String { String(format: "%.2f ms", time) }
}

/// The least of several processor times, in milliseconds: what the work costs when nothing disturbs it.
func leastTime(of rounds: Int, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<rounds {
        let start = processorTime()
        try body()
        least = min(least, processorTime() - start)
    }
    return least
}

/// This thread's, which does not count what other processes take.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// A wall time, in milliseconds.
func time(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let duration = (ContinuousClock.now - start).components
    return Double(duration.seconds) * 1e3 + Double(duration.attoseconds) / 1e15
}

/// The middle of several wall times of two bodies, run in turn: for disks, whose times vary.
func medianTimes(
    of rounds: Int, _ first: () throws -> Void, _ second: () throws -> Void
) rethrows -> (first: Double, second: Double) {
    var times: (first: [Double], second: [Double]) = ([], [])
    for _ in 0..<rounds {
        times.first.append(try time(first))
        times.second.append(try time(second))
    }
    return (times.first.sorted()[rounds / 2], times.second.sorted()[rounds / 2])
}
