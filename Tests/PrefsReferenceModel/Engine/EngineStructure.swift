import LayeredPrefs

/// The struct of the world's key `mta.relay`.
struct EngineRelay: Codable, Sendable {
    struct TLS: Codable, Sendable {
        let minimum: String
        let strict: Bool
    }

    let host: String
    let labels: [String: Int]
    let names: [String]
    let port: Int
    let tls: TLS
}

/// The key of the struct.
struct StructureEngineKey: EngineKey {
    let model: ModelKey
    private let key: PersistentKey<EngineRelay>
    private let coding = CodablePrefsCoding<EngineRelay>()

    init(_ model: ModelKey) {
        self.model = model
        guard let defaultValue = coding.decode(model.defaultValue.prefsValue) else {
            preconditionFailure("the default of \(model.name) is not of its type")
        }
        let coding = coding
        var key = PersistentKey(
            model.name, defaultValue: defaultValue,
            .validate { value in
                guard let validator = model.validator, let stored = (try? coding.encode(value)) ?? nil,
                    !validator.accepts(ModelValue(stored))
                else { return nil }
                return "expected \(validator)"
            })
        key.traits.formerNames = model.formerNames.map(\.description)
        self.key = key
    }

    private func stored(_ value: EngineRelay) -> PrefsValue? { (try? coding.encode(value)) ?? nil }

    func answer(in storage: PrefsStack, _ words: EngineWords) -> ModelAnswer {
        let resolution = storage.resolution(for: key)
        let rejected = resolution.rejected.map { error -> (ModelOrigin, ModelRejection) in
            let origin = error.origin ?? PrefsOrigin()
            let reason = words.rejection(error, of: model)
            guard let part = words.part(of: error, in: model) else { return (words.spelled(origin), reason) }
            return (words.origin(origin).part(part, of: model), reason)
        }
        let snapshot = storage.snapshot
        let again = stored(snapshot.get(key))
        // Read twice: the second read returns the value that the key has cached.
        let first = stored(storage.get(key))
        let value = first == again ? stored(storage.get(key)) : nil
        return ModelAnswer(
            value: words.one(stored(resolution.value), value), origin: resolution.origin.map(words.spelled),
            shadowed: resolution.shadowed.map { words.spelled($0.origin) },
            rejected: Dictionary(rejected) { $1 }, lockingLayer: resolution.lock?.origin.layer)
    }

    func observe(
        _ storage: PrefsStack, _ words: EngineWords,
        _ body: @escaping @Sendable (UInt64, ModelEvent) -> Void
    ) -> PrefsObservation {
        let coding = coding
        @Sendable func model(_ value: EngineRelay) -> ModelValue? {
            ((try? coding.encode(value)) ?? nil).map { ModelValue($0) }
        }
        return storage.observe(key) { (change: PrefsChange<EngineRelay>) in
            let event = ModelEvent(
                observer: .typed(change.key), old: model(change.old.value), new: model(change.new.value),
                oldOrigin: change.old.origin.map(words.origin), newOrigin: change.new.origin.map(words.origin)
            )
            body(change.generation, event)
        }
    }

    func write(
        _ value: ModelValue?, to storage: PrefsStack, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        guard let value else { return try storage.remove(key, in: layer) }
        guard let typed = coding.decode(value.prefsValue) else {
            throw EngineFault("\(value) is not of the type of \(key.id)")
        }
        return try storage.set(key, to: typed, in: layer)
    }

    func add(_ value: ModelValue?, to transaction: inout PrefsTransaction, in layer: PrefsLayer.Name?) {
        guard let value else { return transaction.remove(key, in: layer) }
        guard let typed = coding.decode(value.prefsValue) else { return }
        transaction.set(key, to: typed, in: layer)
    }
}
