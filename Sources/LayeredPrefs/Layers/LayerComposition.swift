import PrefsDocuments

/// The layers' states merged into one list of parts, rebuilt only for layers whose state changed.
///
/// Heights count the layers from the lowest up; a larger height wins. All sources of a layer, such as the
/// system's files and drop-ins, share its height. A nested stack keeps its inner order: it takes one height
/// for each of its own layers, and its locks are raised with them. For the stack `defaults` · `site` · `top`,
/// where `site` is a stack of `system` and `user` whose `system` layer locks `http`:
///
/// | layer         | height | locks  | `http.port` | result     |
/// |---------------|--------|--------|-------------|------------|
/// | `top`         | 3      |        | 3           | locked out |
/// | `site.user`   | 2      |        | 2           | locked out |
/// | `site.system` | 1      | `http` | 1           | effective  |
/// | `defaults`    | 0      |        | 0           | shadowed   |
struct LayerComposition {
    /// One layer's parts and locks, at their heights in the stack.
    private struct Contribution {
        let snapshot: PrefsSnapshot
        /// The lowest height of the layer.
        let base: Int
        /// The largest height of the layer; differs from `base` only for a nested stack.
        let top: Int
        /// The height of locks made in code.
        let lockHeight: Int
        let parts: PrefsSnapshot.Parts.Group

        /// The layer's own locks, at their heights in the layer.
        var listed: [PrefsLock] { snapshot.state.rules.locks.all }

        init(_ snapshot: PrefsSnapshot, of layer: PrefsLayer.Name, from base: Int) {
            let state = snapshot.state
            self.snapshot = snapshot
            self.base = base
            top = base + state.parts.height
            lockHeight = state.rules.lockHeight.map { base + $0 } ?? top
            let groups = state.parts.groups
            let group = groups.count == 1 ? groups[0] : PrefsSnapshot.Parts.Group(Array(state.parts))
            parts = group.map { part in
                PrefsSnapshot.Part(
                    source: part.source, layer: layer.qualifying(part.layer), height: base + part.height)
            }
        }

        /// Returns true if both have the same locks, at the same heights.
        func hasSameLocks(as other: Contribution) -> Bool {
            base == other.base && lockHeight == other.lockHeight
                && snapshot.state.rules.locks == other.snapshot.state.rules.locks
        }
    }

    private var contributions: [Contribution] = []

    /// The sources of all layers, most important first.
    private(set) var parts = PrefsSnapshot.Parts([])

    /// Updates the composition to the layers' current states.
    ///
    /// A layer is rebuilt if its state is another object than before, or if its base has moved. The base moves if
    /// a nested stack below the layer now takes more or fewer heights.
    ///
    /// - Parameter states: The states of the layers.
    /// - Returns: True if any layer was rebuilt, and true if any layer's locks, or their heights, differ.
    mutating func update(
        _ layers: [PrefsLayer], to states: [PrefsSnapshot]
    ) -> (isNew: Bool, hasNewLocks: Bool) {
        var (base, isNew, hasNewLocks) = (0, false, false)
        for (index, state) in states.enumerated() {
            let isFirst = index == contributions.count
            if isFirst || contributions[index].base != base
                || !contributions[index].snapshot.isCopy(of: state)
            {
                let next = Contribution(state, of: layers[index].name, from: base)
                if isFirst || !next.hasSameLocks(as: contributions[index]) { hasNewLocks = true }
                if isFirst { contributions.append(next) } else { contributions[index] = next }
                isNew = true
            }
            base = contributions[index].top + 1
        }
        if isNew { parts = PrefsSnapshot.Parts(groups: contributions.reversed().map(\.parts)) }
        return (isNew, hasNewLocks)
    }

    /// Adds the secrets that nested stacks declare.
    func addSecrets(to secrets: inout SecretPaths) {
        for contribution in contributions { secrets.formUnion(contribution.snapshot.secrets) }
    }

    /// Returns the layers' locks files that cannot be read.
    func unreadableLocks(_ layers: [PrefsLayer]) -> [UnreadableLocks.File] {
        zip(layers, contributions).flatMap { layer, contribution in
            contribution.snapshot.state.rules.unreadableLocks.files.map { file in
                UnreadableLocks.File(
                    place: file.place.within(layer.name), height: contribution.base + file.height)
            }
        }
    }

    /// Returns the locks of the layers and the locks made in code, in the order of the layers.
    ///
    /// A lock made in code holds at the layer's top, so every source of the layer, and every layer of a nested
    /// stack, may set the key. Among the system's files, only files in fixed folders may set it.
    func locks(_ layers: [PrefsLayer], and others: [CodeLock]) -> [PrefsLock] {
        var locks: [PrefsLock] = []
        locks.reserveCapacity(contributions.reduce(others.count) { $0 + $1.listed.count })
        for (layer, contribution) in zip(layers, contributions) {
            // The locks of one file follow each other and share their place.
            var last: (place: PrefsLock.Place, inLayer: PrefsLock.Place)?
            for lock in contribution.listed {
                let place = last?.place === lock.place ? last?.inLayer : nil
                let inLayer = place ?? lock.place.within(layer.name)
                last = (lock.place, inLayer)
                locks.append(lock.raised(by: contribution.base, at: inLayer))
            }
            for lock in others where lock.layer == layer.name {
                let origin = PrefsOrigin(layer: layer.name.description)
                locks.append(PrefsLock(lock.path, origin: origin, height: contribution.lockHeight))
            }
        }
        return locks
    }
}

extension PrefsLock.Place {
    fileprivate func within(_ layer: PrefsLayer.Name) -> PrefsLock.Place {
        var origin = origin
        origin.layer = layer.qualifying(origin.layer)
        return PrefsLock.Place(origin)
    }
}
