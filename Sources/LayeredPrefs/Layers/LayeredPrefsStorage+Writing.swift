public import PrefsDocuments

/// What a write came to.
public enum PrefsWriteOutcome: Sendable, Hashable {
    /// The written value is in force.
    case effective
    /// The value is stored, and a higher layer's, or a drop-in's, hides it.
    case shadowed(by: PrefsOrigin)
    /// The value is stored, and a rule over several keys refuses it.
    case rejected(PrefsError)
}

extension LayeredPrefsStorage {
    /// Stores a value in one layer, or with `nil` removes that layer's.
    ///
    /// The write is durable where the layer is, and its generation committed, before this returns.
    ///
    /// - Parameter layer: The layer's name; by default the topmost one that is writable and outlives the
    ///   process.
    /// - Returns: Whether the value is in force, or hidden by a higher layer.
    /// - Throws: ``PrefsError``: `.locked` above a lock on the key, on anything above or beneath it;
    ///   `.notWritable` where no layer takes the write; whatever the layer's storage throws. Nothing is
    ///   changed then.
    @discardableResult
    public func setPrefsValue(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        let (target, path) = (try target(layer, forKey: key), PrefsPath(key))
        try write(value, at: path, in: target)
        return outcome(of: path, in: target)
    }

    private func write(_ value: PrefsValue?, at path: PrefsPath, in target: PrefsLayer) throws {
        try checkLocks(on: path, for: value, in: target)
        try gathering { try target.prepare([PathEdit(path: path, value: value)]).commit() }
    }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        try setPrefsValue(value, forKey: key, in: nil)
    }

    /// Stores a typed value in one layer; see ``setPrefsValue(_:forKey:in:)``.
    ///
    /// - Throws: ``PrefsError`` also where the value fails the key's validation or has no stored form.
    @discardableResult
    public func set<Key: PersistentKeyProtocol>(
        _ key: Key, to value: Key.Value, in layer: PrefsLayer.Name?
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable else { return .effective }
        let target = try target(layer, forKey: key.id)
        guard let stored = try key.storedForm(of: value) else { return try reset(key, in: layer) }
        try write(stored, at: PrefsPath(key.id), in: target)
        return outcome(of: key, in: target)
    }

    public func erase<Key: PersistentKeyProtocol>(_ key: Key) throws { try reset(key, in: nil) }

    /// Removes a key, under all of its names, from one layer; what lies beneath shows through.
    ///
    /// - Parameter layer: The layer's name; by default the one that writes go to.
    @discardableResult
    public func reset(
        _ key: some PersistentKeyProtocol, in layer: PrefsLayer.Name? = nil
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable else { return .effective }
        try transaction { $0.reset(key, in: layer) }
        return outcome(of: key, in: try target(layer, forKey: key.id), removing: true)
    }

    /// The layer that writes go to which name none.
    var writeTarget: PrefsLayer? {
        layers.last { $0.storage.isWritable && $0.storage.isPersistent }
    }

    func target(_ name: PrefsLayer.Name?, forKey key: String) throws -> PrefsLayer {
        guard let name else {
            if let writeTarget { return writeTarget }
            throw PrefsError(.notWritable, key: key, reason: "no layer that lasts takes writes; name one")
        }
        guard let layer = layer(name) else {
            throw PrefsError(.missing, key: key, reason: "there is no layer \(name)")
        }
        guard layer.storage.isWritable else {
            let origin = PrefsOrigin(layer: name.description)
            throw PrefsError(.notWritable, key: key, origin: origin, reason: "this layer is read-only")
        }
        return layer
    }

    /// Refuses a write that a lock makes void, in whole or in part.
    func checkLocks(on path: PrefsPath, for value: PrefsValue?, in layer: PrefsLayer) throws {
        let snapshot = snapshot
        if snapshot.state.locks.isEmpty { return }
        let height = height(of: layer)
        let above = snapshot.lock(on: path).map { [$0] } ?? []
        let beneath = snapshot.state.locks.filter { lock in
            guard path != lock.path, path.contains(lock.path) else { return false }
            let place = lock.path.components.dropFirst(path.components.count)
            guard let value else { return false }
            let isHidden = value.isBlocked(on: place) && snapshot.raw(lock.path, below: lock.height) != nil
            return value.value(at: place) != nil || isHidden
        }
        let locks = above + beneath.sorted { $0.height < $1.height }
        guard let lock = locks.first(where: { $0.height < height }) else { return }
        throw PrefsError(.locked, key: path.name, origin: lock.origin, reason: "\(lock.key) is locked here")
    }

    /// What an untyped write came to: whatever lies above it hides it.
    func outcome(of path: PrefsPath, in layer: PrefsLayer) -> PrefsWriteOutcome {
        let snapshot = snapshot
        let own = snapshot.index(of: layer)
        for index in snapshot.state.parts.indices.prefix(own) {
            let candidate = snapshot.rawCandidate(at: path, in: index)
            if let candidate, candidate.rejection == nil { return .shadowed(by: candidate.origin) }
        }
        return .effective
    }

    /// What a typed write came to: refused values above it hide nothing.
    func outcome(
        of key: some PersistentKeyProtocol, in layer: PrefsLayer, removing isRemoval: Bool = false
    ) -> PrefsWriteOutcome {
        let snapshot = snapshot
        let own = snapshot.index(of: layer)
        if !isRemoval, snapshot.isInForce(key, from: own) { return .effective }
        let resolution = snapshot.resolution(for: key)
        let refused = resolution.rejected.first { snapshot.index(of: $0.origin) == own }
        if !isRemoval, let refused { return .rejected(refused) }
        guard let origin = resolution.origin, snapshot.index(of: origin) < own else { return .effective }
        return .shadowed(by: origin)
    }

    /// The height of a layer's topmost source.
    private func height(of layer: PrefsLayer) -> Int {
        var base = 0
        for candidate in layers {
            let top = base + (candidate.storage.snapshot.state.parts.map(\.height).max() ?? 0)
            if candidate.name == layer.name { return top }
            base = top + 1
        }
        return base
    }
}

extension PrefsSnapshot {
    /// The part that writes to a layer go to.
    fileprivate func index(of layer: PrefsLayer) -> Int {
        let file = layer.writtenFile
        let index = state.parts.firstIndex { part in
            part.layer == layer.name.description && (file == nil || part.source.file == file)
        }
        return index ?? state.parts.count
    }

    /// Whether a key's value is plainly that of one part: there is no rule, and nothing above it.
    ///
    /// What is not so plain may be in force, too.
    fileprivate func isInForce(_ key: some PersistentKeyProtocol, from own: Int) -> Bool {
        guard own < state.parts.count, state.locks.isEmpty, state.refusals.isEmpty else { return false }
        let paths = key.name.paths
        for index in 0..<own {
            for path in paths where found(in: index, at: path, of: key.name) != nil { return false }
        }
        guard let found = found(in: own, at: paths[0], of: key.name) else { return false }
        if case .success = key.read(found.candidate) { return true } else { return false }
    }

    /// The part that a value comes from.
    fileprivate func index(of origin: PrefsOrigin?) -> Int {
        let index = state.parts.firstIndex { $0.layer == origin?.layer && $0.source.file == origin?.file }
        return index ?? state.parts.count
    }
}
