public import PrefsDocuments

extension PrefsStack {
    /// Stores a value in one layer, or removes the layer's value.
    ///
    /// The write is committed before this method returns. If the layer is persistent, the write is also durable.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove the layer's value.
    ///   - key: The key's name or dotted path.
    ///   - layer: The layer's name. By default, a standard stack writes to the user's file, and a daemon's stack
    ///     writes to the administrator's. A stack that you build from your own layers writes to its topmost
    ///     persistent layer that is writable. If it has none, it writes to the topmost layer in memory. The layers
    ///     `defaults` and `debug` are never the default. `system` is the default only if there is no layer `user`,
    ///     and `overrides` only if no layer is a file.
    /// - Returns: The outcome: the value is effective, or a higher layer shadows it. In a release build of this
    ///   library, a write to the layer `debug` stores nothing and returns ``PrefsWriteOutcome/notStored``.
    /// - Throws: ``PrefsError``. Its code is `locked` if the lock of a lower layer would make the write
    ///   ineffective, in whole or in part; `undecided` if ``Live/apply(_:_:)`` handlers must accept the value
    ///   first, so that you have to call ``Live/update(_:)``; `notWritable` if no layer accepts the write;
    ///   `missing` if there is no such layer; and `wrongType` if something that is not a dictionary blocks the
    ///   key's path in the layer, such as `"off"` at `http` for the key `http.port`. Any error of the layer's
    ///   storage is thrown, too. Nothing is changed then, with two exceptions. If the code is `notDurable`, the
    ///   write is effective, but a crash may undo it. If another file has become invalid since the write was
    ///   checked, the reason says that the value is stored, but not active until that file is fixed.
    @discardableResult
    public func setValue(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        if PrefsLayer.isLeftOut(layer) { return .notStored }
        try makeDeferredWrites()
        let (target, path) = (try target(layer, forKey: key), PrefsPath(key))
        try write(value, of: PrefsKeyName(key), in: target)
        return outcome(of: path, in: target)
    }

    private func write(_ value: PrefsValue?, of key: PrefsKeyName, in target: PrefsLayer) throws {
        try checkLocks(on: key, for: value, in: target)
        let edits = PathEdits.fixed([PathEdit(key, value)])
        try commit([prepare(edits, of: key, in: target)])
    }

    /// Prepares a write. Edits that store a secret are marked.
    func prepare(_ edits: PathEdits, of key: PrefsKeyName?, in target: PrefsLayer) throws -> PreparedWrite {
        PreparedWrite(
            layers: [target], edits: try target.prepare(markingSecrets(in: edits, of: key, target)))
    }

    /// Returns the edits that write a key to a layer. Edits that store a secret are marked, whether the key itself
    /// is secret or contains a declared secret.
    func markingSecrets(in edits: PathEdits, of key: PrefsKeyName?, _ target: PrefsLayer) -> PathEdits {
        // Only a file has other readers.
        guard target.storage.isPersistent else { return edits }
        var secrets = secrets(in: committedSnapshot)
        if let key { secrets.insert(key) }
        return edits.marking(secrets)
    }

