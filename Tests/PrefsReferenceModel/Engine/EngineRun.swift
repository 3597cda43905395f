import PrefsSystem
import FileWatching
import LayeredPrefs

/// One run of the program: a stack and all its observers.
final class EngineRun {
    let storage: PrefsStack
    let receiving = EngineNotification()
    let words: EngineWords
    private var observations: [PrefsObservation] = []

    private static let watcher = FileWatcher(engine: .manual(ManualFileEngine()))

    init(
        _ world: ModelWorld, files: EngineFiles, keys: [any EngineKey], defaults: [String: ModelValue],
        environment: [String: String], arguments: [String: String]
    ) throws {
        let textLayers = world.layers.filter { $0.kind == .text }.map(\.name)
        words = EngineWords(files: files, textLayers: Set(textLayers))
        let diagnostics = PrefsDiagnosticHandler()
        observations = [diagnostics.subscribe(receiving.receive)]
        var options = FilePrefsStorage.Options()
        options.watcher = Self.watcher
        options.diagnostics = diagnostics
        let layers = try world.layers.map { layer in
            PrefsLayer(
                PrefsLayer.Name(layer.name),
                try Self.storage(
                    of: layer, world, files: files, options: options, defaults: defaults,
                    environment: environment, arguments: arguments))
        }
        // Within this long interval no timer commits coalesced changes. The recheck at the end of an
        // operation does.
        storage = PrefsStack(
            coalescing: .leadingEdge(.seconds(60)), diagnostics: diagnostics
        ) { layers }
        storage.note(
            world.keys.map { PrefsKeyName($0.name, formerNames: $0.formerNames.map(\.description)) })
        for group in world.groups { try group.constrain(storage, keys) }
        observations += keys.map { [words, receiving] in $0.observe(storage, words, receiving.receive) }
        observations += world.rawPaths.map { observe($0) }
        observations.append(observeEverything())
    }

    private static func storage(
        of layer: ModelLayer, _ world: ModelWorld, files: EngineFiles, options: FilePrefsStorage.Options,
        defaults: [String: ModelValue], environment: [String: String], arguments: [String: String]
    ) throws -> any PrefsStorage {
        switch layer.name {
        case "defaults": return FixedStorage(defaults.mapValues(\.prefsValue))
        case "overrides": return DictionaryPrefsStorage()
        case "environment":
            let prefix = world.environmentPrefix
            let variables = ModelEnvironment.variables(environment, of: world.keys, prefix: prefix)
            return EnvironmentPrefsStorage(prefix: prefix, environment: variables)
        case "arguments": return ArgumentsPrefsStorage(arguments.flatMap { ["--set", "\($0)=\($1)"] })
        default:
            guard layer.kind == .files else { throw EngineFault("no storage for the layer \(layer.name)") }
            return SystemPrefsStorage(locations: files.locations(of: layer), options: options)
        }
    }

    private func observe(_ path: ModelPath) -> PrefsObservation {
        let key = path.description
        let last = Lock(storage.resolution(forKey: key))
        // An operation changes a value once, and nothing is committed after that: the current value is the
        // new one.
        return storage.observe(under: key) { [weak storage, words, receiving] changes in
            guard let new = storage?.resolution(forKey: key) else { return }
            let old = last.withLock { last in
                defer { last = new }
                return last
            }
            if old.value == new.value { return }
            receiving.receive(changes.generation, words.event(.raw(key), from: old, to: new))
        }
    }

    private func observeEverything() -> PrefsObservation {
        storage.observe { [words, receiving] changes in
            receiving.receive(changes.generation, shadowed: changes.shadowed)
            for change in changes.changes {
                receiving.receive(
                    changes.generation, words.event(.leaf(change.key), from: change.old, to: change.new))
            }
        }
    }
}

/// The notifications of observers and diagnostics, kept until the driver drains them.
final class EngineNotification: Sendable {
    private struct State {
        var changeSets: [UInt64: ModelChangeSet] = [:]
        var diagnostics: [PrefsDiagnostic] = []

        mutating func withChangeSet(_ generation: UInt64, _ body: (inout ModelChangeSet) -> Void) {
            body(
                &changeSets[
                    generation, default: ModelChangeSet(generation: Int(clamping: generation), events: [])])
        }
    }

    private let state = Lock(State())

    func receive(_ generation: UInt64, _ event: ModelEvent) {
        state.withLock { $0.withChangeSet(generation) { $0.events.append(event) } }
    }

    /// Records the keys whose change is shadowed.
    func receive(_ generation: UInt64, shadowed: [String]) {
        state.withLock { $0.withChangeSet(generation) { $0.shadowed += shadowed } }
    }

    /// Records a contradiction as an event that the model never expects.
    func receive(_ generation: UInt64, fault: String) {
        receive(
            generation,
            ModelEvent(observer: .raw("(\(fault))"), old: nil, new: true, oldOrigin: nil, newOrigin: nil))
    }

    func receive(_ diagnostic: PrefsDiagnostic) {
        state.withLock { $0.diagnostics.append(diagnostic) }
    }

    /// Returns the change sets in the order of their generations.
    func drainChangeSets() -> [ModelChangeSet] {
        let changeSets = state.withLock { state in
            defer { state.changeSets = [:] }
            return state.changeSets
        }
        return changeSets.values.sorted { $0.generation < $1.generation }
    }

    func drainDiagnostics() -> [PrefsDiagnostic] {
        state.withLock { state in
            defer { state.diagnostics = [] }
            return state.diagnostics
        }
    }
}

/// A storage that cannot be written, as another module may provide it.
private final class FixedStorage: PrefsStorage {
    let snapshot: PrefsSnapshot
    let changeSource: PrefsChangeSource? = PrefsChangeSource()

    init(_ content: [String: PrefsValue]) { snapshot = PrefsSnapshot(content) }
}
