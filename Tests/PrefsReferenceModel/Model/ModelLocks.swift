/// An effective lock: `path` and everything below it take their values from `layer` or a lower one.
struct ModelLock: Sendable, Hashable {
    let path: ModelPath
    /// The height of the layer.
    let layer: Int
    let layerName: String
}

extension ModelStack {
    /// Returns the effective locks: locks made in code, and the locks of trusted locks files. If a locks file
    /// cannot be read, the locks last read from it stay, and every key that its layer sets is locked, too.
    func locks(sources: [ModelSource]) -> [ModelLock] {
        var locks: Set<ModelLock> = []
        for (index, layer) in layers.enumerated() {
            let height = Self.height(of: index)
            for path in lockedPaths(of: layer, sources: sources.filter { $0.layer == height }) {
                locks.formUnion(
                    aliases(of: path).map { ModelLock(path: $0, layer: height, layerName: layer.name) })
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
                if !mutations.contains(.untrustedLocksCount) { continue }
            }
            paths.formUnion(directory.locks.lastGood)
            if case .broken = directory.locks.disk {
                let set = sources.flatMap(\.pathsSet)
                if !set.isEmpty { tally.hit(.unreadableLocksLockWhatIsSet) }
                if !Set(directory.locks.lastGood).subtracting(set).isEmpty {
                    tally.hit(.unreadableLocksKeepLastGood)
                }
                if !mutations.contains(.brokenFallsToAbsentLocks) { paths.formUnion(set) }
            }
        }
        return paths
    }

    /// Returns a path and its equivalents under the other names of keys that it covers or lies below. A lock
    /// applies to the canonical path, to all its spellings and to former names.
    ///
    /// For example, if `http.port` has the former names `port` and `http.listen`, a lock on `port.deep` also
    /// locks `http.port.deep` and `http.listen.deep`, and a lock on `http` also locks `port`.
    private func aliases(of path: ModelPath) -> Set<ModelPath> {
        if mutations.contains(.lockIgnoresFormerNames) { return [path] }
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
    /// Every path that the source sets: the leaves of its tree, or the names of its texts.
    var pathsSet: [ModelPath] {
        if isText { return entries.keys.map { ModelPath($0) } }
        return (tree.entries ?? [:]).flatMap { key, value in Self.leaves(of: value, at: ModelPath(key)) }
    }

    private static func leaves(of value: ModelValue, at path: ModelPath) -> [ModelPath] {
        guard let entries = value.entries, !entries.isEmpty else { return [path] }
        return entries.flatMap { leaves(of: $1, at: path.appending([$0])) }
    }
}

extension ModelSnapshot {
    /// Returns the lock that applies to a key. If several locks cover it, the one on the lowest layer
    /// applies, so that no lock weakens another.
    func lock(covering path: ModelPath) -> ModelLock? {
        let covering = locks.filter { covers($0.path, path) }
        let lowest = covering.min { $0.layer < $1.layer }
        guard let lowest, let highest = covering.max(by: { $0.layer < $1.layer }) else { return nil }
        if lowest.layer < highest.layer { tally.hit(.lowestLockWins) }
        return mutations.contains(.highestLockWins) ? highest : lowest
    }

    private func covers(_ lock: ModelPath, _ path: ModelPath) -> Bool {
        if mutations.contains(.lockIsExact) { return lock == path }
        if mutations.contains(.lockIsTextualPrefix) { return path.description.hasPrefix(lock.description) }
        return lock.covers(path)
    }

    /// True if `layer` may provide `path`: a locked key takes its value from the locking layer or below,
    /// whatever higher layers contain, debug and overrides included.
    func mayRead(_ path: ModelPath, from layer: Int) -> Bool {
        guard let lock = lock(covering: path),
            layer > lock.layer - (mutations.contains(.lockExcludesLockingLayer) ? 1 : 0)
        else { return true }
        tally.hit(.lockCutsHigherLayers)
        if layerNames[layer] == "overrides" {
            tally.hit(.lockBindsOverrides)
            if mutations.contains(.lockSparesOverrides) { return true }
        }
        if lock.path != path { tally.hit(.lockCoversBelow) }
        if keys.contains(where: { $0.formerNames.contains(path) }) { tally.hit(.lockCoversFormerName) }
        return false
    }

    /// Returns the locks below a key that bind a value of `layer`, shorter paths first.
    func locks(below path: ModelPath, binding layer: Int) -> [ModelLock] {
        if mutations.contains(.lockIgnoresAncestors) { return [] }
        return locks.filter { path.isAncestor(of: $0.path) && $0.layer < layer }
            .sorted { $0.path.components.count < $1.path.components.count }
    }

    /// Applies the locks on parts of a dictionary to a candidate that lies above the locking layers.
    ///
    /// Each locked part gets the value that the locking layer and the layers below give it, else its value in
    /// the key's default. Without either, the part is removed. Returns `nil` if the candidate is a
    /// non-dictionary that would hide a locked value: then the lock rejects the candidate.
    ///
    /// For example, the system layer sets `http = {port: 1, host: s}` and locks `http.port`. The user's
    /// candidates `{port: 9, host: u}` and `{host: u}` both become `{port: 1, host: u}`; the candidate `off`
    /// is rejected.
    func restricted(
        _ value: ModelValue, of path: ModelPath, from layer: Int, key: ModelKey
    ) -> ModelValue? {
        var value = value
        let binding = locks(below: path, binding: layer)
        // Without former names, the value that a lock restores already respects the locks below that lock.
        // With former names, a value restored under one name may come from a layer above a lock under another
        // name.
        let effective = binding.filter { lock in
            !binding.contains {
                $0.path.isAncestor(of: lock.path) && ($0.layer <= lock.layer || key.formerNames.isEmpty)
            }
        }
        for lock in effective {
            let rest = path.rest(of: lock.path)
            let locked = lockedValue(rest, of: key, upTo: lock.layer) ?? key.defaultValue.at(rest)
            if value.entries == nil {
                guard locked == nil || mutations.contains(.nonDictionaryAboveLockIsRead) else {
                    tally.hit(.lockRejectsNonDictionaryAncestor)
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

    /// Removes the locked parts, and non-dictionaries that would hide them, from a candidate that merges with
    /// lower ones.
    ///
    /// For example, the system layer sets `limits = {soft: 1}` and locks `limits.soft`. The user's candidate
    /// `{soft: 5, hard: 9}` becomes `{hard: 9}`, and the merged value has `soft: 1` and `hard: 9`.
    func stripped(_ value: ModelValue, of path: ModelPath, from layer: Int, key: ModelKey) -> ModelValue {
        locks(below: path, binding: layer).reduce(value) { value, lock in
            let rest = path.rest(of: lock.path)
            let isHeld = (lockedValue(rest, of: key, upTo: lock.layer) ?? key.defaultValue.at(rest)) != nil
            let stripped = (isHeld ? value.removingBar(on: rest) : value).removing(at: rest)
            if stripped != value { tally.hit(.lockCoversAncestorValue) }
            return stripped
        }
    }

    /// Returns the value of a part of a key in the layers up to `layer`, under the first of the key's names
    /// that has one.
    private func lockedValue(_ rest: ArraySlice<String>, of key: ModelKey, upTo layer: Int) -> ModelValue? {
        key.names.lazy.compactMap { rawValue($0.appending(rest), upTo: layer) }.first
    }
}