    /// Stores a value in the layer that writes go to by default. See ``setValue(_:forKey:in:)``.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try setValue(value, forKey: key, in: nil)
    }

    /// Removes the value that a layer has for a key. See ``setValue(_:forKey:in:)``.
    @discardableResult
    public func removeValue(forKey key: String, in layer: PrefsLayer.Name?) throws -> PrefsWriteOutcome {
        try setValue(nil, forKey: key, in: layer)
    }

    /// Stores a typed value in one layer. See ``setValue(_:forKey:in:)``.
    ///
    /// - Throws: ``PrefsError``, as ``setValue(_:forKey:in:)`` does, and also if the value fails the key's
    ///   validation or has no stored form.
    @discardableResult
    public func set<Value>(
        _ key: PersistentKey<Value>, to value: Value, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable, !PrefsLayer.isLeftOut(layer) else { return .notStored }
        let target = try target(layer, forKey: key.id)
        return try setStoredForm(try key.storedForm(of: value), for: key, in: target)
    }

    /// Removes a key from one layer, under its present and former names. The value of a lower layer then becomes
    /// effective.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - layer: The layer's name. If it is `nil`, the key is removed from the layer that writes go to by
    ///     default.
    @discardableResult
    public func remove<Value>(
        _ key: PersistentKey<Value>, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable, !PrefsLayer.isLeftOut(layer) else { return .notStored }
        return try setStoredForm(nil, for: key, in: try target(layer, forKey: key.id))
    }

    public func _setStoredForm<Value>(
        _ value: PrefsValue?, for key: PersistentKey<Value>
    ) throws -> PrefsWriteOutcome {
        try setStoredForm(value, for: key, in: try target(nil, forKey: key.id))
    }

    private func setStoredForm(
        _ value: PrefsValue?, for key: PersistentKey<some Sendable>, in target: PrefsLayer
    ) throws -> PrefsWriteOutcome {
        try makeDeferredWrites()
        if let value, key.fieldMerge != nil {
            // Prepared even without an edit, so that a broken file is an error whatever its last good contents
            // are.
            let edits = try fieldEdits(storing: value, for: key, in: target)
            let write = PreparedWrite(layers: [target], edits: try target.prepare(edits), keys: [key.checked])
            try commit([write])
        } else if let value {
            try write(value, of: key.name, in: target)
        } else {
            try transaction { $0.remove(key, in: target.name) }
        }
        return outcome(of: key, in: target, storing: value)
    }

    /// Returns the edits that store a struct in a layer. They are computed from the layer's contents at the moment
    /// of the write. Throws if a lock forbids one of them.
    func fieldEdits(
        storing value: PrefsValue, for key: PersistentKey<some Sendable>, in target: PrefsLayer
    ) throws -> PathEdits {
        func edits(of contents: PrefsSource) throws -> [PathEdit] {
            try self.edits(storing: value, for: key, in: target, replacing: contents)
        }
        // Checked now, so that a locked field is an error of this write alone, and not of all writes of a
        // transaction to the file. Also, taking the file lock may create a folder, so the check comes first.
        _ = try edits(of: target.writtenContents)
        return markingSecrets(in: .following(edits), of: key.name, target)
    }

    /// Returns the edits that store a value in a layer or, with `nil`, remove it. Throws if a lock forbids one of
    /// them.
    ///
    /// - Parameter contents: The layer's contents when it is written, which may be newer than the snapshot.
    func edits(
        storing value: PrefsValue?, for key: PersistentKey<some Sendable>, in target: PrefsLayer,
        replacing contents: PrefsSource
    ) throws -> [PathEdit] {
        guard let value else {
            var removal = PrefsTransaction()
            removal.remove(key)
            return try edits(of: removal, in: target, replacing: contents)
        }
        let fields = try fieldEdits(storing: value, for: key, in: target, replacing: contents) { edit in
            // A removal does no harm, because a locked-out value is ineffective anyway.
            guard edit.value != nil else { return }
            try checkLocks(on: key.name.field(at: edit.path), for: edit.value, in: target)
        }
        if let fields { return fields }
        try checkLocks(on: key.name, for: value, in: target)
        return [PathEdit(key.name, value)]
    }

    /// Moves a broken file of a layer aside, so that settings can be saved again. See
    /// ``FilePrefsStorage/repair()``.
    ///
    /// When this method returns, the layer is empty in this stack, too. The library never calls it automatically.
    ///
    /// - Parameter layer: The layer's name. The default is the layer that writes go to by default.
    /// - Returns: The new path of the broken file, such as `NAME.broken`.
    /// - Throws: ``PrefsError``, for example if the layer is not a single file. Nothing is changed then. If the
    ///   code is `notDurable`, the file has its new name, but a crash may undo that.
    @discardableResult
    public func repair(in layer: PrefsLayer.Name? = nil) throws -> String {
        if CommitLock.isHeldByThisThread { throw CommitLock.writesInCommit }
        let target = try target(layer, forKey: nil)
        let kept: String
        if let file = target.paths as? FilePrefsStorage {
            kept = try file.repair()
        } else if let stack = target.stack {
            kept = try stack.repair()
        } else {
            let origin = PrefsOrigin(layer: target.name.description, file: target.writtenFile)
            throw PrefsError(
                .unsupported, origin: origin,
                reason: "this layer has no single file that can be put aside")
        }
        commit()
        return kept
    }

    /// Makes the edits in the layer that writes go to by default, for a stack that contains this one.
    fileprivate func apply(_ edits: PathEdits) throws {
        try makeDeferredWrites()
        let target = try target(nil, forKey: nil)
        let checked = PathEdits.following { [self] contents in
            let edits = try edits.edits(of: contents)
            for edit in edits {
                try checkLocks(on: PrefsKeyName(edit.path.name), for: edit.value, in: target)
            }
            return edits
        }
        try commit([prepare(checked, of: nil, in: target)])
    }

    /// The default target of writes: the topmost persistent layer that is writable, or else the topmost layer in
    /// memory.
    ///
    /// The layer `system` belongs to all users, so it is the target only of a stack without a layer `user`. The
    /// layer `debug` is never the target, because a developer only tries out values there. A setting that cannot
    /// be written to its file must not seem to be saved, so `overrides` is the target only of a stack without
    /// files.
    var writeTarget: PrefsLayer? {
        let eligible = layers.filter { $0.name != .defaults && $0.name != .debug }
        let hasUser = eligible.contains { $0.name == .user }
        let writable = eligible.filter(\.storage.isWritable)
        if let persistent = writable.last(where: {
            $0.storage.isPersistent && !(hasUser && $0.name == .system)
        }) {
            return persistent
        }
        let inMemory = writable.filter { !$0.storage.isPersistent }
        if let layer = inMemory.last(where: { $0.name != .overrides }) { return layer }
        return eligible.contains { $0.storage.isPersistent || $0.storage is MissingUserStorage }
            ? nil : inMemory.last
    }

    /// The placeholder for the user's file, if this process has no such file.
    private var missingUser: MissingUserStorage? {
        layers.lazy.compactMap { $0.storage as? MissingUserStorage }.first
    }

    /// The reason why there is no default target of writes. It names another call, because property setters have
    /// no `in:`.
    private var reasonNotToWrite: String {
        let readOnly = layers.filter { $0.storage.isPersistent && !$0.storage.isWritable }
        let others = layers.filter { $0.storage.isWritable && $0.name != .defaults }
        let reason =
            readOnly.isEmpty
            ? "no layer takes writes; add one to the stack, such as `PrefsLayer(.user, DictionaryPrefsStorage())`"
            : "not written because \(readOnly.quotedNames) cannot be written"
        if others.isEmpty { return reason }
        return "\(reason); `storage.set(…, to: …, in: …)` can write to \(others.quotedNames)"
    }

    /// Reads the default target of writes again, and commits the differences.
    func refreshWriteTarget() {
        writeTarget?.paths?.refresh(.file)?()
        commit()
    }

    package func target(_ name: PrefsLayer.Name?, forKey key: String?) throws -> PrefsLayer {
        guard let name else {
            if let writeTarget { return writeTarget }
            throw missingUser?.error(key) ?? PrefsError(.notWritable, key: key, reason: reasonNotToWrite)
        }
        guard let layer = layer(name) else {
            throw PrefsError(
                .missing, key: key,
                reason:
                    "unknown layer “\(name)”; the layers are \(layers.map(\.name.description).joined(separator: ", "))"
            )
        }
        guard layer.storage.isWritable else {
            if let missing = layer.storage as? MissingUserStorage { throw missing.error(key) }
            let origin = PrefsOrigin(layer: name.description)
            throw PrefsError(
                .notWritable, key: key, origin: origin, reason: "this layer is read-only; choose another one")
        }
        return layer
    }

    /// Throws if a lock would make a write ineffective, in whole or in part.
    ///
    /// With `http.port` set and locked at `system`, writes to a higher layer have these results:
    ///
    /// | write                        | result                                                |
    /// |------------------------------|-------------------------------------------------------|
    /// | `http.port` = 1              | throws: the key is locked                             |
    /// | `http` = `{"port": 1}`       | throws: contains the locked key                       |
    /// | `http` = 5                   | throws: would hide the locked key                     |
    /// | `http` = `{"host": "a"}`     | written: the locked key is merged in from `system`    |
    /// | removal of `http`            | written: it cannot affect the locked key              |
    ///
    /// A lock on one name of a key, or below it, holds under all its names.
    package func checkLocks(
        on key: PrefsKeyName, for value: PrefsValue?, in layer: PrefsLayer
    ) throws(PrefsError) {
        let snapshot = snapshot
        let held = snapshot.state.rules.locks
        if held.isEmpty { return }
        let paths = key.lockablePaths.filter(held.concerns)
        if paths.isEmpty { return }
        let height = height(of: layer)
        let locks = paths.flatMap { path in
            (snapshot.lock(on: path).map { [$0] } ?? [])
                + snapshot.locks(violatedBy: value, of: key, at: path, height)
                .sorted { $0.height < $1.height }
        }
        guard let lock = locks.first(where: { $0.height < height }) else { return }
        throw lock.error(forWriting: key.name, to: "\(layer.name)")
    }

    /// Returns the outcome of an untyped write. Any value above the written one shadows it.
    func outcome(of path: PrefsPath, in layer: PrefsLayer) -> PrefsWriteOutcome {
        let snapshot = snapshot
        let own = snapshot.index(of: layer)
        for index in snapshot.state.parts.indices.prefix(own) {
            let candidate = snapshot.untypedCandidate(at: path, in: index)
            if let candidate, candidate.rejection == nil { return .shadowed(by: candidate.origin) }
        }
        return .effective
    }

    /// Returns the outcome of a typed write. Rejected values above the written one do not shadow it.
    ///
    /// - Parameter value: The stored form that was written; `nil` if the key was removed.
    func outcome(
        of key: PersistentKey<some Sendable>, in layer: PrefsLayer, storing value: PrefsValue?
    ) -> PrefsWriteOutcome {
        let snapshot = snapshot
        let own = snapshot.index(of: layer)
        if let value, snapshot.isEffective(value, of: key, from: own) { return .effective }
        guard let origin = snapshot.resolution(for: key).origin, snapshot.index(of: origin) < own else {
            return .effective
        }
        return .shadowed(by: origin)
    }

    /// Returns the height of the part of a layer that writes go to, or else the layer's largest height.
    private func height(of layer: PrefsLayer) -> Int {
        var base = 0
        for candidate in layers {
            let parts = candidate.storage.snapshot.state.parts
            let top = base + parts.height
            guard candidate.name == layer.name else {
                base = top + 1
                continue
            }
            let written = parts.first { $0.source.file == layer.writtenFile }
            return layer.writtenFile == nil ? top : written.map { base + $0.height } ?? top
        }
        return base
    }
}

