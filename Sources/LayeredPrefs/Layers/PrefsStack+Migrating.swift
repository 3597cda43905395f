import PrefsSystem

extension PrefsStack {
    /// Renames former names of declared keys to the present names, in the file that writes go to by default.
    ///
    /// The value under the first former name that the file has moves to the present name, unless the file already
    /// has a value there. All former names are removed. For the key `log.level`, formerly `verbosity`:
    ///
    /// | file before                                         | file after                     |
    /// |-----------------------------------------------------|--------------------------------|
    /// | `{"verbosity": "debug", "x": 1}`                    | `{"log": {"level": "debug"}, "x": 1}` |
    /// | `{"verbosity": "debug", "log": {"level": "info"}}`  | `{"log": {"level": "info"}}`   |
    ///
    /// A former name stays in two cases. A former name above the present name stays while it holds a dictionary
    /// with other keys. A former name below the present name stays if the move would lose a dictionary with other
    /// keys at the present name.
    ///
    /// A second migration changes nothing. The file is changed by one durable write. If it cannot be written, a
    /// diagnostic reports this, and the file stays unchanged.
    ///
    /// - Returns: The former names that were moved or removed, by layer.
    @discardableResult
    public func migrate() -> [PrefsLayer.Name: [String]] {
        do { try makeDeferredWrites() } catch {
            diagnostics.report(.error, error)
            return [:]
        }
        let declared = engine.state.withLock { $0.composition.known.names }
        var moved: [PrefsLayer.Name: [String]] = [:]
        if let layer = writeTarget, layer.storage.isPersistent {
            // A file without former names is not even locked.
            guard !layer.writtenContents.tree.edits(moving: declared).isEmpty else { return [:] }
            var removed: [String] = []
            reporting(key: nil) {
                let edits = PathEdits.following { contents in
                    let moves = contents.tree.edits(moving: declared)
                    removed = moves.filter { $0.value == nil }.map(\.path.name)
                    return moves
                }
                try commit([PreparedWrite(layers: [layer], edits: try layer.prepare(edits))])
                if !removed.isEmpty { moved[layer.name] = removed }
            }
        }
        return moved
    }
}

extension PrefsTree {
    /// Returns the edits that rename the declared keys with former names.
    fileprivate func edits(moving declared: [PrefsKeyName]) -> [PathEdit] {
        var moves: [PathEdit] = []
        for name in declared where !name.formerNames.isEmpty {
            // A key may be declared several times with different traits.
            moves += edits(moving: name, among: declared).filter { edit in
                !moves.contains { $0.path == edit.path }
            }
        }
        return moves
    }

    /// Returns the edits that rename one key. A value moves unchanged even if the key rejects it; the diagnostic
    /// then names the present name.
    private func edits(moving name: PrefsKeyName, among declared: [PrefsKeyName]) -> [PathEdit] {
        let present = name.paths[0]
        let former = name.paths.dropFirst().filter { path in
            acceptableValue(at: path) != nil && !holdsOthers(than: name, at: path, among: declared)
        }
        guard let first = former.first else { return [] }
        let removals = former.map { PathEdit(path: $0, value: nil) }
        let stored = acceptableValue(at: present)
        if let stored, !name.isSection(stored, at: present) {
            // A former name below the present name is a part of the present value.
            return removals.filter { !present.contains($0.path) }
        }
        // A section at the present name makes way only if nothing else is in it.
        if let stored, !stored.isEmptied(removing: former, at: present) { return [] }
        guard let value = acceptableValue(at: first) else { return [] }
        let move = PathEdit(path: present, value: value)
        // If one name is above the other, only one of them can have a value.
        let isNested = former.contains { present.contains($0) || $0.contains(present) }
        return isNested ? removals + [move] : [move] + removals
    }

    /// Returns true if a path, one of a key's names, is above another of its names, and has a dictionary with
    /// other keys. That dictionary is not removed with the key.
    ///
    /// If the key's value may be a dictionary, other keys are the key's present name and other declared keys.
    func holdsOthers(than key: PrefsKeyName, at path: PrefsPath, among declared: [PrefsKeyName]) -> Bool {
        guard key.isAboveOtherName(path), let value = value(at: path)?.value, value.kind == .dictionary
        else { return false }
        if key.isSection(value, at: path) { return true }
        let present = key.paths[0]
        if path == present { return false }
        let others = declared.filter { $0.name != key.name }.flatMap(\.paths) + [present]
        return others.contains { other in
            other != path && path.contains(other)
                && value.value(at: other.components.dropFirst(path.components.count)) != nil
        }
    }
}

extension PrefsValue {
    /// Returns true if nothing is left of a dictionary without the values at some paths.
    fileprivate func isEmptied(removing paths: [PrefsPath], at place: PrefsPath) -> Bool {
        var rest = self
        for path in paths where place.contains(path) {
            rest.remove(at: path.components.dropFirst(place.components.count))
        }
        return rest == .dictionary([:])
    }
}
