/// A lock in force: `path`, and everything beneath, takes its value from `layer` or below.
struct ModelLock: Sendable, Hashable {
    let path: ModelPath
    let layer: Int
    let layerName: String
}

extension ModelStack {
    /// The locks in force: those made in code, those of the locks files that count, and for a locks file that
    /// cannot be read "every key that layer sets" beside what it last said (DESIGN "Locks").
    func locks(sources: [ModelSource]) -> [ModelLock] {
        var locks: Set<ModelLock> = []
        for (index, layer) in layers.enumerated() {
            for path in lockedPaths(of: layer, sources: sources.filter { $0.layer == index }) {
                locks.formUnion(
                    aliases(of: path).map { ModelLock(path: $0, layer: index, layerName: layer.name) })
            }
        }
        return locks.sorted {
            ($0.layer, $0.path.components.count, $0.path.description)
                < ($1.layer, $1.path.components.count, $1.path.description)
        }
    }

    private func lockedPaths(of layer: ModelLayer, sources: [ModelSource]) -> Set<ModelPath> {
        var paths = layer.codeLocks
        for directory in layer.directories {
            if !directory.trustsLocks {
                if directory.locks.disk != .absent { tally.hit(.untrustedLocksDoNotCount) }
                if !twists.contains(.untrustedLocksCount) { continue }
            }
            paths.formUnion(directory.locks.lastGood)
            if case .broken = directory.locks.disk {
                let set = sources.flatMap(\.pathsSet)
                if !set.isEmpty { tally.hit(.unreadableLocksLockWhatIsSet) }
                if !Set(directory.locks.lastGood).subtracting(set).isEmpty {
                    tally.hit(.unreadableLocksKeepLastGood)
                }
                if !twists.contains(.brokenFallsToAbsentLocks) { paths.formUnion(set) }
            }
        }
        return paths
    }

    /// The path and the same path under the other names of the keys it speaks of: "a lock holds for the
    /// canonical path, all its spellings and former names" (DESIGN "Locks").
    private func aliases(of path: ModelPath) -> Set<ModelPath> {
        if twists.contains(.lockIgnoresFormerNames) { return [path] }
        var all: Set<ModelPath> = [path]
        var last = 0
        while all.count > last {
            last = all.count
            for key in keys where !key.formerNames.isEmpty {
                for name in key.names {
                    for known in all {
                        if known.covers(name) { all.formUnion(key.names) }
                        if name.covers(known) {
                            all.formUnion(key.names.map { $0.appending(name.rest(of: known)) })
                        }
                    }
                }
            }
        }
        return all
    }
}

extension ModelSource {
    /// Every path that the source gives a value: the leaves of its nested entries, its literal keys.
    var pathsSet: [ModelPath] {
        entries.flatMap { key, value in Self.leaves(of: value, at: ModelPath(key)) }
    }

    private static func leaves(of value: ModelValue, at path: ModelPath) -> [ModelPath] {
        guard let entries = value.entries, !entries.isEmpty else { return [path] }
        return entries.flatMap { leaves(of: $1, at: path.appending([$0])) }
    }
}

extension ModelSnapshot {
    /// The lock that cuts a key: of all that cover it the one of the lowest layer, so that no lock is
    /// loosened by another.
    func lock(covering path: ModelPath) -> ModelLock? {
        let covering = locks.filter { covers($0.path, path) }
        let lowest = covering.min { $0.layer < $1.layer }
        guard let lowest, let highest = covering.max(by: { $0.layer < $1.layer }) else { return nil }
        if lowest.layer < highest.layer { tally.hit(.lowestLockWins) }
        return twists.contains(.highestLockWins) ? highest : lowest
    }

    private func covers(_ lock: ModelPath, _ path: ModelPath) -> Bool {
        if twists.contains(.lockIsExact) { return lock == path }
        if twists.contains(.lockIsTextualPrefix) { return path.description.hasPrefix(lock.description) }
        return lock.covers(path)
    }

    /// Whether `layer` may speak of `path`: "a locked key takes its value from the locking layer or below,
    /// whatever lies above, debug and overrides included" (DESIGN "Locks").
    func mayRead(_ path: ModelPath, from layer: Int) -> Bool {
        guard let lock = lock(covering: path),
            layer > lock.layer - (twists.contains(.lockExcludesLockingLayer) ? 1 : 0)
        else { return true }
        tally.hit(.lockCutsHigherLayers)
        if layerNames[layer] == "overrides" {
            tally.hit(.lockBindsOverrides)
            if twists.contains(.lockSparesOverrides) { return true }
        }
        if lock.path != path { tally.hit(.lockCoversBeneath) }
        if keys.contains(where: { $0.formerNames.contains(path) }) { tally.hit(.lockCoversFormerName) }
        return false
    }

    /// The locks beneath a key that bind a value of `layer`, shorter paths first.
    func locks(beneath path: ModelPath, binding layer: Int) -> [ModelLock] {
        if twists.contains(.lockIgnoresAncestors) { return [] }
        return locks.filter { path.isAncestor(of: $0.path) && $0.layer < layer }
            .sorted { $0.path.components.count < $1.path.components.count }
    }

    /// A whole value with what is locked beneath it put back: "a lock holds for … values of its ancestors"
    /// (DESIGN "Locks"). `nil` when a non-dictionary would hide a locked value: then the lock refuses it.
    func restricted(
        _ value: ModelValue, of path: ModelPath, from layer: Int, key: ModelKey
    ) -> ModelValue? {
        var value = value
        let binding = locks(beneath: path, binding: layer)
        // What an outer lock puts back respects the inner ones.
        let outer = binding.filter { lock in !binding.contains { $0.path.isAncestor(of: lock.path) } }
        for lock in outer {
            let rest = path.rest(of: lock.path)
            let locked = lockedValue(rest, of: key, upTo: lock.layer) ?? key.defaultValue.at(rest)
            if value.entries == nil {
                guard locked == nil || twists.contains(.nonDictionaryAboveLockIsRead) else {
                    tally.hit(.lockRefusesNonDictionaryAncestor)
                    return nil
                }
                continue
            }
            let before = value
            value = locked.map { value.putting($0, at: rest) } ?? value.removing(at: rest)
            if value != before { tally.hit(.lockCoversAncestorValue) }
        }
        return value
    }

    /// A dictionary without what is locked beneath it, or would hide that, for values that merge with those
    /// below.
    func stripped(_ value: ModelValue, of path: ModelPath, from layer: Int, key: ModelKey) -> ModelValue {
        locks(beneath: path, binding: layer).reduce(value) { value, lock in
            let rest = path.rest(of: lock.path)
            let isHeld = lockedValue(rest, of: key, upTo: lock.layer) != nil
            let stripped = (isHeld ? value.removingBar(on: rest) : value).removing(at: rest)
            if stripped != value { tally.hit(.lockCoversAncestorValue) }
            return stripped
        }
    }

    /// What the layers up to one make of a part of a key, under the first of its names that says anything of it.
    private func lockedValue(_ rest: ArraySlice<String>, of key: ModelKey, upTo layer: Int) -> ModelValue? {
        key.names.lazy.compactMap { rawValue($0.appending(rest), upTo: layer) }.first
    }
}
