/// The samples of one contender in a row.
struct Figure: Codable, Sendable {
    /// The role of a contender: the library itself, a floor or a peer.
    enum Role: String, Codable, Sendable {
        case ours, floor, peer
    }

    let name: String
    let role: Role
    var samples: [Double]
    /// The allocations per operation on the measuring thread.
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

/// A limit that a row is expected to meet.
struct Goal: Codable, Sendable {
    /// The statistic to compare. It is the same for both sides.
    enum Statistic: String, Codable, Sendable {
        case least, median, p99
    }

    enum Kind: String, Codable, Sendable {
        /// At most this multiple of the other's value.
        case atMost
        /// At least this many times faster than the other.
        case timesFaster
        /// At most this value, in the row's unit.
        case absolute
        /// At least this share of the other's value; for rates.
        case shareOf
        /// At most this much above the other's value, in the row's unit.
        case above
        /// At most this many allocations per operation.
        case allocations
    }

    let kind: Kind
    let limit: Double
    let subject: String
    var other: String?
    var statistic = Statistic.least
}

/// The results of one row.
struct RowResult: Codable, Sendable {
    let id: String
    let title: String
    let group: String
    let unit: String
    let how: String
    var figures: [Figure] = []
    var goals: [Goal] = []
    /// The peers that were not available, with the reasons.
    var skipped: [String] = []

    func figure(_ name: String?) -> Figure? { figures.first { $0.name == name } }

    /// The reference of the row: its first floor, otherwise its first peer.
    var yardstick: Figure? {
        figures.first { $0.role == .floor } ?? figures.first { $0.role == .peer } ?? figures.first
    }

    /// Returns a goal's measured value and whether the goal is met; `nil` if either side is missing.
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
