import PrefsSystem
public import PrefsDocuments

/// The contents of a storage at one moment: an immutable value from which several keys can be read
/// consistently.
///
/// A stack's snapshot holds every layer's candidates, not their resolution, because the winner depends on the
/// type that a key is read as.
public struct PrefsSnapshot: Sendable {
    /// A source and its position in the order of layers.
    struct Part: Sendable {
        var source: PrefsSource
        /// The layer's name, if the source is part of a stack.
        var layer: String?
        /// The layer's height in the stack; larger wins.
        var height = 0
    }

    final class State: Sendable {
        let generation: UInt64
        /// The sources, most important first.
        let parts: [Part]
        let locks: [PrefsLock]
        /// The values that constraints over several keys reject.
        let constraintRejections: [ConstraintRejection]
        /// The keys that claim each environment variable.
        let claims: VariableClaims
        /// True if a dot in a key is an ordinary character.
        let keysAreLiteral: Bool

        init(
            generation: UInt64, parts: [Part], locks: [PrefsLock],
            constraintRejections: [ConstraintRejection],
            claims: VariableClaims, keysAreLiteral: Bool
        ) {
            self.generation = generation
            self.parts = parts
            self.locks = locks
            self.constraintRejections = constraintRejections
            self.claims = claims
            self.keysAreLiteral = keysAreLiteral
        }
    }

    let state: State

    init(
        generation: UInt64 = 0,
        parts: [Part],
        locks: [PrefsLock] = [],
        constraintRejections: [ConstraintRejection] = [],
        claims: VariableClaims = VariableClaims(),
        keysAreLiteral: Bool = false
    ) {
        state = State(
            generation: generation, parts: parts, locks: locks, constraintRejections: constraintRejections,
            claims: claims,
            keysAreLiteral: keysAreLiteral)
    }

    /// Creates the contents of a storage that is a single dictionary.
    ///
    /// - Parameter keysAreLiteral: True if `http.port` is always that literal key, never `port` in `http`.
    public init(_ content: [String: PrefsValue] = [:], keysAreLiteral: Bool = false) {
        self.init(parts: [Part(source: PrefsSource(content))], keysAreLiteral: keysAreLiteral)
    }

    /// The number of this state, which is unique and increases within the process; 0 if the storage has no
    /// generations.
    public var generation: UInt64 { state.generation }
}

extension PrefsSnapshot {
    /// Returns the stored values for a key, most important first, without those that a lock rules out.
    public func candidates(forKey key: String) -> [PrefsCandidate] {
        rawCandidates(at: PrefsPath(key))
    }