extension [PrefsLayer] {
    fileprivate var quotedNames: String { map { "“\($0.name)”" }.joined(separator: ", ") }
}

extension PrefsLayer {
    /// The file that writes to this layer modify; `nil` if the layer is not stored in a file.
    var writtenFile: String? { paths?.writtenFile ?? stack?.writeTarget?.writtenFile }

    /// The name of the layer that writes to this layer modify. For an inner stack, it is a name such as
    /// `inner.user`.
    var writtenName: String { name.qualifying(stack?.writeTarget?.writtenName) }

    /// The present contents that writes to this layer modify.
    var writtenContents: PrefsSource {
        let (parts, file) = (storage.snapshot.state.parts, writtenFile)
        let inner = stack?.writeTarget?.writtenName
        return parts.first { part in
            (file == nil || part.source.file == file) && (inner == nil || part.layer == inner)
        }?.source ?? .empty
    }

    func prepare(_ edits: PathEdits) throws -> any PreparedEdits {
        if let paths { return try paths.prepare(edits) }
        let preview = { [self] in writtenContents.following(edits) }
        if let stack {
            return ImmediateEdits(makePreview: preview) {
                try stack.apply(edits)
                return CommittedEdits()
            }
        }
        _ = try made(by: edits)
        return ImmediateEdits(makePreview: preview) {
            let made = try made(by: edits)
            let values = made.map { ($0.path.literalKey, $0.value) }
            switch values.count {
            case 0: break
            case 1: try storage.setValue(values[0].1, forKey: values[0].0)
            // If a key has several edits, the last one counts.
            default: try storage.setValues(Dictionary(values) { $1 })
            }
            return CommittedEdits(claimed: made)
        }
    }

