/// What is checked against the model: an adapter of the engine, or a twisted copy of the model.
///
/// A subject is made for one world and one history; the first operation of a history is always a
/// ``ModelOperation/restart(defaults:environment:arguments:)``, which builds the stack. It observes every key
/// and raw path of the world from then on.
protocol ModelSubject: AnyObject {
    /// Does an operation and returns when everything it caused has settled: files read again, generations
    /// committed, observers called.
    ///
    /// - Returns: One outcome per write, in order; none for other operations. A refusal is an outcome, not an
    ///   error.
    func apply(_ operation: ModelOperation) async throws -> [ModelWriteOutcome]

    /// The answer for a declared key.
    func typed(_ key: ModelKey) async throws -> ModelAnswer

    /// The answer for a key read without a type; only its value and origin are compared.
    func raw(_ path: ModelPath) async throws -> ModelAnswer

    /// The change sets that arrived since the last call, in order, each with the events of every observer. A
    /// restart discards those that were not drained.
    func drainChangeSets() async throws -> [ModelChangeSet]

    /// The diagnostics since the last call. A restart's own are drained after it.
    func drainDiagnostics() async throws -> [ModelDiagnostic]
}

/// An answer as far as a subject can give it.
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

/// What of a subject is compared with the model; an engine that cannot do everything yet is compared in what
/// it can.
enum ModelAspect: Sendable, Hashable, CaseIterable {
    /// Typed and raw values.
    case typedValues, rawValues
    /// The layer and source of values, also in events; with the name, which files tell, and its spelling, if
    /// asked.
    case typedOrigins, rawOrigins, names, spellings
    case shadowed, rejected
    /// Why a candidate was rejected, beside which.
    case rejectionReasons
    case locks
    case outcomes
    case typedEvents, rawEvents
    /// What whoever observes everything hears.
    case leafEvents
    /// That an operation is at most one change set, a burst at most two.
    case changeSetCounts
    /// Which keys changed in some layer without effect.
    case audit
    /// Bad and recovered versions, except of bursts, of which not every version is seen.
    case diagnostics
}

/// The model itself as a subject, with a deviation planted, so that the comparison can be checked.
final class ModelReplica: ModelSubject {
    private var machine: ModelMachine
    private var pending: [ModelChangeSet] = []
    private var diagnostics: [ModelDiagnostic] = []
    private var last: [ModelDiagnostic] = []
    private let twists: Set<ModelTwist>

    init(_ world: ModelWorld, twists: Set<ModelTwist> = []) {
        machine = ModelMachine(world, twists: twists)
        self.twists = twists
    }

    func apply(_ operation: ModelOperation) -> [ModelWriteOutcome] {
        if case .restart = operation { pending = [] }
        if case .transaction(let writes, let others) = operation,
            twists.contains(.transactionIsSeveralCommits)
        {
            var trial = machine
            guard !others, trial.apply(operation).outcomes.contains(where: \.isRefusal) else {
                return writes.flatMap { apply(.write($0)) }
            }
        }
        let step = machine.apply(operation)
        if let changeSet = step.changeSet { pending.append(changeSet) }
        diagnostics += step.diagnostics.filter { !isKeptSilent($0) }
        if twists.contains(.diagnosticsRepeat), case .touchFile = operation { diagnostics += last }
        if !step.diagnostics.isEmpty { last = step.diagnostics }
        return step.outcomes
    }

    private func isKeptSilent(_ diagnostic: ModelDiagnostic) -> Bool {
        guard twists.contains(.recoveryIsSilent) else { return false }
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
