import LayeredPrefs

/// A key's value as a command shows it, and where it comes from.
struct Answer: Sendable {
    let key: String
    var value: PrefsValue?
    /// `nil` for the key's own default.
    var origin: PrefsOrigin?
    /// The key that the program declares for it; `nil` where none does or nobody knows.
    var declared: DeclaredKey?
    var rejected: [PrefsError] = []
    var lock: PrefsLock?

    var isSecret: Bool { declared?.isSecret ?? false }
}

extension Stack {
    /// The contents to read: of the one layer asked for, or of all.
    var contents: PrefsSnapshot {
        guard let selection, let layer = storage.layer(selection) else { return storage.snapshot }
        return layer.storage.snapshot
    }

    /// The value in force for a key: by its declared type where that is known.
    func answer(for name: String, in snapshot: PrefsSnapshot) -> Answer {
        if let declared = declared?[name] { return answer(declared, in: snapshot) }
        if let declared = declared?.holder(of: name) { return part(name, of: declared, in: snapshot) }
        let resolution = snapshot.resolution(forKey: name)
        return Answer(
            key: name, value: resolution.value, origin: placed(resolution.origin),
            rejected: resolution.rejected,
            lock: resolution.lock)
    }

    func answer(_ declared: DeclaredKey, in snapshot: PrefsSnapshot) -> Answer {
        let resolution = snapshot.resolution(for: declared.key)
        // One layer on its own has no defaults.
        let value = selection != nil && resolution.isDefault ? nil : resolution.value
        return Answer(
            key: declared.name, value: value, origin: placed(resolution.origin), declared: declared,
            rejected: resolution.rejected, lock: resolution.lock)
    }

    /// What lies at a path within a key that is declared as a dictionary, which is one value.
    private func part(_ name: String, of declared: DeclaredKey, in snapshot: PrefsSnapshot) -> Answer {
        var answer = answer(declared, in: snapshot)
        let place = DottedName.components(name).dropFirst(DottedName.components(declared.name).count)
        answer.value = answer.value.flatMap { $0.value(beneath: place) }
        return Answer(
            key: name, value: answer.value, origin: answer.origin, declared: declared,
            rejected: answer.rejected,
            lock: answer.lock)
    }

    private func placed(_ origin: PrefsOrigin?) -> PrefsOrigin? {
        guard var origin else { return nil }
        if origin.layer == nil { origin.layer = selection?.description }
        return origin
    }

    /// The values of all keys at or beneath a name: declared ones in their order, then what else is stored.
    func answers(under prefix: String, in snapshot: PrefsSnapshot) -> [Answer] {
        let known = declared?.beneath(prefix).map { answer($0, in: snapshot) } ?? []
        let stored = snapshot.dictionary.leaves.filter { DottedName.isBeneath($0, prefix) }
        let others = stored.filter { declared?.holder(of: $0) == nil && declared?.renamed($0) == nil }
        return known + others.sorted().map { answer(for: $0, in: snapshot) }
    }

    /// The values at or beneath a name as one dictionary; of a secret nothing, unless it is asked for.
    func tree(under prefix: String, in snapshot: PrefsSnapshot, revealing: Bool) -> PrefsValue {
        var tree = PrefsValue.dictionary([:])
        for answer in answers(under: prefix, in: snapshot) {
            guard let value = answer.value, revealing || !answer.isSecret else { continue }
            tree.insert(value, beneath: DottedName.components(answer.key)[...])
        }
        return tree.value(beneath: prefix.isEmpty ? [] : DottedName.components(prefix)[...]) ?? [:]
    }

    /// A name that is stored or declared and nearly this one.
    func nearest(to name: String) -> String? {
        declared?.nearest(to: name) ?? Spelling.nearest(to: name, among: storage.snapshot.dictionary.leaves)
    }

    /// The first file of the layers that cannot be used.
    var problem: PrefsError? { storage.status.compactMap(\.problem).first }

    /// Ends a command that was done, but on files of which some are broken.
    func checkSoundness() throws {
        if let problem { throw problem.status }
    }
}

extension [String: PrefsValue] {
    /// The names of everything that is no dictionary, or an empty one.
    var leaves: [String] {
        var leaves: [String] = []
        for (key, value) in self { value.collectLeaves(key, into: &leaves) }
        return leaves
    }
}

extension PrefsValue {
    fileprivate func collectLeaves(_ name: String, into leaves: inout [String]) {
        guard case .dictionary(let content) = self, !content.isEmpty else { return leaves.append(name) }
        for (key, value) in content { value.collectLeaves("\(name).\(key)", into: &leaves) }
    }

    func value(beneath path: ArraySlice<String>) -> PrefsValue? {
        guard let key = path.first else { return self }
        return dictionary?[key]?.value(beneath: path.dropFirst())
    }

    mutating func insert(_ value: PrefsValue, beneath path: ArraySlice<String>) {
        guard let key = path.first else { return self = value }
        var content = dictionary ?? [:]
        var child = content[key] ?? .dictionary([:])
        child.insert(value, beneath: path.dropFirst())
        content[key] = child
        self = .dictionary(content)
    }
}