    private func made(by edits: PathEdits) throws -> [PathEdit] {
        let contents = writtenContents
        let edits = try edits.edits(of: contents)
        // A storage that is asked for names has no dictionaries.
        return holdsNames ? edits : try contents.clearingTheWay(for: edits)
    }
}

extension PrefsSource {
    /// Returns the contents after some edits, for a storage that cannot preview them itself.
    func following(_ edits: PathEdits) -> PrefsSource? {
        guard let edits = try? clearingTheWay(for: edits.edits(of: self)) else { return nil }
        if case .table = spelled {
            let changes = edits.map { edit in
                (edit.path.name, edit.value.map { PrefsCandidate($0, origin: PrefsOrigin()) })
            }
            return replacing(Dictionary(changes) { $1 })
        }
        var root = root.value
        for edit in edits { root.put(edit.value, at: edit.path.components[...]) }
        return PrefsSource(.value(root), file: file, isText: isText, cause: .write)
    }
}

extension PrefsValue {
    /// Sets the value at a path, or removes it.
    mutating func put(_ value: PrefsValue?, at path: ArraySlice<String>) {
        if let value { insert(value, at: path) } else { _ = remove(at: path) }
    }
}

extension PrefsSnapshot {
    /// Returns the locks below a path of a key that hold against a layer at a height, and that a value would
    /// violate. The value violates a lock if it sets the locked entry, or hides it under any name of the key.
    fileprivate func locks(
        violatedBy value: PrefsValue?, of key: PrefsKeyName, at path: PrefsPath, _ height: Int
    ) -> [PrefsLock] {
        guard let value else { return [] }
        return state.rules.locks.locks(below: path, binding: height).filter { lock in
            let place = lock.path.components.dropFirst(path.components.count)
            return value.value(at: place) != nil
                || value.isBlocked(on: place) && hasEntry(of: key, at: place, below: lock.height)
        }
    }

