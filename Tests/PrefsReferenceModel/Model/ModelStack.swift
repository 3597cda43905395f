/// The whole state: layers low to high, the declared keys, and the files on disk.
struct ModelStack {
    var layers: [ModelLayer]
    let keys: [ModelKey]
    let groups: [ModelGroup]
    /// The keys without a variable, because a key that was declared earlier has the same one; each with that key.
    let withoutVariable: [String: String]
    /// The layers with their active contents.
    var active: [ModelLayer]
    /// The rejections of the newest contents, by file.
    var rejections: [ModelPlace: ModelRejectedFile] = [:]
    /// The layers and values of the last decision.
    var decided: (layers: [ModelLayer], values: ModelSnapshot)?
    /// The reports of the decisions since the last operation.
    var news: [ModelDiagnostic] = []
    let mutations: Set<ModelMutation>
    let tally: ModelTally

    init(_ world: ModelWorld, mutations: Set<ModelMutation> = [], tally: ModelTally = ModelTally()) {
        (layers, active) = (world.layers, world.layers)
        keys = world.keys
        groups = world.groups
        withoutVariable = ModelEnvironment.keysWithoutVariable(
            among: world.keys, prefix: world.environmentPrefix)
        self.mutations = mutations.union(world.readings)
        self.tally = tally
        read()
        active = layers
    }

    /// Reads every file, as a watcher would once all edits have settled.
    mutating func read() {
        for index in layers.indices { layers[index].read(mutations: mutations, tally: tally) }
    }

    /// The state that every reader sees from now on: the active contents of every layer.
    var snapshot: ModelSnapshot { snapshot(of: active) }

    /// Returns some contents under the newest locks. If a locks file cannot be read, every key that its layer
    /// sets, in these contents or in the newest ones, is locked, too.
    func snapshot(of contents: [ModelLayer]) -> ModelSnapshot {
        let sources = sources(of: contents)
        let newest = contents == layers ? [] : self.sources(of: layers)
        return ModelSnapshot(
            layerNames: layers.flatMap { [$0.name, $0.name] }, sources: sources,
            locks: locks(sources: sources + newest), keys: keys,
            groups: groups, mutations: mutations, tally: tally)
    }

    private func sources(of layers: [ModelLayer]) -> [ModelSource] {
        layers.enumerated().flatMap { index, layer in
            withOneKeyPerVariable(layer).sources(
                height: Self.height(of: index), mutations: mutations, tally: tally)
        }
    }

    /// Returns the height of a layer. The layer's directories that its own locks bind are one higher.
    static func height(of index: Int) -> Int { index * 2 }

    func index(ofLayer name: String) -> Int? { layers.firstIndex { $0.name == name } }

    /// If several keys map to one variable, gives its text to the key that was declared first.
    private func withOneKeyPerVariable(_ layer: ModelLayer) -> ModelLayer {
        guard layer.name == "environment" else { return layer }
        var layer = layer
        for (key, first) in withoutVariable {
            guard let text = layer.held[key] else { continue }
            tally.hit(.variableSetsFirstKey)
            layer.held[first] = layer.held[first] ?? text
            if !mutations.contains(.variableSetsAllKeys) { layer.held[key] = nil }
        }
        return layer
    }
}

/// An immutable state that resolves every key. It caches nothing, so it is slow.
struct ModelSnapshot {
    /// The names of the layers by height.
    let layerNames: [String]
    /// Low to high.
    let sources: [ModelSource]
    var locks: [ModelLock]
    let keys: [ModelKey]
    let groups: [ModelGroup]
    let mutations: Set<ModelMutation>
    let tally: ModelTally

    /// True if both states resolve every key alike.
    func isSame(as other: ModelSnapshot) -> Bool { sources == other.sources && locks == other.locks }

    /// Returns true if both states have the same locks and the same values in each source, whatever their
    /// spelling.
    func hasSameValues(as other: ModelSnapshot) -> Bool {
        locks == other.locks
            && sources.elementsEqual(other.sources) {
                $0.layerName == $1.layerName && $0.name == $1.name && $0.tree == $1.tree
                    && ($0.isText ? $0.entries == $1.entries : true)
            }
    }

    func contents(of source: ModelSource) -> ModelContents {
        ModelContents(source: source, mutations: mutations, tally: tally)
    }

    /// Looks up a key that is read without a type in one source.
    func view(_ path: ModelPath, in source: ModelSource) -> ModelFinding {
        if let text = textOfVariable(path, in: source) { return .found(text, .literal) }
        let finding = contents(of: source).view(path)
        if source.isText, case .blocked = finding { return .absent }
        if mutations.contains(.environmentDoesNotJoinDictionaries), source.layerName == "environment" {
            return typedView(path, in: source)
        }
        return finding
    }

    /// Returns the text of the variable that an undeclared path maps to, whatever key that variable sets.
    private func textOfVariable(_ path: ModelPath, in source: ModelSource) -> ModelValue? {
        if source.layerName != "environment" || keys.contains(where: { $0.path == path }) { return nil }
        let variable = ModelEnvironment.name(of: path, prefix: "")
        return source.entries.first { ModelEnvironment.name(of: ModelPath($0.key), prefix: "") == variable }?
            .value
    }

    /// Looks up a typed key in one source. A text source is read only under exactly the key's name, because a
    /// variable sets exactly one key.
    func typedView(_ path: ModelPath, in source: ModelSource) -> ModelFinding {
        guard source.isText else { return contents(of: source).view(path) }
        return source.entries[path.description].map { .found($0, .literal) } ?? .absent
    }
}
