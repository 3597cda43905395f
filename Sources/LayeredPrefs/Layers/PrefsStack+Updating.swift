import PrefsDocuments

extension PrefsStack {
    /// Updates a key's value in one layer: reads the value, passes it to a closure, and stores the result.
    ///
    /// ```swift
    /// try storage.update(.openCount) { $0 += 1 }
    /// try storage.update(.recentFiles) { $0.append(path) }
    /// ```
    ///
    /// If the layer is a file, the file is locked during the update, and the closure gets the value that the file
    /// has at that moment. So no change is lost, however many processes and threads update the file. If the layer
    /// is in memory, no change of this process is lost. A storage of another module, such as etcd's, is read and
    /// then written, so changes that others make in between may be lost.
    ///
    /// Key locks, validation, secrets, former names and the fields of a struct work as with ``set(_:to:in:)``. If
    /// a dictionary is merged with the dictionaries of lower layers, only the entries that differ are stored. You
    /// cannot remove an entry that only a lower layer has. If the closure does not change the value, nothing is
    /// stored.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - layer: The layer's name. The default is the same as in ``setValue(_:forKey:in:)``.
    ///   - change: A closure that changes the value. It gets the value that this layer and the layers below it
    ///     give the key, whatever higher layers contain. It may be called more than once, and only the last call
    ///     counts. So keep it free of other effects. It may read any storage, but a write within it throws. Keep
    ///     it short, because other writers of the file wait for it.
    /// - Returns: The outcome: the value is effective, or a higher layer shadows it. In a release build, an update
    ///   of a debug key or of the layer `debug` does not call `change`, and returns
    ///   ``PrefsWriteOutcome/notStored``.
    /// - Throws: Any error that `change` throws, and ``PrefsError`` as ``setValue(_:forKey:in:)`` does. As
    ///   described there, nothing is changed then, unless the code is `notDurable` or the reason says that the
    ///   value is stored. The code is `unsupported` if `change` removes an entry of a lower layer. It is also
    ///   `unsupported` for a part of a ``Live`` configuration with an ``Live/apply(_:_:)`` handler, which has to
    ///   accept the value first. Use ``Live/update(_:)`` there.
    @discardableResult
    public func update<Value>(
        _ key: PersistentKey<Value>, in layer: PrefsLayer.Name?, _ change: (inout Value) throws -> Void
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable, !PrefsLayer.isLeftOut(layer) else { return .notStored }
        try makeDeferredWrites()
        let target = try target(layer, forKey: key.id)
        // Checked before the write takes the file lock, because that may create a folder.
        try checkLocks(on: key.name, for: nil, in: target)
        var stored: PrefsValue?
        try withoutActuallyEscaping(change) { change in
            let edits = PathEdits.following { [self] contents in
                let (before, after) = try key.storedForms(
                    of: value(of: key, in: target, replacing: contents), changedBy: change)
                stored = after
                if key.fieldMerge == nil, let change = ChangeInPlace(of: key, from: before, to: after) {
                    return try change.edits(of: contents, in: target, of: self)
                }
                let whole = try self.edits(storing: after, for: key, in: target, replacing: contents)
                return before == after ? [] : whole
            }
            try commit([prepare(edits, of: key.name, in: target)])
        }
        return outcome(of: key, in: target, storing: stored)
    }

    /// Returns the value that a layer and the layers below it give a key.
    ///
    /// - Parameter contents: The present contents of the layer's file, which may be newer than the snapshot.
    private func value<Value>(
        of key: PersistentKey<Value>, in target: PrefsLayer, replacing contents: PrefsSource
    ) -> Value {
        let present = snapshot
        let (newest, written) = present.taking(contents, in: target)
        let names = layers[...(layers.firstIndex { $0.name == target.name } ?? 0)].map(\.name)
        // A new file has no part yet. The value starts at the topmost part of its layer, or of a lower layer.
        let first =
            written < newest.state.parts.count
            ? written : newest.state.parts.firstIndex { part in names.contains { $0.isLayer(of: part) } }
        let answer = newest.answer(for: key, from: first ?? written)
        if answer.rejections.isEmpty { return answer.value }
        // An unread edit that makes the value wrong will be rejected, so the value before the edit counts.
        let before = present.answer(for: key, from: first ?? written)
        return before.rejections.isEmpty ? before.value : answer.value
    }
}

