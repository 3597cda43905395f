import FoundationEssentials
import LayeredPrefs

/// A declared key of the world for the engine, of any type.
protocol EngineKey: Sendable {
    var model: ModelKey { get }

    /// Returns the resolution of the key. If a plain read returns another value, the answer contains both
    /// values.
    func answer(in storage: PrefsStack, _ words: EngineWords) -> ModelAnswer

    /// Calls `body` with every change and its generation.
    func observe(
        _ storage: PrefsStack, _ words: EngineWords,
        _ body: @escaping @Sendable (UInt64, ModelEvent) -> Void
    ) -> PrefsObservation

    /// Stores a value of the key's type, or removes it.
    func write(
        _ value: ModelValue?, to storage: PrefsStack, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome

    /// Adds the same write to a transaction.
    func add(_ value: ModelValue?, to transaction: inout PrefsTransaction, in layer: PrefsLayer.Name?)
}

extension ModelKey {
    /// The key for the engine.
    var engineKey: any EngineKey {
        switch type {
        case .string: TypedEngineKey<String>(self)
        case .bool: TypedEngineKey<Bool>(self)
        case .integer: TypedEngineKey<Int>(self)
        case .real: TypedEngineKey<Double>(self)
        case .data: TypedEngineKey<Data>(self)
        case .date: TypedEngineKey<Date>(self)
        case .any: TypedEngineKey<PrefsValue>(self)
        case .array: TypedEngineKey<[String]>(self)
        case .dictionary(.integer): TypedEngineKey<[String: Int]>(self)
        case .structure: StructureEngineKey(self)
        case .dictionary: TypedEngineKey<[String: PrefsValue]>(self)
        }
    }
}

struct TypedEngineKey<Value: PrefsStorageValue>: EngineKey {
    let model: ModelKey
    let key: PersistentKey<Value>

    init(_ model: ModelKey) {
        self.model = model
        guard let defaultValue = Value(prefsValue: model.defaultValue.prefsValue) else {
            preconditionFailure("the default of \(model.name) is not of its type")
        }
        var key = PersistentKey<Value>(
            model.name, defaultValue: defaultValue, coding: AtomicPrefsCoding<Value>())
        key.traits.validate = { value in
            guard let validator = model.validator, !validator.accepts(ModelValue(value.prefsValue)) else {
                return nil
            }
            return "expected \(validator)"
        }
        key.traits.formerNames = model.formerNames.map(\.description)
        key.traits.merge = model.mergesDeeply ? .deep : .replacing
        key.traits.isSecret = model.isSecret
        self.key = key
    }

    func answer(in storage: PrefsStack, _ words: EngineWords) -> ModelAnswer {
        let resolution = storage.resolution(for: key)
        let rejected = resolution.rejected.map { error in
            (words.spelled(error.origin ?? PrefsOrigin()), words.rejection(error, of: model))
        }
        return ModelAnswer(
            value: words.one(resolution.value.prefsValue, storage.get(key).prefsValue),
            origin: resolution.origin.map(words.spelled),
            shadowed: resolution.shadowed.map { words.spelled($0.origin) },
            rejected: Dictionary(rejected) { $1 }, lockingLayer: resolution.lock?.origin.layer)
    }

    func observe(
        _ storage: PrefsStack, _ words: EngineWords,
        _ body: @escaping @Sendable (UInt64, ModelEvent) -> Void
    ) -> PrefsObservation {
        storage.observe(key) { (change: PrefsChange<Value>) in
            let event = ModelEvent(
                observer: .typed(change.key), old: ModelValue(change.old.value.prefsValue),
                new: ModelValue(change.new.value.prefsValue), oldOrigin: change.old.origin.map(words.origin),
                newOrigin: change.new.origin.map(words.origin))
            body(change.generation, event)
        }
    }

    func write(
        _ value: ModelValue?, to storage: PrefsStack, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        guard let value else { return try storage.remove(key, in: layer) }
        guard let typed = Value(prefsValue: value.prefsValue) else {
            throw EngineFault("\(value) is not of the type of \(key.id)")
        }
        return try storage.set(key, to: typed, in: layer)
    }

    func add(_ value: ModelValue?, to transaction: inout PrefsTransaction, in layer: PrefsLayer.Name?) {
        guard let value else { return transaction.remove(key, in: layer) }
        guard let typed = Value(prefsValue: value.prefsValue) else { return }
        transaction.set(key, to: typed, in: layer)
    }
}

extension ModelGroup {
    /// Adds the group as a constraint on the keys of a stack.
    func constrain(_ storage: PrefsStack, _ keys: [any EngineKey]) throws {
        let members = self.keys.compactMap { name in keys.first { $0.model.name == name } }
        let complaint = "group \(name)"
        let accepts = accepts
        switch rule {
        case .ascending:
            guard let low = members[0] as? TypedEngineKey<Int>, let high = members[1] as? TypedEngineKey<Int>
            else { throw EngineFault("\(name) is not of integers") }
            storage.constrain(low.key, high.key) { low, high in
                accepts([.integer(Int128(low)), .integer(Int128(high))]) ? nil : complaint
            }
        case .allOrNone:
            guard let one = members[0] as? TypedEngineKey<String>,
                let other = members[1] as? TypedEngineKey<String>
            else { throw EngineFault("\(name) is not of strings") }
            storage.constrain(one.key, other.key) { one, other in
                accepts([.string(one), .string(other)]) ? nil : complaint
            }
        }
    }
}
