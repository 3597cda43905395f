/// What a write came to.
public enum PrefsWriteOutcome: Sendable, Hashable {
    /// The written value is in force.
    case effective
    /// The value is stored, and a higher layer's hides it.
    case shadowed(by: PrefsOrigin)
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
        let target = try target(layer, forKey: key)
        let path = PrefsPath(key)
        try checkLocks(on: path, for: value, in: target)
        if let paths = target.storage as? any PathWritablePrefsStorage {
            try paths.setPrefsValue(value, at: path)
        } else {
            try target.storage.setPrefsValue(value, forKey: key)
        }
        commit()
        return outcome(of: path, in: target)
    }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        try setPrefsValue(value, forKey: key, in: nil)
    }

    /// Stores a typed value in one layer; see ``setPrefsValue(_:forKey:in:)``.
    ///
    /// - Throws: ``PrefsError`` also where the value fails the key's validation or has no stored form.
    @discardableResult
    public func set<Key: PersistentKeyProtocol>(
        _ key: Key, to value: Key.Value, in layer: PrefsLayer.Name
    ) throws -> PrefsWriteOutcome {
        guard key.isMutable else { return .effective }
        return try setPrefsValue(key.storedForm(of: value), forKey: key.id, in: layer)
    }

    /// Removes a key from one layer, or from every writable layer that outlives nothing or the process.
    public func reset(_ key: String, in layer: PrefsLayer.Name? = nil) throws {
        try setPrefsValue(nil, forKey: key, in: layer)
    }

    /// The layer that writes go to which name none.
    var writeTarget: PrefsLayer? {
        layers.last { $0.storage.isWritable && $0.storage.isPersistent }
    }

    private func target(_ name: PrefsLayer.Name?, forKey key: String) throws -> PrefsLayer {
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
    private func checkLocks(on path: PrefsPath, for value: PrefsValue?, in layer: PrefsLayer) throws {
        let snapshot = snapshot
        let height = height(of: layer)
        let above = snapshot.lock(on: path).map { [$0] } ?? []
        let beneath = snapshot.state.locks.filter { lock in
            guard path != lock.path, path.contains(lock.path) else { return false }
            return value?.value(at: lock.path.components.dropFirst(path.components.count)) != nil
        }
        guard let lock = (above + beneath).first(where: { $0.height < height }) else { return }
        throw PrefsError(.locked, key: path.name, origin: lock.origin, reason: "\(lock.key) is locked here")
    }

    private func outcome(of path: PrefsPath, in layer: PrefsLayer) -> PrefsWriteOutcome {
        let name = layer.name.description
        let top = snapshot.candidates(forKey: path.name).first { $0.rejection == nil }
        guard let top, let topLayer = top.origin.layer, topLayer != name else { return .effective }
        guard let top = layers.lastIndex(where: { topLayer == $0.name.description }),
            let own = layers.lastIndex(where: { $0.name == layer.name }), top > own
        else { return .effective }
        return .shadowed(by: snapshot.candidates(forKey: path.name)[0].origin)
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

/// A storage that writes by path: to the spelling its contents have.
protocol PathWritablePrefsStorage: PrefsStorage {
    func setPrefsValue(_ value: PrefsValue?, at path: PrefsPath) throws
}
