import PrefsSystem

extension LayeredPrefsStorage {
    /// Renames former names of declared keys to the present ones in all writable files.
    ///
    /// The value of the first former name that a file has moves to the present name, unless the file has that
    /// already; all former names are removed. For the key `log.level`, formerly `verbosity`:
    ///
    /// | file before                                         | file after                     |
    /// |-----------------------------------------------------|--------------------------------|
    /// | `{"verbosity": "debug", "x": 1}`                    | `{"log": {"level": "debug"}, "x": 1}` |
    /// | `{"verbosity": "debug", "log": {"level": "info"}}`  | `{"log": {"level": "info"}}`   |
    ///
    /// Migrating again changes nothing. Each file is changed by one durable write; a file that cannot be
    /// written is reported and left unchanged.
    ///
    /// - Returns: The former names that were moved or removed, by layer.
    @discardableResult
    public func migrate() -> [PrefsLayer.Name: [String]] {
        makeDeferredWrites()
        let names = committing.withLock { $0.composition.known.names }.filter { !$0.formerNames.isEmpty }
        var moved: [PrefsLayer.Name: [String]] = [:]
        for layer in layers where layer.storage.isWritable && layer.storage.isPersistent {
            // So that a file without former names is not even locked.
            guard !layer.writtenContents.tree.edits(moving: names).isEmpty else { continue }
            var removed: [String] = []
            reporting(key: nil) {
                let edits = PathEdits.following { contents in
                    let moves = contents.tree.edits(moving: names)
                    removed = moves.filter { $0.value == nil }.map(\.path.name)
                    return moves
                }
                try commit([([layer], try layer.prepare(edits))])
                if !removed.isEmpty { moved[layer.name] = removed }
            }
        }
        return moved
    }
}

extension PrefsTree {
    /// Returns the edits that rename some keys.
    fileprivate func edits(moving names: [PrefsKeyName]) -> [PathEdit] {
        var moves: [PathEdit] = []
        for name in names {
            // A key may be declared several times, with different other traits.
            moves += edits(moving: name).filter { edit in !moves.contains { $0.path == edit.path } }
        }
        return moves
    }

    /// Returns the edits that rename one key. A value moves unchanged even if the key rejects it; the diagnostic
    /// then names the present name.
    private func edits(moving name: PrefsKeyName) -> [PathEdit] {
        let former = name.paths.dropFirst().filter(hasUsableValue)
        guard let first = former.first else { return [] }
        var edits = former.map { PathEdit(path: $0, value: nil) }
        if !hasUsableValue(at: name.paths[0]), let value = value(at: first)?.value {
            edits.insert(PathEdit(path: name.paths[0], value: value), at: 0)
        }
        return edits
    }

    /// Returns true if a path has a value and nothing blocks it.
    private func hasUsableValue(at path: PrefsPath) -> Bool {
        value(at: path).map { !$0.isRejected } ?? false
    }
}
