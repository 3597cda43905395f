/// An implementation that is compared with the model: an adapter of the engine, or a mutated copy of the
/// model.
///
/// A subject is made for one world and one trace. The first operation of a trace is always a
/// ``ModelOperation/restart(defaults:environment:arguments:)``, which builds the stack. From then on the
/// subject observes every key and raw path of the world.
protocol ModelSubject: AnyObject {
    /// Performs an operation and returns when all its effects have settled: files reloaded, generations
    /// committed, observers notified.
    ///
    /// - Returns: One outcome per write, in order; none for other operations. A failed write is an outcome,
    ///   not an error.
    func apply(_ operation: ModelOperation) async throws -> [ModelWriteOutcome]

    /// Returns the answer for a declared key.
    func typed(_ key: ModelKey) async throws -> ModelAnswer

    /// Returns the answer for a key read without a type; only its value and origin are compared.
    func raw(_ path: ModelPath) async throws -> ModelAnswer

    /// Returns the change sets that arrived since the last call, in order, each with the events of every
    /// observer. A restart discards change sets that were not drained.
    func drainChangeSets() async throws -> [ModelChangeSet]

    /// Returns the diagnostics since the last call. After a restart, they include the restart's own.
    func drainDiagnostics() async throws -> [ModelDiagnostic]
}

/// An answer, as far as a subject can provide it.
struct ModelAnswer: Sendable, Hashable {
    var value: ModelValue?
    /// `nil` for the key's own default, and where there is no value.
    var origin: ModelOrigin?
    /// High to low.
    var shadowed: [ModelOrigin] = []
    var rejected: [ModelOrigin: ModelRejection] = [:]
    /// The name of the layer that locks the key.
    var lockingLayer: String?
}

extension ModelAnswer {
    init(_ resolution: ModelResolution) {
        self.init(
            value: resolution.value, origin: resolution.origin, shadowed: resolution.shadowed,
            rejected: resolution.rejected, lockingLayer: resolution.lock?.layerName)
    }

    init(_ resolution: ModelRawResolution) {
        self.init(value: resolution.value, origin: resolution.origin)
    }
}

/// An aspect of the comparison between a subject and the model. An unfinished engine is compared only in the
/// aspects that it supports.
enum ModelAspect: Sendable, Hashable, CaseIterable {
    /// Typed and raw values.
    case typedValues, rawValues
    /// The layer and source of values, in events as well; optionally the name, which only files report, and
    /// its spelling.
    case typedOrigins, rawOrigins, names, spellings
    case shadowed, rejected
    /// The reasons why candidates were rejected, in addition to which ones.
    case rejectionReasons
    case locks
    case outcomes
    case typedEvents, rawEvents
    /// The notifications of an observer of all keys.
    case leafEvents
    /// That an operation causes at most one change set, and a burst at most two.
    case changeSetCounts
    /// The keys whose change in some layer is shadowed.
    case audit
    /// Bad and recovered revisions, except in bursts, where some revisions are never seen.
    case diagnostics
}

/// The model itself as a subject, optionally mutated, so that the comparison can be tested.
final class ModelReplica: ModelSubject {
    private var machine: ModelMachine
    private var pending: [ModelChangeSet] = []
    private var diagnostics: [ModelDiagnostic] = []
    private var last: [ModelDiagnostic] = []
    private let mutations: Set<ModelMutation>

    init(_ world: ModelWorld, mutations: Set<ModelMutation> = []) {
        machine = ModelMachine(world, mutations: mutations)
        self.mutations = mutations
    }

    func apply(_ operation: ModelOperation) -> [ModelWriteOutcome] {
        if case .restart = operation { pending = [] }
        if case .transaction(let writes, let others) = operation,
            mutations.contains(.transactionIsSeveralCommits)
        {
            var trial = machine
            guard !others, trial.apply(operation).outcomes.contains(where: \.isRejection) else {
                return writes.flatMap { apply(.write($0)) }
            }
        }
        let step = machine.apply(operation)
        if let changeSet = step.changeSet { pending.append(changeSet) }
        diagnostics += step.diagnostics.filter { !isKeptSilent($0) }
        if mutations.contains(.diagnosticsRepeat), case .touchFile = operation { diagnostics += last }
        if !step.diagnostics.isEmpty { last = step.diagnostics }
        return step.outcomes
    }

    private func isKeptSilent(_ diagnostic: ModelDiagnostic) -> Bool {
        guard mutations.contains(.recoveryIsSilent) else { return false }
        return switch diagnostic {
        case .recovered, .fileRecovered, .locksRecovered: true
        default: false
        }
    }

    func typed(_ key: ModelKey) -> ModelAnswer {
        machine.answers.typed[key.name].map { ModelAnswer($0) } ?? ModelAnswer()
    }

    func raw(_ path: ModelPath) -> ModelAnswer {
        machine.answers.raw[path.description].map { ModelAnswer($0) } ?? ModelAnswer()
    }

    func drainChangeSets() -> [ModelChangeSet] {
        defer { pending = [] }
        return pending
    }

    func drainDiagnostics() -> [ModelDiagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }
}
