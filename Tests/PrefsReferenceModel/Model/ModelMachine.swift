/// The model's results for one operation.
struct ModelStep {
    var outcomes: [ModelWriteOutcome] = []
    /// `nil` if no path changed; then no generation is committed.
    var changeSet: ModelChangeSet?
    var diagnostics: [ModelDiagnostic] = []
}

/// The running model: a stack, and the answers at the current generation.
struct ModelMachine {
    let world: ModelWorld
    private(set) var stack: ModelStack
    private(set) var generation = 0
    private(set) var snapshot: ModelSnapshot
    private(set) var answers: ModelAnswers
    /// True if the first edit of a burst is committed at once.
    private let splitsBursts: Bool

    var tally: ModelTally { stack.tally }

    init(
        _ world: ModelWorld, mutations: Set<ModelMutation> = [], tally: ModelTally = ModelTally(),
        splitsBursts: Bool = false
    ) {
        self.world = world
        self.splitsBursts = splitsBursts
        stack = ModelStack(world, mutations: mutations, tally: tally)
        snapshot = stack.snapshot
        answers = ModelAnswers(snapshot, rawPaths: world.rawPaths)
    }

    /// Performs an operation and lets everything settle.
    mutating func apply(_ operation: ModelOperation) -> ModelStep {
        var step = ModelStep()
        if case .restart = operation {
            step.diagnostics = restart(operation)
        } else {
            let before = stack
            step.outcomes = perform(operation)
            settle()
            step.diagnostics = stack.fileDiagnostics(since: before) + stack.news
            stack.news = []
            commit(after: operation, into: &step)
        }
        tally.endStep()
        return step
    }

    private mutating func perform(_ operation: ModelOperation) -> [ModelWriteOutcome] {
        switch operation {
        case .write(let write):
            return stack.write([write], writesOthers: false)
        case .transaction(let writes, let others):
            return stack.write(writes, writesOthers: others)
        case .burst(let operations):
            for (index, operation) in operations.enumerated() {
                stack.edit(operation)
                if index == 0, splitsBursts { settle() }
            }
            return []
        default:
            stack.edit(operation)
            return []
        }
    }

    /// Reads every file, and decides which contents become active.
    private mutating func settle() {
        stack.read()
        stack.news += stack.decide()
    }

    private mutating func restart(_ operation: ModelOperation) -> [ModelDiagnostic] {
        stack.edit(operation)
        stack.read()
        // At the start, every revision becomes active.
        (stack.active, stack.rejections) = (stack.layers, [:])
        snapshot = stack.snapshot
        stack.decided = (stack.layers, snapshot)
        answers = ModelAnswers(snapshot, rawPaths: world.rawPaths)
        generation = 0
        return stack.fileDiagnostics(since: ModelStack(world)) + answers.diagnostics(since: nil, tally: tally)
            + snapshot.violations(since: nil)
    }

    /// Commits a generation if any path changed.
    private mutating func commit(after operation: ModelOperation, into step: inout ModelStep) {
        let old = (snapshot, answers)
        snapshot = stack.snapshot
        if snapshot.isSame(as: old.0) { return countNoChange(operation, in: &step) }
        answers = ModelAnswers(snapshot, rawPaths: world.rawPaths)
        let audit = snapshot.audit(since: old.0)
        var events = answers.events(since: old.1, tally: tally)
        let leafEvents = world.notifiesLeaves ? snapshot.leafEvents(since: old.0) : []
        let shadowed = shadowedKeys(since: old.0)
        let diagnostics = answers.diagnostics(since: old.1, tally: tally) + snapshot.violations(since: old.0)
        // If a file has both spellings of a key, the key's value may change, or be rejected, while every leaf
        // stays.
        let isNotified = !(events.isEmpty && leafEvents.isEmpty && shadowed.isEmpty && diagnostics.isEmpty)
        guard isNotified || !audit.isEmpty else { return countNoChange(operation, in: &step) }
        generation += 1
        count(events, audit: audit)
        events += leafEvents
        if stack.mutations.contains(.shadowedChangeIsAnEvent) {
            events += spuriousEvents(at: audit.map(\.path))
        }
        if stack.mutations.contains(.removalIsSilent), audit.allSatisfy({ $0.new == nil }) { events = [] }
        if stack.mutations.contains(.lockChangeIsSilent), audit.allSatisfy({ $0.source == nil }) {
            events = []
        }
        let named = stack.mutations.contains(.shadowedChangeIsUnnamed) ? [] : shadowed
        step.changeSet = ModelChangeSet(generation: generation, events: events, shadowed: named)
        step.diagnostics += diagnostics
    }

    private func spuriousEvents(at paths: [ModelPath]?) -> [ModelEvent] {
        answers.typed.filter { name, _ in paths?.contains(ModelPath(name)) ?? true }.map { name, resolution in
            ModelEvent(
                observer: .typed(name), old: resolution.value, new: resolution.value,
                oldOrigin: resolution.origin, newOrigin: resolution.origin)
        }
    }

