/// A trace on which a subject and the model diverge, as short as the shrinker could make it.
struct ModelFailure: Sendable, CustomStringConvertible {
    let seed: UInt64
    let trace: ModelTrace
    /// The index of the operation after which they diverge.
    let step: Int
    let difference: ModelDifference

    var description: String { "seed \(seed), after operation \(step): \(difference)\n\(trace)" }
}

/// The results of a batch of traces.
struct ModelReport: Sendable {
    var traces = 0
    var operations = 0
    var counts: [ModelRule: Int] = [:]
    var failures: [ModelFailure] = []

    /// Returns the rules that decided fewer than `count` operations, each with its count.
    func rules(below count: Int) -> [String] {
        ModelRule.allCases.filter { counts[$0, default: 0] < count }
            .map { "\($0.rawValue): \(counts[$0, default: 0])" }
    }

    mutating func add(_ other: ModelReport) {
        traces += other.traces
        operations += other.operations
        counts.merge(other.counts, uniquingKeysWith: +)
        failures += other.failures
    }
}

/// Runs traces against a subject and the model, side by side.
struct ModelDriver: Sendable {
    var world = ModelWorld.standard
    var aspects = Set(ModelAspect.allCases)
    var kinds = Set(ModelOperation.Kind.allCases)
    /// True if the first edit of a burst is committed at once.
    var splitsBursts = false
    /// True if the program restarts after every edit of a file, so that every revision becomes active.
    var startsAfterEdits = false
    /// Operations per trace, in addition to the start and the first files.
    var length = 20
    /// A batch ends early once it has this many failures.
    var failureLimit = 1
    /// True if failing traces are shrunk. Shrinking runs each of them some hundred times.
    var shrinksFailures = true
    /// Makes the subject for one trace.
    let subject: @Sendable (ModelWorld) async throws -> any ModelSubject

    /// Runs `count` traces, `width` at a time, with consecutive seeds from `first` on; shrinks failing ones.
    func run(count: Int, from first: UInt64 = 0, width: Int = 1) async throws -> ModelReport {
        try await withThrowingTaskGroup(of: ModelReport.self) { group in
            for lane in 0..<width {
                group.addTask { try await self.lane(lane, of: width, count: count, from: first) }
            }
            var report = ModelReport()
            for try await part in group { report.add(part) }
            return report
        }
    }

    /// Runs one trace, generated from a seed or pasted into a test, without shrinking it.
    func run(_ trace: ModelTrace, seed: UInt64 = 0, tally: ModelTally = ModelTally()) async throws
        -> ModelFailure?
    {
        var machine = ModelMachine(world, tally: tally, splitsBursts: splitsBursts)
        let subject = try await subject(world)
        for (index, operation) in trace.operations.enumerated() {
            if let difference = try await step(operation, &machine, subject) {
                return ModelFailure(seed: seed, trace: trace, step: index, difference: difference)
            }
        }
        return nil
    }

    /// Returns the trace of a seed.
    func trace(seed: UInt64) -> ModelTrace {
        var generator = ModelGenerator(seed: seed, world: world, kinds: kinds)
        let trace = generator.trace(length: length)
        return startsAfterEdits ? trace.startingAfterEdits : trace
    }

    private func lane(_ lane: Int, of width: Int, count: Int, from first: UInt64) async throws -> ModelReport
    {
        var report = ModelReport()
        let tally = ModelTally()
        for offset in stride(from: lane, to: count, by: width) {
            let seed = first + UInt64(offset)
            let trace = trace(seed: seed)
            report.traces += 1
            report.operations += trace.operations.count
            if let failure = try await run(trace, seed: seed, tally: tally) {
                report.failures.append(shrinksFailures ? try await shrunk(failure) : failure)
                if report.failures.count >= failureLimit { break }
            }
        }
        report.counts = tally.counts
        return report
    }

    private func shrunk(_ failure: ModelFailure) async throws -> ModelFailure {
        var cut = failure.trace
        cut.operations = Array(cut.operations.prefix(failure.step + 1))
        let shrinker = ModelShrinker { trace in
            // A program cannot make a typed write of a struct that lacks a field.
            guard trace.operations.allSatisfy({ $0.isTyped(as: world.keys) }) else { return false }
            return try await run(trace) != nil
        }
        let trace = try await shrinker.shrink(cut)
        return try await run(trace, seed: failure.seed) ?? failure
    }

    private func step(
        _ operation: ModelOperation, _ machine: inout ModelMachine, _ subject: any ModelSubject
    ) async throws -> ModelDifference? {
        let expected = machine.apply(operation)
        let rejected = Set(machine.stack.rejections.keys.map { [$0.layer, $0.source] })
        let comparison = ModelComparison(aspects: aspects, rejected: rejected)
        let outcomes = try await subject.apply(operation)
        if let difference = comparison.difference(expected.outcomes, outcomes) { return difference }
        let changeSets = try await subject.drainChangeSets()
        let diagnostics = try await subject.drainDiagnostics()
        let isBurst = operation.kind == .burst
        if let difference = try await answers(machine, subject, comparison) { return difference }
        if let difference = comparison.difference(expected.changeSet, changeSets, isBurst: isBurst) {
            return difference
        }
        return isBurst ? nil : comparison.difference(expected.diagnostics, diagnostics)
    }

    private func answers(
        _ machine: ModelMachine, _ subject: any ModelSubject, _ comparison: ModelComparison
    ) async throws -> ModelDifference? {
        for key in world.keys {
            guard let resolution = machine.answers.typed[key.name] else { continue }
            let found = try await subject.typed(key)
            let difference = comparison.difference(
                "typed \(key.name)", ModelAnswer(resolution), found, isTyped: true)
            if let difference { return difference }
        }
        for path in world.rawPaths {
            guard let resolution = machine.answers.raw[path.description] else { continue }
            let found = try await subject.raw(path)
            let difference = comparison.difference(
                "raw \(path)", ModelAnswer(resolution), found, isTyped: false)
            if let difference { return difference }
        }
        return nil
    }
}

extension ModelOperation {
    /// Returns true if each typed write has a value of its key's type.
    fileprivate func isTyped(as keys: [ModelKey]) -> Bool {
        let writes: [ModelWrite] =
            switch self {
            case .write(let write): [write]
            case .transaction(let writes, _): writes
            default: []
            }
        return writes.allSatisfy { write in
            guard write.isTyped, let value = write.value,
                let key = keys.first(where: { $0.path == write.path })
            else { return true }
            return key.type.decode(value, tally: ModelTally()) != nil
        }
    }
}
