import Foundation

/// Nanoseconds of this thread's processor time per call, over many calls.
func nanoseconds(_ calls: Int = 1_000_000, _ body: (Int) -> Void) -> Double {
    let start = threadTime()
    body(calls)
    return Double(threadTime() - start) / Double(calls)
}

/// Nanoseconds of a thread's processor time per call, with two threads at it.
func nanosecondsOfTwo(_ calls: Int = 1_000_000, _ body: @escaping @Sendable (Int) -> Void) -> Double {
    let results = UnsafeMutableBufferPointer<Double>.allocate(capacity: 2)
    defer { unsafe results.deallocate() }
    nonisolated(unsafe) let slots = unsafe results
    DispatchQueue.concurrentPerform(iterations: 2) { unsafe slots[$0] = nanoseconds(calls, body) }
    return unsafe (slots[0] + slots[1]) / 2
}

private func threadTime() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Takes a value so that the optimizer believes it is used.
@inline(never) @_optimize(none) func consume<Value>(_ value: Value) {}

/// Runs two measurements alternately and prints the first's share of the second.
func compare(_ name: String, goal: Double, _ body: () -> Double, with floor: () -> Double) {
    var values: [Double] = []
    var floors: [Double] = []
    for _ in 0..<11 {
        values.append(body())
        floors.append(floor())
    }
    let ratios = zip(values, floors).map { $0 / $1 }
    let figures = [median(ratios), goal, median(values), values.min()!, median(floors), floors.min()!]
    let text = figures.map { ($0 * 100).rounded() / 100 }.map { "\($0)" }.joined(separator: " | ")
    print("| \(name) | \(text) |")
}