    private func countNoChange(_ operation: ModelOperation, in step: inout ModelStep) {
        if stack.mutations.contains(.touchIsAChange), case .touchFile = operation {
            step.changeSet = ModelChangeSet(generation: generation, events: spuriousEvents(at: nil))
        }
        switch operation {
        case .touchFile: tally.hit(.touchIsNoChange)
        case .writeFile, .write, .transaction: tally.hit(.equalRewriteIsNoChange)
        default: break
        }
    }

    private func count(_ events: [ModelEvent], audit: [ModelAudit]) {
        if events.isEmpty { tally.hit(.shadowedChangeIsOnlyAudited) }
        let isLockOnly = audit.allSatisfy { $0.source == nil }
        if !events.isEmpty, isLockOnly { tally.hit(.lockChangeIsAnEvent) }
        for event in events {
            guard case .raw(let path) = event.observer else { continue }
            if audit.contains(where: { ModelPath(path).isAncestor(of: $0.path) }) {
                tally.hit(.ancestorObserverIsNotified)
            }
        }
        let isRemovalOnly = audit.allSatisfy { $0.new == nil }
        if isRemovalOnly, events.contains(where: { $0.new != nil }) { tally.hit(.removalShowsBelow) }
    }
}

extension ModelStack {
    /// Applies an operation to the files, the memory and the locks, without reading anything yet.
    mutating func edit(_ operation: ModelOperation) {
        switch operation {
        case .restart(let defaults, let environment, let arguments):
            restart(defaults, environment, arguments)
        case .writeFile(let place, let contents): setFile(place, .good(contents))
        case .breakFile(let place, let version): setFile(place, .broken(version: version))
        case .deleteFile(let place): setFile(place, .absent)
        case .maskDropIn(let place): setFile(place, .mask)
        case .writeLocks(let place, let lines): setLocks(place, .good(lines: lines))
        case .breakLocks(let place, let version): setLocks(place, .broken(version: version))
        case .deleteLocks(let place): setLocks(place, .absent)
        case .raiseLock(let path, let layer):
            if let index = index(ofLayer: layer) { layers[index].codeLocks.insert(path) }
        case .lowerLock(let path, let layer):
            if let index = index(ofLayer: layer) { layers[index].codeLocks.remove(path) }
        case .touchFile, .burst, .write, .transaction: break
        }
    }

    private mutating func restart(
        _ defaults: [String: ModelValue], _ environment: [String: String], _ arguments: [String: String]
    ) {
        let held: [String: [String: ModelValue]] = [
            "defaults": defaults, "environment": environment.mapValues { .string($0) },
            "arguments": arguments.mapValues { .string($0) },
        ]
        for index in layers.indices {
            layers[index].codeLocks = []
            layers[index].held = held[layers[index].name] ?? [:]
            for place in layers[index].directories.indices {
                layers[index].directories[place].main.forget()
                layers[index].directories[place].locks.lastGood = []
                for name in layers[index].directories[place].dropIns.keys {
                    layers[index].directories[place].dropIns[name]?.forget()
                }
            }
        }
    }

    private mutating func setFile(_ place: ModelPlace, _ state: ModelFileState) {
        withDirectory(place) { $0[place.file].disk = state }
    }

    private mutating func setLocks(_ place: ModelPlace, _ state: ModelLocksState) {
        withDirectory(place) { $0.locks.disk = state }
    }

    private mutating func withDirectory(_ place: ModelPlace, _ body: (inout ModelDirectory) -> Void) {
        guard let layer = index(ofLayer: place.layer),
            let index = layers[layer].directories.firstIndex(where: { $0.name == place.directory })
        else { return }
        body(&layers[layer].directories[index])
    }

    /// Returns one diagnostic per bad revision of a file and one per recovery.
    func fileDiagnostics(since old: ModelStack) -> [ModelDiagnostic] {
        zip(old.layers, layers).flatMap { before, after in
            zip(before.directories, after.directories).flatMap { before, after in
                diagnostics(layers: (before, after))
            }
        }
    }

    private func diagnostics(layers: (before: ModelDirectory, after: ModelDirectory)) -> [ModelDiagnostic] {
        let (before, after) = layers
        let layer = self.layers.first { $0.directories.contains { $0.name == after.name } }?.name ?? ""
        var found: [ModelDiagnostic] = []
        for name in [ModelPlace.mainFile] + after.dropIns.keys.sorted() {
            let place = ModelPlace(layer: layer, directory: after.name, file: name)
            switch (before[name].seen, after[name].seen) {
            case (let old, .broken) where old != after[name].seen:
                tally.hit(.oneDiagnosticPerBadVersion)
                found.append(.brokenFile(place))
            case (.broken, .good), (.broken, .absent), (.broken, .mask):
                tally.hit(.brokenFileRecovers)
                found.append(.fileRecovered(place))
            default: break
            }
        }
        let place = ModelPlace(layer: layer, directory: after.name)
        switch (before.locks.disk, after.locks.disk) {
        case _ where !after.trustsLocks: break
        case (let old, .broken) where old != after.locks.disk: found.append(.brokenLocks(place))
        case (.broken, .good), (.broken, .absent): found.append(.locksRecovered(place))
        default: break
        }
        return found
    }
}
