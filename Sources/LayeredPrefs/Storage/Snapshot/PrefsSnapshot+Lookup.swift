public import PrefsDocuments

extension PrefsSnapshot {
    /// Returns the stored values for a key, most important first, without the values that a key lock
    /// excludes.
    public func candidates(forKey key: String) -> [PrefsCandidate] {
        untypedCandidates(at: PrefsPath(key))
    }

    /// Returns the stored values for a key under any of its names, most important first, without the values
    /// that a lock excludes.
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
    /// A former name is read in a source that does not have the present name. So the higher source wins,
    /// whichever name it has. For the key `http.port` with the former name `port`:
    ///
    ///     user       {"port": 7}                             7
    ///     user       {"port": 7}, drop-in {"http.port": 8}   8, then 7
    ///     user       {"http.port": 8}, drop-in {"port": 7}   7, then 8
    ///     user       {"port": 7, "http.port": 8}             8
    ///
    /// A section at one of the names is not a value: see ``PrefsKeyName/isSection(_:at:)``.
    ///
    /// The texts of `--set window.width=100` and `--set window.height=30` compose a dictionary. Each text is
    /// parsed as the part that it sets. The dictionary is omitted for a key whose value is set as a whole.
    func values(for key: PrefsKeyName) -> [LocatedValue] {
        var found: [LocatedValue] = []
        found.reserveCapacity(min(state.parts.count, 4))
        let paths = key.paths
        for part in state.parts.indices {
            if let value = value(for: key, atFirstOf: paths, in: part) { found.append(value) }
        }
        guard found.contains(where: \.isComposedOfTexts) else { return found }
        return found.compactMap { value in
            guard value.isComposedOfTexts else { return value }
            guard let parsed = key.value(ofTexts: value.value) else { return nil }
            var value = value
            (value.value, value.isText) = (parsed, false)
            return value
        }
    }

    /// Returns the value of a part under the first of a key's names that has an acceptable value. If no name
    /// has one, returns the rejected value under the present name.
    func value(for key: PrefsKeyName, atFirstOf paths: [PrefsPath], in part: Int) -> LocatedValue? {
        var blockingPresentName: LocatedValue?
        for path in paths {
            guard let found = value(for: key, at: path, in: part), !key.isSection(found.value, at: path)
            else { continue }
            if !found.isRejected { return found }
            if path == paths[0] { blockingPresentName = found }
        }
        return blockingPresentName
    }

    /// Returns the value of a part for a key under one of its names, before any rule is applied.
    func value(for key: PrefsKeyName, at path: PrefsPath, in index: Int) -> LocatedValue? {
        let part = state.parts[index]
        let held =
            if state.keysAreLiteral {
                part.source.tree.literalValue(at: path)
            } else {
                part.source.value(for: key, at: path, claims: state.rules.claims)
            }
        guard var found = held else { return nil }
        found.layer = part.layer
        found.height = part.height
        found.isSecret = key.isSecret || state.rules.secrets.touches(path)
        return found
    }
}

extension PrefsSnapshot {
    /// The untyped value of a key, which is the value of the topmost layer that has one.
    ///
    /// If that value is a dictionary, it is merged with the dictionaries of the layers below.
    public subscript(key: String) -> PrefsValue? {
        untypedValue(at: PrefsPath(key))
    }

    /// Returns the untyped value at a path, resolved from the layers up to a given height.
    func untypedValue(at path: PrefsPath, below limit: Int = .max) -> PrefsValue? {
        Self.merged(untypedCandidates(at: path, below: limit).filter { $0.rejection == nil })
    }

    /// Returns the merged value of some candidates for a key, most important first.
    static func merged(_ candidates: [PrefsCandidate]) -> PrefsValue? {
        guard let top = candidates.first?.value, top.kind == .dictionary else {
            return candidates.first?.value
        }
        return candidates.dropFirst().map(\.value).filter { $0.kind == .dictionary }.reduce(top) {
            $0.merged(over: $1)
        }
    }

    /// Returns the untyped value of a part at a path, unless a lock excludes it.
    func untypedCandidate(at path: PrefsPath, in index: Int) -> PrefsCandidate? {
        value(for: PrefsKeyName(path.name), at: path, in: index).flatMap {
            LockFilter(self, untypedAt: path).apply(to: $0)?.candidate
        }
    }

    /// Returns the untyped values at a path from the layers up to a given height, most important first,
    /// without the values that a lock excludes.
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
