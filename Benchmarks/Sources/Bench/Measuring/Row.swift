import CMeasuring

/// One benchmark. Its ID runs it alone.
struct Row: Sendable {
    let id: String
    let group: String
    let title: String
    let unit: String
    let how: String
    let measure: @Sendable (inout Turns) throws -> Void

    init(
        _ id: String, in group: String, _ title: String, unit: String = "ns",
        how: String = "CPU time of the thread per operation, in loops of 2 ms",
        measure: @escaping @Sendable (inout Turns) throws -> Void
    ) {
        self.id = id
        self.group = group
        self.title = title
        self.unit = unit
        self.how = how
        self.measure = measure
    }

    func run() throws -> RowResult {
        var turns = Turns(RowResult(id: id, title: title, group: group, unit: unit, how: how))
        try measure(&turns)
        return turns.result
    }
}

/// The collector of a row's samples and goals.
struct Turns {
    private(set) var result: RowResult

    init(_ result: RowResult) { self.result = result }

    /// Samples all contenders in turn, so that a disturbance of the machine affects all of them. Stops after ten
    /// seconds.
    mutating func alternate(samples count: Int = 31, _ contenders: [Contender]) throws {
        var samples = contenders.map { _ in [Double]() }
        let end = bench_time() + 10_000_000_000
        for _ in 0..<count where bench_time() < end {
            for (index, contender) in contenders.enumerated() {
                samples[index].append(try contender.sample())
            }
        }
        for (contender, samples) in zip(contenders, samples) {
            add(contender.name, contender.role, samples, allocations: contender.allocations?())
        }
    }

    mutating func add(
        _ name: String, _ role: Figure.Role, _ samples: [Double], allocations: Double? = nil
    ) {
        result.figures.append(Figure(name: name, role: role, samples: samples, allocations: allocations))
    }

    mutating func skip(_ peer: String, because reason: String) {
        result.skipped.append("\(peer): \(reason)")
    }

    mutating func expect(
        _ subject: String, _ kind: Goal.Kind, _ limit: Double, _ other: String? = nil,
        by statistic: Goal.Statistic = .least
    ) {
        result.goals.append(
            Goal(kind: kind, limit: limit, subject: subject, other: other, statistic: statistic))
    }
}