extension PrefsLayer.Name {
    /// Returns true if a part belongs to the layer with this name, or to a layer of the stack that is this layer.
    fileprivate func isLayer(of part: PrefsSnapshot.Part) -> Bool {
        part.layer == description || part.layer?.hasPrefix("\(self).") == true
    }
}

extension PrefsSnapshot {
    /// Returns the value that a part and the parts below it give a key.
    fileprivate func answer<Value>(for key: PersistentKey<Value>, from first: Int) -> PrefsAnswer<Value> {
        let filter = LockFilter(self, key.name, typed: key.typing)
        let found = values(for: key.name).filter { index(of: $0.origin) >= first }
        return key.resolve(candidates: found.compactMap { filter.apply(to: $0)?.candidate })
    }
}

extension PersistentKey {
    /// Returns the stored forms of a value before and after a change.
    fileprivate func storedForms(
        of value: Value, changedBy change: (inout Value) throws -> Void
    ) throws -> (before: PrefsValue?, after: PrefsValue?) {
        var value = value
        // Encoded before the change, because the value may be an object that the closure modifies.
        let before = (try? coding.encode(value)) ?? nil
        try UpdateCall.run { try change(&value) }
        return (before, try storedForm(of: value))
    }
}

extension PrefsStorage {
    /// Updates a key's value: reads the value, passes it to a closure, and stores the result.
    ///
    /// ```swift
    /// try storage.update(.openCount) { $0 += 1 }
    /// ```
    ///
    /// No change is lost if several processes update one file, or several threads update one dictionary. Any other
    /// storage is read and then written, so changes that others make in between may be lost. For stacks, see
    /// ``PrefsStack/update(_:in:_:)``.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - change: A closure that changes the value. It may be called more than once, and only the last call
    ///     counts. It must not write. If it does not change the value, nothing is stored.
    /// - Returns: The outcome. In a stack, a higher layer may shadow the value.
    /// - Throws: Any error that `change` throws, and ``PrefsError``. The stored value is unchanged then, with one
    ///   exception: if the code is `notDurable`, the new value is effective, but a crash may undo the write.
    @discardableResult
    public func update<Value>(
        _ key: PersistentKey<Value>, _ change: (inout Value) throws -> Void
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable else { return .notStored }
        let capabilities = _capabilities
        if let stack = capabilities.storage as? PrefsStack {
            return try stack.update(key, in: nil, change)
        }
        try UpdateCall.checkHasEnded(writing: key.id)
        if let dictionary = capabilities.storage as? DictionaryPrefsStorage {
            try dictionary.store(key, changedBy: change)
        } else if let paths = capabilities.paths {
            try paths.store(key, changedBy: change)
        } else {
            let (before, after) = try key.storedForms(of: get(key), changedBy: change)
            if before != after { return try _setStoredForm(after, for: key) }
        }
        return .effective
    }
}

extension DictionaryPrefsStorage {
    fileprivate func store<Value>(
        _ key: PersistentKey<Value>, changedBy change: (inout Value) throws -> Void
    ) throws {
        try update { content in
            let present = snapshot.replacingSource(at: 0, with: PrefsSource(.value(.dictionary(content))))
            let (before, after) = try key.storedForms(
                of: present.answer(for: key, from: 0).value, changedBy: change)
            if before != after { content[PrefsPath(key.id).literalKey] = after }
        }
    }
}

extension PathWritablePrefsStorage {
    fileprivate func store<Value>(
        _ key: PersistentKey<Value>, changedBy change: (inout Value) throws -> Void
    ) throws {
        try withoutActuallyEscaping(change) { change in
            let edits = PathEdits.following { contents in
                let present = self.snapshot
                let written = present.state.parts.firstIndex { $0.source.file == contents.file }
                let newest = written.map { present.replacingSource(at: $0, with: contents) } ?? present
                let (before, after) = try key.storedForms(
                    of: newest.answer(for: key, from: written ?? 0).value, changedBy: change)
                return before == after ? [] : [PathEdit(key.name, after)]
            }
            try prepare(edits).commitAlone()
        }
    }
}
