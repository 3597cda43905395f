import CMeasuring

/// Somebody who takes part in a row: gives one sample at a time, so that all of a row take turns.
struct Contender {
    let name: String
    let role: Figure.Role
    /// One sample in the row's unit.
    let sample: () throws -> Double
    /// Allocations for each operation.
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

    /// Nanoseconds of thread processor time for each operation of a loop.
    ///
    /// - Parameters:
    ///   - share: Operations in one turn of the loop.
    ///   - body: Runs so many turns.
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

    /// Long enough for the clock, short enough to fall between what else the machine does.
    private static func turnsInTwoMilliseconds(_ body: (Int) -> Void) -> Int {
        var turns = 1
        while true {
            let time = processorTime { body(turns) }
            if time > 2_000_000 { return turns }
            turns *= time < 200_000 ? 8 : 2
        }
    }
}

/// Nanoseconds of this thread's processor time.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
    let start = bench_thread_time()
    try body()
    return Double(bench_thread_time() - start)
}

/// Nanoseconds of the wall's clock.
func wallTime(_ body: () throws -> Void) rethrows -> Double {
    let start = bench_time()
    try body()
    return Double(bench_time() - start)
}
