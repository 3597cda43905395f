import PrefsSystem
public import PrefsDocuments

extension PrefsSnapshot {
    /// The value in force for a key at this snapshot.
    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        key.resolve(candidates: candidates(for: key.name, typed: key.typing)).value
    }

    /// The answer for a key at this snapshot and its whole reason.
    public func resolution<Key: PersistentKeyProtocol>(for key: Key) -> PrefsResolution<Key.Value> {
        let candidates = candidates(for: key.name, typed: key.typing)
        let answer = key.resolve(candidates: candidates)
        var shadowed: [PrefsCandidate] = []
        var rejected = answer.rejections.map { $0.error.naming(key.id) }
        for candidate in candidates[(answer.winner.map { $0 + 1 } ?? candidates.count)...] {
            switch key.read(candidate) {
            case .success: if !key.traits.mergesDeeply { shadowed.append(candidate) }
            case .failure(let error): rejected.append(error.naming(key.id))
            }
        }
        return PrefsResolution(
            value: answer.value,
            origin: answer.winner.map { candidates[$0].origin },
            shadowed: shadowed,
            rejected: rejected,
            lock: lock(on: key.name),
            generation: generation,
            isSecret: key.traits.isSecret
        )
    }

    /// The refused candidates of a key, also those that lie beneath the answer, and why.
    ///
    /// A version is what the source says, so each is described as it is there, whatever a lock makes of it.
    /// What bars the key's path is no value of the key, so that only the reason tells its versions apart.
    func rejections(of key: some PersistentKeyProtocol) -> [(value: PrefsValue?, error: PrefsError)] {
        // What nobody asks for is not refused.
        guard key.isMutable else { return [] }
        return held(for: key.name, typed: key.typing).compactMap { stored, held in
            guard case .failure(let error) = key.read(held) else { return nil }
            let value = stored.rejection?.code == .wrongType ? nil : stored.value
            if case .failure(let own) = key.read(stored), own.code == error.code {
                return (value, own.naming(key.id))
            }
            return (value, error.naming(key.id))
        }
    }
}

extension LayeredPrefsStorage {
    /// The answer for a key and its whole reason: origin, what it shadows, what was refused, locks.
    public func resolution<Key: PersistentKeyProtocol>(for key: Key) -> PrefsResolution<Key.Value> {
        snapshot.resolution(for: key)
    }

    /// The untyped answer for a key and its reason.
    public func resolution(forKey key: String) -> PrefsResolution<PrefsValue?> {
        var resolution = snapshot.resolution(forKey: key)
        resolution.isSecret = facts.isSecret(PrefsPath(key))
        return resolution
    }

    /// Whether no layer has an acceptable value for a key.
    public func isDefault(_ key: some PersistentKeyProtocol) -> Bool {
        resolution(for: key).isDefault
    }

    /// The value in force for a key.
    ///
    /// A key that is plain costs half a locked dictionary lookup, whatever number of layers there is: the
    /// thread keeps the topmost stored value of each name it reads until a change touches it.
    @inlinable @inline(__always)
    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        guard key.isPlain else { return resolve(key) }
        switch keptValue(of: key.id) {
        case .stored(let stored): return key.representation.decode(stored) ?? resolve(key)
        case .absent: return key.defaultValue
        case .unknown, .involved: return resolve(key)
        }
    }

    /// What this thread keeps of a name.
    @usableFromInline
    func keptValue(of name: String) -> TopValue { published.keptValue(of: name, at: changes.generation) }

    @inline(never) @usableFromInline
    func resolve<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        guard key.isMutable else { return key.defaultValue }
        if key.isPlain, let value = value(ofPlain: key) { return value }
        let snapshot = snapshot
        let answer = key.resolve(candidates: snapshot.candidates(for: key.name, typed: key.typing))
        if !answer.rejections.isEmpty { noteRefusal(of: key) }
        return answer.value
    }

    /// The value of a plain key, unless it takes the whole resolution to tell.
    private func value<Key: PersistentKeyProtocol>(ofPlain key: Key) -> Key.Value? {
        guard isAnnounced, !readsInScope else { return nil }
        switch published.value(of: key.id) {
        case .stored(let stored): return key.representation.decode(stored)
        case .absent: return key.defaultValue
        case .unknown, .involved: return nil
        }
    }

    public func noteRefusal<Key: PersistentKeyProtocol>(of key: Key) { declare(key) }

    public func report(_ error: PrefsError) { diagnostics.report(.error, error) }

    /// Has a key's candidates checked now and at every change, and those that are refused reported: each bad
    /// version once, in whatever layer, and its recovery.
    ///
    /// Keys that somebody observes, and those of a schema, are declared by that.
    public func declare<Key: PersistentKeyProtocol>(_ key: Key) {
        note([key.name])
        let report = committing.withLock { state in
            if key.traits.needsRestart { state.known.facts.noteRestart(key.name) }
            return state.rejections.declare(key.name, in: snapshotInForce) { $0.rejections(of: key) }
        }
        report.send(to: diagnostics)
    }
}
