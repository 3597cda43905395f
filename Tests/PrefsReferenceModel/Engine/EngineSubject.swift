import LayeredPrefs
import LayeredPrefsTesting

/// The engine as the model's subject: a stack over real files.
///
/// Nothing is watched. Each operation ends with a recheck of every file, as on SIGHUP, so that a batch waits
/// for no clock. In addition to the model's comparisons, the subject checks that touching a file commits
/// nothing, and that a recheck after a write finds nothing new.
final class EngineSubject: ModelSubject {
    private let world: ModelWorld
    private let files: EngineFiles
    private let keys: [any EngineKey]
    private let splitsBursts: Bool
    private var run: EngineRun?

    /// - Parameter splitsBursts: True if the stack commits the first edit of a burst at once, as it does
    ///   after a quiet period; false if it coalesces the entire burst. If true, an observer learns a value's
    ///   origin after the first edit, but not that the origin changed later.
    init(_ world: ModelWorld, splitsBursts: Bool = false) throws {
        self.world = world
        self.splitsBursts = splitsBursts
        files = try EngineFiles()
        keys = world.keys.map(\.engineKey)
    }

    func apply(_ operation: ModelOperation) async throws -> [ModelWriteOutcome] {
        if case .restart(let defaults, let environment, let arguments) = operation {
            run = try EngineRun(
                world, files: files, keys: keys, defaults: defaults, environment: environment,
                arguments: arguments)
            return []
        }
        let run = try running()
        let before = run.storage.snapshot.generation
        let outcomes = try perform(operation, in: run)
        let written = run.storage.snapshot.generation
        run.storage.reload()
        let after = run.storage.snapshot.generation
        if !outcomes.isEmpty, after != written {
            run.receiving.receive(after, fault: "a write is read again")
        }
        if case .touchFile = operation, after != before {
            run.receiving.receive(after, fault: "a touch commits")
        }
        if after != before { await run.storage.settled() }
        if !outcomes.isEmpty { files.noteWrites(to: world.layers) }
        return outcomes
    }

    private func perform(_ operation: ModelOperation, in run: EngineRun) throws -> [ModelWriteOutcome] {
        switch operation {
        case .write(let write): return [try self.write(write, in: run)]
        case .transaction(let writes, let writesOthers):
            return transaction(writes, writesOthers: writesOthers, in: run)
        case .burst(let operations):
            for (index, operation) in operations.enumerated() {
                try files.edit(operation)
                if index == 0, splitsBursts { run.storage.reload() }
            }
            return []
        case .raiseLock(let path, let layer):
            run.storage.lock(path.description, at: PrefsLayer.Name(layer))
            return []
        case .lowerLock(let path, let layer):
            run.storage.unlock(path.description, at: PrefsLayer.Name(layer))
            return []
        default:
            try files.edit(operation)
            return []
        }
    }

    private func write(_ write: ModelWrite, in run: EngineRun) throws -> ModelWriteOutcome {
        let layer = write.layer.map { PrefsLayer.Name($0) }
        do {
            if write.isTyped, let key = keys.first(where: { $0.model.path == write.path }) {
                return run.words.outcome(try key.write(write.value, to: run.storage, in: layer))
            }
            return run.words.outcome(
                try run.storage.setValue(
                    write.value?.prefsValue, forKey: write.path.description, in: layer))
        } catch let error as PrefsError {
            if let rejection = run.words.rejection(error) { return rejection }
            run.receiving.receive(run.storage.snapshot.generation, fault: "\(error.code) \(error)")
            return .abandoned
        }
    }

