/// One contender's figures in a row.
struct Figure: Codable, Sendable {
    /// What a figure is compared with.
    enum Role: String, Codable, Sendable {
        case ours, floor, peer
    }

    let name: String
    let role: Role
    var samples: [Double]
    /// Calls of malloc and its kin for each operation, on the measuring thread.
    var allocations: Double?

    var least: Double { samples.min() ?? .nan }
    var median: Double { quantile(0.5) }

    func quantile(_ share: Double) -> Double {
        let sorted = samples.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    func value(of statistic: Goal.Statistic) -> Double {
        switch statistic {
        case .least: least
        case .median: median
        case .p99: quantile(0.99)
        }
    }
}

/// What a row is to reach.
struct Goal: Codable, Sendable {
    /// Which of the samples are compared; the same of both sides.
    enum Statistic: String, Codable, Sendable {
        case least, median, p99
    }

    enum Kind: String, Codable, Sendable {
        /// At most so many times the other's figure.
        case atMost
        /// At least so many times faster than the other.
        case timesFaster
        /// At most so much, in the row's unit.
        case absolute
        /// At least such a share of the other's: for rates.
        case shareOf
        /// At most so much above the other, in the row's unit.
        case above
        /// At most so many allocations for each operation.
        case allocations
    }

    let kind: Kind
    let limit: Double
    let subject: String
    var other: String?
    var statistic = Statistic.least
}

/// Everything one row found.
struct RowResult: Codable, Sendable {
    let id: String
    let title: String
    let group: String
    let unit: String
    let how: String
    var figures: [Figure] = []
    var goals: [Goal] = []
    /// Peers that were not there, and why.
    var skipped: [String] = []

    func figure(_ name: String?) -> Figure? { figures.first { $0.name == name } }

    /// What the yardstick of the row is: its first floor, or else its first peer.
    var yardstick: Figure? {
        figures.first { $0.role == .floor } ?? figures.first { $0.role == .peer } ?? figures.first
    }

    /// The measured value a goal speaks of, and whether it is met; `nil` if either side is missing.
    func outcome(of goal: Goal) -> (value: Double, isMet: Bool)? {
        guard let subject = figure(goal.subject), !subject.samples.isEmpty else { return nil }
        if let other = figure(goal.other), other.samples.isEmpty { return nil }
        let mine = subject.value(of: goal.statistic)
        let other = figure(goal.other)?.value(of: goal.statistic)
        switch goal.kind {
        case .atMost: return other.map { (mine / $0, mine / $0 <= goal.limit) }
        case .timesFaster: return other.map { ($0 / mine, $0 / mine >= goal.limit) }
        case .above: return other.map { (mine - $0, mine - $0 <= goal.limit) }
        case .absolute: return (mine, mine <= goal.limit)
        case .shareOf: return other.map { (mine / $0, mine / $0 >= goal.limit) }
        case .allocations: return subject.allocations.map { ($0, $0 <= goal.limit) }
        }
    }
}
