import PrefsDocuments
/// The layers' states as one, made anew only where a layer has moved on.
struct LayerComposition {
    typealias Part = PrefsSnapshot.Part

    /// What one layer brings in.
    private struct Contribution {
        let state: PrefsSnapshot.State
        /// How high the layer begins.
        let base: Int
        let top: Int
        let parts: [Part]
        let locks: [PrefsLock]

        /// A nested stack keeps its inner order within its layer's.
        init(_ state: PrefsSnapshot.State, of layer: PrefsLayer, from base: Int) {
            self.state = state
            self.base = base
            top = base + (state.parts.map(\.height).max() ?? 0)
            parts = state.parts.map { part in
                Part(source: part.source, layer: part.name(in: layer), height: base + part.height)
            }
            locks = state.locks.map { $0.raised(by: base, into: layer.name) }
        }
    }

    private var contributions: [Contribution] = []

    /// Most important first.
    private(set) var parts: [Part] = []

    /// Takes the layers' present states.
    ///
    /// - Returns: Whether any layer's is another one than before.
    mutating func update(_ layers: [PrefsLayer]) -> Bool {
        var base = 0
        var isNew = false
        for index in layers.indices {
            layers[index].stack?.commitSilently()
            let state = layers[index].storage.snapshot.state
            if index == contributions.count {
                contributions.append(Contribution(state, of: layers[index], from: base))
                isNew = true
            } else if contributions[index].state !== state || contributions[index].base != base {
                contributions[index] = Contribution(state, of: layers[index], from: base)
                isNew = true
            }
            base = contributions[index].top + 1
        }
        if isNew { parts = contributions.reversed().flatMap { $0.parts } }
        return isNew
    }

    /// The locks of the layers and those that the program made, in the layers' order.
    func locks(_ layers: [PrefsLayer], and others: [LayeredPrefsStorage.CodeLock]) -> [PrefsLock] {
        if others.isEmpty, contributions.allSatisfy({ $0.locks.isEmpty }) { return [] }
        return zip(layers, contributions).flatMap { layer, contribution in
            contribution.locks
                + others.filter { $0.layer == layer.name }.map { lock in
                    let origin = PrefsOrigin(layer: layer.name.description)
                    return PrefsLock(lock.path, origin: origin, height: contribution.top)
                }
        }
    }
}

extension PrefsSnapshot.Part {
    fileprivate func name(in outer: PrefsLayer) -> String {
        layer.map { "\(outer.name).\($0)" } ?? outer.name.description
    }
}

extension PrefsLock {
    fileprivate func raised(by base: Int, into layer: PrefsLayer.Name) -> PrefsLock {
        var lock = self
        lock.height += base
        lock.origin.layer = origin.layer.map { "\(layer).\($0)" } ?? layer.description
        return lock
    }
}
