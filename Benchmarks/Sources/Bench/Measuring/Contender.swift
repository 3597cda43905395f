import CMeasuring

/// A participant in a row. It takes one sample at a time, so that the row's contenders can take turns.
struct Contender {
    let name: String
    let role: Figure.Role
    /// Takes one sample, in the row's unit.
    let sample: () throws -> Double
    /// Returns the allocations per operation.
    var allocations: (() -> Double)?

    init(
        _ name: String, _ role: Figure.Role, allocations: (() -> Double)? = nil,
        sample: @escaping () throws -> Double
    ) {
        self.name = name
        self.role = role
        self.sample = sample
        self.allocations = allocations
    }

    /// Makes a contender that measures the thread's CPU time per operation of a loop, in nanoseconds.
    ///
    /// - Parameters:
    ///   - share: The number of operations in one iteration of the loop.
    ///   - body: The loop, which takes the number of iterations.
    static func loop(
        _ name: String, _ role: Figure.Role, share: Int = 1, body: @escaping (Int) -> Void
    ) -> Contender {
        let turns = turnsInTwoMilliseconds(body)
        return Contender(
            name, role,
            allocations: {
                let few = min(turns, 1000)
                let before = bench_allocations()
                body(few)
                return Double(bench_allocations() - before) / Double(few * share)
            },
            sample: { processorTime { body(turns) } / Double(turns * share) })
    }

    /// Returns a number of iterations that is large enough for the clock's resolution, but small enough to run
    /// without disturbance by other work of the machine.
    private static func turnsInTwoMilliseconds(_ body: (Int) -> Void) -> Int {
        var turns = 1
        while true {
            let time = processorTime { body(turns) }
            if time > 2_000_000 { return turns }
            turns *= time < 200_000 ? 8 : 2
        }
    }
}

/// Returns the nanoseconds of this thread's CPU time that `body` takes.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
    let start = bench_thread_time()
    try body()
    return Double(bench_thread_time() - start)
}

/// Returns the nanoseconds of wall-clock time that `body` takes.
func wallTime(_ body: () throws -> Void) rethrows -> Double {
    let start = bench_time()
    try body()
    return Double(bench_time() - start)
}
