/// The whole state: layers low to high, the declared keys, and the files on disk.
struct ModelStack {
    var layers: [ModelLayer]
    let keys: [ModelKey]
    let groups: [ModelGroup]
    /// The keys that share their environment variable with another key, so that it sets neither.
    let colliding: Set<String>
    let mutations: Set<ModelMutation>
    let tally: ModelTally

    init(_ world: ModelWorld, mutations: Set<ModelMutation> = [], tally: ModelTally = ModelTally()) {
        layers = world.layers
        keys = world.keys
        groups = world.groups
        colliding = ModelEnvironment.collisions(among: world.keys, prefix: world.environmentPrefix)
        self.mutations = mutations.union(world.readings)
        self.tally = tally
        read()
    }

    /// Reads every file, as a watcher would once all edits have settled.
    mutating func read() {
        for index in layers.indices { layers[index].read(mutations: mutations, tally: tally) }
    }

    /// The state that every reader sees from now on: every layer's candidates at one generation.
    var snapshot: ModelSnapshot {
        let sources = layers.enumerated().flatMap { index, layer in
            withoutCollisions(layer).sources(
                height: Self.height(of: index), mutations: mutations, tally: tally)
        }
        return ModelSnapshot(
            layerNames: layers.flatMap { [$0.name, $0.name] }, sources: sources,
            locks: locks(sources: sources), keys: keys,
            groups: groups, mutations: mutations, tally: tally)
    }

    /// Returns the height of a layer; one more is that of its directories against which its locks apply.
    static func height(of index: Int) -> Int { index * 2 }

    func index(ofLayer name: String) -> Int? { layers.firstIndex { $0.name == name } }

    /// Removes the variables that name more than one key: a collision disables all of them.
    private func withoutCollisions(_ layer: ModelLayer) -> ModelLayer {
        guard layer.name == "environment" else { return layer }
        var layer = layer
        for key in layer.held.keys where colliding.contains(key) {
            tally.hit(.environmentCollisionDisables)
            if !mutations.contains(.collisionsAreIgnored) { layer.held[key] = nil }
        }
        return layer
    }
}

/// An immutable state that resolves every key. Nothing in it is cached, so it is slow.
struct ModelSnapshot {
    /// The names of the layers by height.
    let layerNames: [String]
    /// Low to high.
    let sources: [ModelSource]
    let locks: [ModelLock]
    let keys: [ModelKey]
    let groups: [ModelGroup]
    let mutations: Set<ModelMutation>
    let tally: ModelTally

    /// True if both states resolve every key alike.
    func isSame(as other: ModelSnapshot) -> Bool { sources == other.sources && locks == other.locks }

    func contents(of source: ModelSource) -> ModelContents {
        ModelContents(source: source, mutations: mutations, tally: tally)
    }

    /// Looks up a key that is read without a type in one source.
    func view(_ path: ModelPath, in source: ModelSource) -> ModelFinding {
        let finding = contents(of: source).view(path)
        if source.isText, case .blocked = finding { return .absent }
        if mutations.contains(.environmentDoesNotJoinDictionaries), source.layerName == "environment" {
            return typedView(path, in: source)
        }
        return finding
    }

    /// Looks up a typed key in one source. A text source is read only under exactly the key's name, because a
    /// variable sets exactly one key.
    func typedView(_ path: ModelPath, in source: ModelSource) -> ModelFinding {
        guard source.isText else { return contents(of: source).view(path) }
        return source.entries[path.description].map { .found($0, .literal) } ?? .absent
    }
}