    private func hasEntry(of key: PrefsKeyName, at place: ArraySlice<String>, below height: Int) -> Bool {
        key.paths.contains { name in
            untypedValue(at: PrefsPath(components: name.components + place), below: height) != nil
        }
    }

    /// Returns the index of the part that writes to a layer modify; past the end if there is none yet.
    func index(of layer: PrefsLayer) -> Int {
        let (name, file) = (layer.writtenName, layer.writtenFile)
        let index = state.parts.firstIndex { part in
            part.layer == name && (file == nil || part.source.file == file)
        }
        return index ?? state.parts.count
    }

    /// Returns true if the value written to one part is obviously effective: no lock concerns the key, and no part
    /// above has the key. The fields of a struct come from several parts, so the whole value is compared.
    ///
    /// A fast path: if it returns false, the value may still be effective.
    fileprivate func isEffective(
        _ stored: PrefsValue, of key: PersistentKey<some Sendable>, from own: Int
    ) -> Bool {
        if key.fieldMerge != nil { return (try? key.coding.encode(get(key))) == stored }
        let rules = state.rules
        let paths = key.name.paths
        guard own < state.parts.count, !paths.contains(where: rules.locks.concerns) else { return false }
        for index in 0..<own {
            for path in paths where value(for: key.name, at: path, in: index) != nil { return false }
        }
        guard let found = value(for: key.name, at: paths[0], in: own) else { return false }
        if case .success = key.read(found.candidate) { return true } else { return false }
    }

    /// Returns the index of the part that a value comes from; past the end if it comes from none.
    ///
    /// A value may have a file of its own, because a part that is a directory, or another module's storage, holds
    /// values from many places.
    func index(of origin: PrefsOrigin?) -> Int {
        let parts = state.parts
        let index = parts.firstIndex { $0.layer == origin?.layer && $0.source.file == origin?.file }
        return index ?? parts.firstIndex { $0.layer == origin?.layer } ?? parts.count
    }
}

extension PrefsKeyName {
    /// Returns the names of one of the key's fields, given the path of its present name.
    func field(at path: PrefsPath) -> PrefsKeyName {
        let field = path.components.dropFirst(PrefsPath(name).components.count)
        let formerNames = formerNames.map { PrefsPath(components: PrefsPath($0).components + field).name }
        return PrefsKeyName(path.name, formerNames: formerNames)
    }
}