    private func transaction(
        _ writes: [ModelWrite], writesOthers: Bool, in run: EngineRun
    ) -> [ModelWriteOutcome] {
        let keys = writes.map { write in
            write.isTyped ? self.keys.first { $0.model.path == write.path } : nil
        }
        do {
            let report = try run.storage.transaction(writingOthers: writesOthers) { transaction in
                for (write, key) in zip(writes, keys) { run.words.add(write, key, to: &transaction) }
            }
            var results = report.results[...]
            return zip(writes, keys).map { write, key in
                // A typed removal has one result for each of the key's names, the present one last.
                let count = write.value == nil ? key?.model.names.count ?? 1 : 1
                defer { results = results.dropFirst(count) }
                return outcome(of: results.prefix(count), in: run)
            }
        } catch let error as PrefsError {
            let names = zip(writes, keys).map { $1?.model.names ?? [$0.path] }
            let rejections = writes.indices.map { index in
                // The error names only the writes that the stack attempted.
                rejection(of: writes[index], keys[index], isAlone: names.isAlone(index), in: run).flatMap {
                    error.problems.contains($0) ? $0 : nil
                } ?? error.problems.first { isBlocked(writes[index], among: writes, by: $0) }
            }
            // If no write is rejected alone, or the stack left such writes out, then the writes are wrong
            // together.
            if writesOthers || rejections.allSatisfy({ $0 == nil }) {
                return writes.map { _ in run.words.rejection(error) ?? .abandoned }
            }
            return rejections.map { $0.flatMap(run.words.rejection) ?? .abandoned }
        } catch {
            return writes.map { _ in .abandoned }
        }
    }

    /// Returns the reason why the stack rejects a write alone. The write is tried in a transaction with
    /// another write, which always fails, so that nothing is stored. That other write has the same key unless
    /// `isAlone` is true: the stack writes a struct by field unless another write of the transaction concerns
    /// it.
    private func rejection(
        of write: ModelWrite, _ key: (any EngineKey)?, isAlone: Bool, in run: EngineRun
    ) -> PrefsError? {
        let other = isAlone ? "unwritable" : write.path.description
        do {
            try run.storage.transaction { transaction in
                run.words.add(write, key, to: &transaction)
                transaction.setValue(nil, forKey: other, in: .defaults)
            }
            return nil
        } catch {
            let problems = (error as? PrefsError)?.problems ?? []
            return problems.dropLast().first
        }
    }

    /// Returns true if an error says that another value blocks a write. Another write of the same transaction
    /// may have stored that value.
    private func isBlocked(
        _ write: ModelWrite, among writes: [ModelWrite], by error: PrefsError
    ) -> Bool {
        guard error.reason.hasSuffix("; remove that first"), let key = error.key else { return false }
        let target = world.layers.last { layer in
            write.layer.map { $0 == layer.name } ?? (layer.isWritable && layer.isPersistent)
        }
        guard let target,
            error.origin?.file.map({ $0.contains("/\(target.name)/") }) ?? (target.kind != .files)
        else { return false }
        // The error names the write's key, or a field of its struct. All writes of a key are rejected
        // together.
        let path = ModelPath(key)
        if writes.contains(where: { $0.path == path && $0.value != nil }) { return write.path == path }
        return write.value != nil && write.path.covers(path)
    }

    private func outcome(
        of results: ArraySlice<Result<PrefsWriteOutcome, PrefsError>>, in run: EngineRun
    ) -> ModelWriteOutcome {
        for case .failure(let error) in results { return run.words.rejection(error) ?? .abandoned }
        guard case .success(let outcome) = results.last else { return .abandoned }
        return run.words.outcome(outcome)
    }

    func typed(_ key: ModelKey) throws -> ModelAnswer {
        guard let key = keys.first(where: { $0.model == key }) else { throw EngineFault("no key \(key)") }
        let run = try running()
        return key.answer(in: run.storage, run.words)
    }

    func raw(_ path: ModelPath) throws -> ModelAnswer {
        let run = try running()
        let snapshot = run.storage.snapshot
        let resolution = snapshot.resolution(forKey: path.description)
        return ModelAnswer(
            value: run.words.one(resolution.value, snapshot[path.description]),
            origin: resolution.origin.map(run.words.spelled))
    }

    func drainChangeSets() throws -> [ModelChangeSet] { try running().receiving.drainChangeSets() }

    func drainDiagnostics() throws -> [ModelDiagnostic] {
        let run = try running()
        return try run.receiving.drainDiagnostics().compactMap {
            try run.words.diagnostic($0, keys: world.keys)
        }
    }

    private func running() throws -> EngineRun {
        guard let run else { throw EngineFault("a trace must begin with a start") }
        return run
    }
}

extension [[ModelPath]] {
    /// Returns true if no other list has a name at, above or below a name of the list at `index`.
    fileprivate func isAlone(_ index: Int) -> Bool {
        indices.allSatisfy { other in
            other == index
                || self[other].allSatisfy { name in
                    !self[index].contains { $0.covers(name) || name.covers($0) }
                }
        }
    }
}
