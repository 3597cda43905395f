import PrefsDocuments

@testable import LayeredPrefs

/// Which of the newest revisions of a stack's layers become active, as a function.
///
/// It is what the stack is to follow in place of `RefusalSearch`. Nothing that was rejected before is remembered, so that it is
/// tried again whenever anything changes.
///
/// 1. All newest revisions are tried together. If that has no problem which the active revisions do not have, all of them
///    become active.
/// 2. Otherwise one layer after the other is added to the active revisions, from the lowest on, and once more from the lowest
///    until none is added. A layer that adds a problem is rejected: it keeps its active revision.
/// 3. A layer with the scope ``RejectionScope/key`` is never rejected for the value of a key. Before anything else, each key
///    whose new value is wrong keeps what is active under all its names. Where rule 2 would reject such a layer for several
///    values together, it is tried once more with what is active of just these keys.
/// 4. If handlers have to be asked about what these rules choose, that is offered to them. What becomes active meanwhile is
///    chosen by the same rules, for which waiting is a problem.
struct Decision {
    /// Everything that may be wrong. It has no effects.
    struct Validation {
        /// Returns the wrong values of the declared keys.
        let wrongValues: (Layers) -> [WrongValue]
        /// Returns the problems of several values together, whatever other layers have.
        let rules: (Layers) -> [Problem]
        /// Returns true if handlers have not decided on what differs between two states.
        var isWaiting: (_ candidate: Layers, _ base: Layers) -> Bool = { _, _ in false }
    }

    private let newest: Layers
    private let base: Layers
    private let validation: Validation

    /// The layers that become active.
    private(set) var active: Layers
    /// The problems for which layers, or some of their values, are rejected, by the layers' indices.
    private(set) var rejected: [Int: [Problem]] = [:]
    /// What rule 3 rejects before anything else.
    private var mended: [Int: [Problem]] = [:]
    /// What the handlers are to be asked about; `nil` if nothing waits for them.
    private(set) var offer: Layers?

    /// - Parameters:
    ///   - newest: The newest revisions, from the lowest layer to the highest.
    ///   - active: The active revisions.
    init(on newest: Layers, over active: Layers, _ validation: Validation) {
        (self.newest, base, self.active, self.validation) = (newest, active, active, validation)
        let targets = Layers(all: newest.all.indices.map { mended(newest.all[$0], at: $0) })
        let goal = chosen(from: targets, isFinal: false)
        if validation.isWaiting(goal, base) {
            offer = goal
            self.active = chosen(from: goal, isFinal: true)
        } else {
            self.active = goal
        }
    }

    /// Returns the layers that become active, by rules 1 and 2.
    ///
    /// - Parameter isFinal: True if waiting is a problem, for which nothing is rejected.
    private mutating func chosen(from targets: Layers, isFinal: Bool) -> Layers {
        if isRight(targets, since: base, isFinal) { return targets }
        var (state, isAdding) = (base, true)
        while isAdding {
            isAdding = false
            for index in targets.all.indices where state.all[index] != targets.all[index] {
                guard let added = addition(of: targets.all[index], at: index, to: state, isFinal) else {
                    continue
                }
                (state.all[index], isAdding) = (added, true)
            }
        }
        return state
    }

    /// Returns a layer if it adds no problem to others, or what of it adds none; `nil` if it is rejected, or has to wait.
    private mutating func addition(of target: Layer, at index: Int, to state: Layers, _ isFinal: Bool)
        -> Layer?
    {
        let found = problems(in: state.replacing(index, by: target), since: state)
        if found.isEmpty {
            if !isRight(state.replacing(index, by: target), since: state, isFinal) { return nil }
            if !isFinal { rejected[index] = mended[index] }
            return target
        }
        if !isFinal { rejected[index] = (mended[index] ?? []) + found }
        guard target.scope == .key else { return nil }
        let part = target.keeping(base.all[index], at: found.flatMap(\.keys).flatMap(\.paths))
        if part == base.all[index] || part == state.all[index] { return nil }
        return isRight(state.replacing(index, by: part), since: state, isFinal) ? part : nil
    }

    private func isRight(_ candidate: Layers, since state: Layers, _ isFinal: Bool) -> Bool {
        problems(in: candidate, since: state).isEmpty && !(isFinal && validation.isWaiting(candidate, state))
    }

    /// Returns the problems that some layers have, and others not. A wrong value counts if no acceptable one stands above it;
    /// those of layers whose scope is the key have been replaced, or count as absent.
    private func problems(in candidate: Layers, since state: Layers) -> [Problem] {
        func all(_ layers: Layers) -> [Problem] {
            validation.wrongValues(layers).filter { wrong in
                !wrong.isShadowed && layers[wrong.rejected.layer]?.scope == .source
            }.map(Problem.init) + validation.rules(layers)
        }
        return all(candidate).subtracting(all(state))
    }

    /// Returns a layer or, if its scope is the key, that layer with what is active of the keys whose new values are wrong. A
    /// key of which nothing is active counts as absent, and needs nothing in its place.
    private mutating func mended(_ newest: Layer, at index: Int) -> Layer {
        let old = base.all[index]
        guard newest.scope == .key, newest != old else { return newest }
        var (layer, kept, found) = (newest, Set<PrefsPath>(), [Problem]())
        func next() -> WrongValue? {
            validation.wrongValues(base.replacing(index, by: layer)).first { wrong in
                wrong.rejected.layer == layer.name && !kept.isSuperset(of: wrong.key.paths)
            }
        }
        while let wrong = next() {
            kept.formUnion(wrong.key.paths)
            let isKept = wrong.key.paths.contains { old.value(at: $0) != nil }
            let mended = isKept ? layer.keeping(old, at: wrong.key.paths) : layer
            if mended == layer { continue }
            layer = mended
            found.append(Problem(wrong))
        }
        if !found.isEmpty { (self.mended[index], rejected[index]) = (found, found) }
        return layer
    }
}

/// The contents of the layers, from the lowest to the highest.
struct Layers: Equatable {
    var all: [Layer]

    subscript(name: String?) -> Layer? { all.first { $0.name == name } }

    func replacing(_ index: Int, by layer: Layer) -> Layers {
        var layers = self
        layers.all[index] = layer
        return layers
    }

    var snapshot: PrefsSnapshot {
        PrefsSnapshot(
            parts: all.enumerated().reversed().map { height, layer in
                PrefsSnapshot.Part(
                    source: PrefsSource(.value(.dictionary(layer.contents))), layer: layer.name,
                    height: height)
            })
    }
}

/// The contents of one layer.
struct Layer: Equatable {
    let name: String
    let scope: RejectionScope
    var contents: [String: PrefsValue] = [:]

    func value(at path: PrefsPath) -> PrefsValue? {
        PrefsValue.dictionary(contents).value(at: path.components[...])
    }

    /// Returns the layer with what another one has at some paths, which may be nothing. What is no dictionary on the way is
    /// replaced, or removed.
    func keeping(_ other: Layer, at paths: [PrefsPath]) -> Layer {
        var layer = self
        for path in paths {
            var contents = PrefsValue.dictionary(layer.contents)
            let place = path.components[...]
            let isBlocked = contents.isBlocked(on: place)
            let (before, after) = (other.value(at: path), layer.value(at: path))
            if before == after, !isBlocked { continue }
            if isBlocked { contents.cut(place, clearingTheWay: true) }
            if let before { contents.insert(before, at: place) } else { _ = contents.remove(at: place) }
            layer.contents = contents.dictionary ?? [:]
        }
        return layer
    }
}
