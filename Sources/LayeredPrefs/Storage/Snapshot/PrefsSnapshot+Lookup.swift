public import PrefsDocuments

extension PrefsSnapshot {
    /// Returns the stored values for a key, most important first, without those that a lock rules out.
    public func candidates(forKey key: String) -> [PrefsCandidate] {
        untypedCandidates(at: PrefsPath(key))
    }

    /// Returns the stored values for a key under any of its names, most important first, without those that a
    /// lock rules out.
    package func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        candidates(for: name, typed: nil)
    }

    func candidates(for key: PrefsKeyName, typed typing: @autoclosure () -> KeyTyping?) -> [PrefsCandidate] {
        let values = self.values(for: key)
        let filter = LockFilter(self, key, typed: typing())
        if filter.isIdle { return values.indices.map { values[$0].candidate } }
        return values.compactMap { filter.apply(to: $0)?.candidate }
    }

    /// Returns the values for a typed key, most important first, before locks are applied.
    ///
    /// Former names are read in a layer only if none of its parts has the present name. For the key
    /// `http.port` with the former name `port`:
    ///
    ///     user       {"port": 7}                             7
    ///     user       {"port": 7}, drop-in {"http.port": 8}   8, not 7: the layer has the present name
    ///     user       {"port": 7}, system {"http.port": 8}    7, then 8: each layer is looked up on its own
    ///
    /// A section that stands at one of the names is no value: see ``PrefsKeyName/isSection(_:at:)``.
    ///
    /// Dictionaries composed of texts are omitted, because no type can be parsed from them.
    func values(for key: PrefsKeyName) -> [LocatedValue] {
        var (found, rest): ([LocatedValue], Range<Int>) = ([], state.parts.indices)
        if key.formerNames.isEmpty {
            found = lookUp(key, at: PrefsPath(key.name), in: rest).values
        } else {
            while let first = rest.first {
                let layer = rest.prefix { state.parts[$0].height == state.parts[first].height }
                found += values(for: key, inLayer: layer)
                rest = layer.upperBound..<rest.upperBound
            }
        }
        found.removeAll { $0.isText && $0.value.kind != .string }
        return found
    }

    private func values(for key: PrefsKeyName, inLayer parts: Range<Int>) -> [LocatedValue] {
        var blockingPresentName: [LocatedValue]?
        for path in key.paths {
            let (values, isStored) = lookUp(key, at: path, in: parts)
            if isStored { return values }
            blockingPresentName = blockingPresentName ?? values
        }
        return blockingPresentName ?? []
    }

    /// Returns the values of some parts under one name of a key, and whether one of them is a value of the key; if not,
    /// they block the name.
    private func lookUp(_ key: PrefsKeyName, at path: PrefsPath, in parts: Range<Int>)
        -> (values: [LocatedValue], isStored: Bool)
    {
        var (values, isStored): ([LocatedValue], Bool) = ([], false)
        values.reserveCapacity(min(parts.count, 4))
        for part in parts {
            guard var found = value(for: key, at: path, in: part), !key.isSection(found.value, at: path)
            else { continue }
            if !found.isRejected { isStored = true }
            applyConstraints(to: &found, of: key, in: part)
            values.append(found)
        }
        return (values, isStored)
    }

    /// Marks a value that a constraint over several keys rejects. Only typed reads apply constraints.
    private func applyConstraints(to found: inout LocatedValue, of key: PrefsKeyName, in part: Int) {
        guard !state.rules.constraintRejections.isEmpty, !found.isRejected else { return }
        found.rejection = state.rules.rejection(of: PrefsPath(key.name), in: part).map {
            PrefsError(.invalid, reason: $0)
        }
    }

    /// Returns one part's value for a key under one of its names, before any rule is applied.
    func value(for key: PrefsKeyName, at path: PrefsPath, in index: Int) -> LocatedValue? {
        let part = state.parts[index]
        let value =
            if state.keysAreLiteral {
                part.source.tree.literalValue(at: path)
            } else {
                part.source.value(for: key, at: path, claims: state.rules.claims)
            }
        let rules = state.rules
        let held = rules.kept.isEmpty ? value : rules.kept.value(at: path, in: part, newest: value)
        guard var found = held else { return nil }
        found.layer = part.layer
        found.height = part.height
        found.isSecret = key.isSecret || rules.secrets.touches(path)
        return found
    }
}

extension PrefsSnapshot {
    /// The value of a key whose type is not known: the topmost one; a dictionary is merged with those of the
    /// layers below.
    public subscript(key: String) -> PrefsValue? {
        untypedValue(at: PrefsPath(key))
    }

    /// Returns the untyped value at a path, resolved from the layers up to a given height.
    func untypedValue(at path: PrefsPath, below limit: Int = .max) -> PrefsValue? {
        let values = untypedCandidates(at: path, below: limit).filter { $0.rejection == nil }.map(\.value)
        guard let top = values.first, top.kind == .dictionary else { return values.first }
        return values.dropFirst().filter { $0.kind == .dictionary }.reduce(top) { $0.merged(over: $1) }
    }

    /// Returns one part's untyped value at a path, unless a lock rules it out.
    func untypedCandidate(at path: PrefsPath, in index: Int) -> PrefsCandidate? {
        value(for: PrefsKeyName(path.name), at: path, in: index).flatMap {
            LockFilter(self, untypedAt: path).apply(to: $0)?.candidate
        }
    }

    /// Returns the untyped values at a path from the layers up to a given height, most important first,
    /// without those that a lock rules out.
    func untypedCandidates(at path: PrefsPath, below limit: Int = .max) -> [PrefsCandidate] {
        let (key, filter) = (PrefsKeyName(path.name), LockFilter(self, untypedAt: path))
        return state.parts.indices.compactMap { index in
            guard state.parts[index].height <= limit else { return nil }
            return value(for: key, at: path, in: index).flatMap { filter.apply(to: $0)?.candidate }
        }
    }

    /// The top-level keys of all layers.
    public var keys: Set<String> {
        var keys: Set<String> = []
        for part in state.parts {
            let root = state.keysAreLiteral ? part.source.spelled : part.source.root
            keys.formUnion(root.entries.map(\.key))
        }
        return keys
    }

    /// The effective contents as one dictionary, merged by key path.
    public var dictionary: [String: PrefsValue] {
        var result: [String: PrefsValue] = [:]
        for key in keys { result[key] = untypedValue(at: PrefsPath.topLevel(key)) }
        return result
    }
}
