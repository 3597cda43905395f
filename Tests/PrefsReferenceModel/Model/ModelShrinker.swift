/// Shrinks a failing trace: removes operations, then simplifies the remaining ones, as long as it still
/// fails.
struct ModelShrinker {
    let fails: (ModelTrace) async throws -> Bool

    init(_ fails: @escaping (ModelTrace) async throws -> Bool) { self.fails = fails }

    func shrink(_ trace: ModelTrace) async throws -> ModelTrace {
        var best = trace
        var size = Int.max
        while best.description.utf8.count < size {
            size = best.description.utf8.count
            best = try await fewer(best)
            best = try await simpler(best)
        }
        return best
    }

    /// Removes runs of operations: first half of them at a time, in the end one by one. The start stays.
    private func fewer(_ trace: ModelTrace) async throws -> ModelTrace {
        var best = trace
        var width = max(1, best.operations.count / 2)
        while true {
            var index = 1
            while index < best.operations.count {
                var trial = best
                trial.operations.removeSubrange(index..<min(index + width, trial.operations.count))
                if try await fails(trial) { best = trial } else { index += width }
            }
            if width == 1 { return best }
            width /= 2
        }
    }

    private func simpler(_ trace: ModelTrace) async throws -> ModelTrace {
        var best = trace
        for index in best.operations.indices {
            var found = true
            while found {
                found = false
                for simpler in best.operations[index].simplerOnes {
                    var trial = best
                    trial.operations[index] = simpler
                    if try await fails(trial) {
                        (best, found) = (trial, true)
                        break
                    }
                }
            }
        }
        return best
    }
}

extension ModelOperation {
    /// The variants of the operation with one element less.
    fileprivate var simplerOnes: [ModelOperation] {
        switch self {
        case .restart(let defaults, let environment, let arguments):
            defaults.withOneLess.map {
                .restart(defaults: $0, environment: environment, arguments: arguments)
            }
                + environment.withOneLess.map {
                    .restart(defaults: defaults, environment: $0, arguments: arguments)
                }
                + arguments.withOneLess.map {
                    .restart(defaults: defaults, environment: environment, arguments: $0)
                }
        case .writeFile(let place, let contents):
            (contents.withOneLess + contents.withOneSimpler).map { .writeFile(place, $0) }
        case .writeLocks(let place, let lines):
            lines.indices.map { .writeLocks(place, lines: lines.without($0)) }
        case .burst(let operations):
            operations
                + operations.indices.map { .burst(operations.without($0)) }
                + operations.indices.flatMap { index in
                    operations[index].simplerOnes.map { .burst(operations.with($0, at: index)) }
                }
        case .transaction(let writes, let others):
            (writes.count > 1 ? writes.map { .write($0) } : [])
                + writes.indices.map { .transaction(writes.without($0), writesOthers: others) }
        case .write(let write):
            (write.value?.simplerOnes ?? []).map { value in
                var simpler = write
                simpler.value = value
                return .write(simpler)
            }
        default: []
        }
    }
}

extension ModelValue {
    fileprivate var simplerOnes: [ModelValue] {
        guard let entries else { return [] }
        return (entries.withOneLess + entries.withOneSimpler).map { .dictionary($0) }
    }
}

extension Dictionary where Key == String {
    fileprivate var withOneLess: [[String: Value]] {
        keys.sorted().map { key in filter { $0.key != key } }
    }
}

extension [String: ModelValue] {
    fileprivate var withOneSimpler: [[String: ModelValue]] {
        keys.sorted().flatMap { key in
            (self[key]?.simplerOnes ?? []).map { simpler in merging([key: simpler]) { $1 } }
        }
    }
}

extension Array {
    fileprivate func without(_ index: Int) -> [Element] {
        var copy = self
        copy.remove(at: index)
        return copy
    }

    fileprivate func with(_ element: Element, at index: Int) -> [Element] {
        var copy = self
        copy[index] = element
        return copy
    }
}
