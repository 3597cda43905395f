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
        let names = committing.withLock { $0.composition.known.names }.filter { !$0.formerNames.isEmpty }
        var moved: [PrefsLayer.Name: [String]] = [:]
        for layer in layers where layer.storage.isWritable && layer.storage.isPersistent {
            var moves: [PathEdit] = []
            for name in names {
                // A key may be declared several times, with different other traits.
                let new = edits(moving: name, in: layer).filter { edit in
                    !moves.contains { $0.path == edit.path }
                }
                moves += new
            }
            guard !moves.isEmpty else { continue }
            reporting(key: nil) {
                try commit([([layer], try layer.prepare(moves))])
                moved[layer.name] = moves.filter { $0.value == nil }.map(\.path.name)
            }
        }
        return moved
    }

    /// Returns the edits that rename one key in a layer. A value moves unchanged even if the key rejects it;
    /// the diagnostic then names the present name.
    private func edits(moving name: PrefsKeyName, in layer: PrefsLayer) -> [PathEdit] {
        let snapshot = layer.storage.snapshot
        let file = layer.writtenFile
        guard let part = snapshot.state.parts.first(where: { file == nil || $0.source.file == file }) else {
            return []
        }
        let former = name.paths.dropFirst().filter {
            part.source.tree.hasUsableValue(at: $0)
        }
        guard let first = former.first else { return [] }
        var edits = former.map { PathEdit(path: $0, value: nil) }
        if !part.source.tree.hasUsableValue(at: name.paths[0]),
            let value = part.source.tree.value(at: first)?.value
        {
            edits.insert(PathEdit(path: name.paths[0], value: value), at: 0)
        }
        return edits
    }
}

extension PrefsTree {
    /// Returns true if a path has a value and nothing blocks it.
    fileprivate func hasUsableValue(at path: PrefsPath) -> Bool {
        value(at: path).map { !$0.isRejected } ?? false
    }
}