    /// Returns the stored values for a key under any of its names, most important first, without those that a
    /// lock rules out.
    package func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        candidates(for: name, typed: nil)
    }

    /// The properties of a key's type that locks on parts of a dictionary depend on.
    struct Typing {
        /// Returns the key's default in stored form, which supplies a locked entry that no layer at or below
        /// the locking layer sets.
        let storedDefault: () -> PrefsValue?
        let parse: (String) -> PrefsValue?
        /// True if dictionaries are merged with those of the layers below, so that a locked entry only needs
        /// to be removed from a dictionary above.
        let mergesDeeply: Bool
    }

    func candidates(for name: PrefsKeyName, typed typing: @autoclosure () -> Typing?) -> [PrefsCandidate] {
        let typing = state.locks.isEmpty ? nil : typing()
        return held(for: name, typed: typing).map(\.held)
    }

    /// Returns the candidates for a typed key that no lock on the key or above it rules out, each as stored
    /// and after applying the locks on its parts.
    ///
    /// A lock on the key, on a former name or on anything above them removes all candidates of the layers
    /// above the locking one. With a lock of `system` on `http.port`:
    ///
    ///     user      http.port = 9       locked out
    ///     system    http.port = 1       effective
    ///
    /// A lock below the key leaves a dictionary above the locking layer effective, except for the locked
    /// entry; see `hold(_:of:typed:restoring:)`.
    func held(
        for name: PrefsKeyName, typed typing: Typing?
    ) -> [(stored: PrefsCandidate, held: PrefsCandidate)] {
        var ceiling = lock(on: name)?.height ?? .max
        if Mutant.isActive(.lockingLayerRemoved) { ceiling -= 1 }
        let found = found(for: name).filter { $0.part.height <= ceiling }
        guard !state.locks.isEmpty else { return found.map { ($0.candidate, $0.candidate) } }
        let restores = typing?.mergesDeeply != true
        return found.compactMap { found in
            hold(found, of: name.paths, typed: typing, restoring: restores).map { (found.candidate, $0) }
        }
    }

    /// A candidate for a key from one part, before locks are applied.
    struct Found {
        var candidate: PrefsCandidate
        let part: Part
        let path: PrefsPath
    }

    /// Returns the candidates for a typed key, most important first, before locks are applied.
    ///
    /// Former names are read in a layer only if none of its parts has the present name. For the key
    /// `http.port` with the former name `port`:
    ///
    ///     user       {"port": 7}                             7
    ///     user       {"port": 7}, drop-in {"http.port": 8}   8, not 7: the layer has the present name
    ///     user       {"port": 7}, system {"http.port": 8}    7, then 8: each layer is looked up on its own
    ///
    /// Dictionaries composed of texts are omitted, because no type can be parsed from them.
    func found(for name: PrefsKeyName) -> [Found] {
        let found = name.formerNames.isEmpty ? found(forOneName: name) : found(forAllNames: name)
        return found.filter { !$0.candidate.isText || $0.candidate.value.kind == .string }
    }

    private func found(forOneName name: PrefsKeyName) -> [Found] {
        let path = PrefsPath(name.name)
        var result: [Found] = []
        for index in state.parts.indices {
            if let found = skippingRejected(found(in: index, at: path, of: name), in: index, of: name) {
                result.append(found)
            }
        }
        return result
    }

    private func found(forAllNames name: PrefsKeyName) -> [Found] {
        let paths = Mutant.isActive(.formerNamesIgnored) ? [PrefsPath(name.name)] : name.paths
        return state.parts.indices.chunked { state.parts[$0].height }.flatMap { indices -> [Found] in
            var barred: [Found]?
            for path in paths {
                let present = indices.map { ($0, found(in: $0, at: path, of: name)) }
                if present.contains(where: { $1 != nil && $1?.candidate.rejection == nil }) {
                    return present.compactMap { skippingRejected($1, in: $0, of: name) }
                }
                barred = barred ?? present.compactMap(\.1)
            }
            return barred ?? []
        }
    }

    func found(in index: Int, at path: PrefsPath, of name: PrefsKeyName) -> Found? {
        let part = state.parts[index]
        guard let candidate = candidate(of: part, at: path, for: name) else { return nil }
        return Found(candidate: candidate, part: part, path: path)
    }

    /// Marks a candidate that a constraint over several keys rejects. Only typed reads apply constraints.
    private func skippingRejected(_ found: Found?, in index: Int, of name: PrefsKeyName) -> Found? {
        guard var found, !state.constraintRejections.isEmpty, found.candidate.rejection == nil else {
            return found
        }
        if let reason = rejection(of: PrefsPath(name.name), in: index) {
            found.candidate.rejection = PrefsError(.invalid, origin: found.candidate.origin, reason: reason)
        }
        return found
    }

    private func candidate(of part: Part, at path: PrefsPath, for name: PrefsKeyName) -> PrefsCandidate? {
        if case .variables(let variables) = part.source.form {
            let key = path.name == name.name ? name : PrefsKeyName(path.name)
            return variables.candidate(for: key, of: name.name, layer: part.layer, claims: state.claims)
        }
        if state.keysAreLiteral { return part.source.literalCandidate(forKey: path.name, layer: part.layer) }
        return part.source.candidate(for: path, layer: part.layer)
    }

    /// The value of a key whose type is not known: the topmost one; a dictionary is merged with those of the
    /// layers below.
    public subscript(key: String) -> PrefsValue? {
        raw(PrefsPath(key), below: .max)
    }

    /// Returns the untyped value at a path, resolved from the layers up to a given height.
    func raw(_ path: PrefsPath, below limit: Int) -> PrefsValue? {
        let values = rawCandidates(at: path, below: limit).filter { $0.rejection == nil }.map(\.value)
        guard let top = values.first, top.kind == .dictionary else { return values.first }
        return values.dropFirst().filter { $0.kind == .dictionary }.reduce(top) { $0.merged(over: $1) }
    }

    /// Returns one part's candidate for a path, if no lock rules it out.
    func rawCandidate(at path: PrefsPath, in index: Int) -> PrefsCandidate? {
        guard state.parts[index].height <= lock(on: path)?.height ?? .max else { return nil }
        return found(in: index, at: path, of: PrefsKeyName(path.name)).flatMap {
            hold($0, of: [path], typed: nil, restoring: false)
        }
    }

    func rawCandidates(at path: PrefsPath, below limit: Int = .max) -> [PrefsCandidate] {
        let ceiling = min(limit, lock(on: path)?.height ?? .max)
        return state.parts.indices.compactMap { index in
            guard state.parts[index].height <= ceiling else { return nil }
            guard let found = found(in: index, at: path, of: PrefsKeyName(path.name)) else { return nil }
            if state.locks.isEmpty { return found.candidate }
            return hold(found, of: [path], typed: nil, restoring: false)
        }
    }

    /// The top-level keys of all layers.
    public var keys: Set<String> {
        var keys: Set<String> = []
        for part in state.parts {
            part.source.root.forEachEntry { key, _ in
                keys.insert(state.keysAreLiteral ? key : PrefsPath(key).components[0])
            }
        }
        return keys
    }

    /// The effective contents as one dictionary, merged by key path.
    public var dictionary: [String: PrefsValue] {
        var result: [String: PrefsValue] = [:]
        for key in keys { result[key] = self[key] }
        return result
    }

    /// Returns the lock on a key under any of its names: the lowest one, if there are several.
    func lock(on name: PrefsKeyName) -> PrefsLock? {
        guard !state.locks.isEmpty else { return nil }
        return ([name.name] + name.formerNames).compactMap { lock(on: PrefsPath($0)) }.min {
            $0.height < $1.height
        }
    }

    /// Returns the lock on a path: the lowest of those on the path or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? {
        var locks = state.locks.filter { $0.path.contains(path) }
        if Mutant.isActive(.lockWithoutDescendants) { locks.removeAll { $0.path != path } }
        if Mutant.isActive(.highestLockApplied) { return locks.max { $0.height < $1.height } }
        return locks.min { $0.height < $1.height }
    }

    /// Applies the locks on parts of a dictionary to a candidate that lies above the locking layers.
    ///
    /// The locked entry is removed from a dictionary, because it comes from the locking layer and those
    /// below. A value of any other kind would hide the locked entry, so it is dropped if that entry has a
    /// value. With a lock of `system` on `http.port`:
    ///
    ///     user      {"http": {"port": 9, "host": "u"}}       {"http": "off"}
    ///     system    {"http": {"port": 1, "host": "s"}}       {"http": {"port": 1, "host": "s"}}
    ///
    ///     http      {"port": 1, "host": "u"}                 {"port": 1, "host": "s"}
    ///
    /// The port is the same if `user` sets none. If no layer at or below `system` sets one, a typed key takes
    /// the port of its default. If that has none either, a port from `user` is only removed, and `"off"`,
    /// which then hides nothing, stays. For a key that merges deeply, `"off"` stays a candidate, which the
    /// key's type rejects.
    ///
    /// - Parameters:
    ///   - names: The paths of the key's names, under which the locked entry may be stored.
    ///   - restores: True to insert the locked value into the dictionary, for a type that replaces the
    ///     dictionary as a whole; if false, the merge with the layers below supplies it.
    private func hold(
        _ found: Found, of names: [PrefsPath], typed typing: Typing?, restoring restores: Bool
    ) -> PrefsCandidate? {
        var candidate = found.candidate
        // A value that a constraint over several keys rejects is still a value, and locks apply before
        // constraints do.
        if let rejection = candidate.rejection, rejection.code != .invalid { return candidate }
        let binding = locks(below: found.path).filter { found.part.height > $0.height }
        // The value that an outer lock supplies already respects the locks within it.
        let locks = binding.filter { lock in
            !binding.contains { $0.path != lock.path && $0.path.contains(lock.path) }
        }
        if !locks.isEmpty, candidate.isText, case .string(let text) = candidate.value, let typing {
            // If the text does not parse, the key rejects it.
            guard let parsed = typing.parse(text) else { return candidate }
            (candidate.value, candidate.isText) = (parsed, false)
        }
        for lock in locks {
            let place = lock.path.components.dropFirst(found.path.components.count)
            let locked = raw(place, in: names, below: lock.height)
            let held = locked ?? typing?.storedDefault()?.value(at: place)
            guard candidate.value.kind == .dictionary else {
                if held != nil, typing?.mergesDeeply != true { return nil } else { continue }
            }
            candidate.value.cut(place, clearingTheWay: held != nil)
            if restores, let held { candidate.value.insert(held, at: place) }
        }
        return candidate
    }

    /// Returns an entry of a key, resolved from the layers up to a given height, under the first name that
    /// has a value.
    private func raw(_ place: ArraySlice<String>, in names: [PrefsPath], below limit: Int) -> PrefsValue? {
        for name in names {
            let path = PrefsPath(components: name.components + place)
            if let value = raw(path, below: limit) { return value }
        }
        return nil
    }

    private func locks(below path: PrefsPath) -> [PrefsLock] {
        if Mutant.isActive(.innerLocksIgnored) { return [] }
        return state.locks.filter { path != $0.path && path.contains($0.path) }
    }
}

extension Range<Int> {
    /// Splits the range into runs of consecutive indices that have the same value.
    fileprivate func chunked(by value: (Int) -> Int) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        for index in self {
            if let last = chunks.last, value(last.lowerBound) == value(index) {
                chunks[chunks.count - 1] = last.lowerBound..<(index + 1)
            } else {
                chunks.append(index..<(index + 1))
            }
        }
        return chunks
    }
}
