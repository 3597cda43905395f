import PrefsDocuments

/// The edits that store a struct in one layer: only the fields that differ from the layers below.
///
/// For example, if the layers below give `{"host": "::", "timeout": "1m", "tls": {"minimum": "1.2"}}`:
///
///     value    {"host": "::", "timeout": "5m", "tls": {"minimum": "1.3"}}
///     layer    {"host": "a", "tls": {"minimum": "1.3"}, "unknown": 1}
///     edits    remove host, set timeout; tls.minimum stays as it is written, and so does unknown
struct FieldWriting {
    private let wholes: Set<[String]>
    private let root: PrefsPath
    private(set) var edits: [PathEdit] = []

    /// - Parameters:
    ///   - value: The struct's stored form.
    ///   - lower: The stored form of the value that the layers below give.
    ///   - own: The value that the layer has now.
    ///   - known: The stored form of the value that the layer and the layers below give. It also has the fields
    ///     that the new value leaves out.
    ///   - root: The key's path.
    ///   - wholes: The paths of dictionaries that count as one field.
    init(
        _ value: PrefsValue, over lower: PrefsValue?, replacing own: PrefsValue?, known: PrefsValue?,
        at root: PrefsPath, wholes: Set<[String]>
    ) {
        self.root = root
        self.wholes = wholes
        add(Versions(value: value, lower: lower, own: own, known: known), at: [])
    }

    /// The versions of one field.
    private struct Versions {
        var value: PrefsValue?
        var lower: PrefsValue?
        var own: PrefsValue?
        var known: PrefsValue?

        subscript(name: String) -> Versions {
            Versions(
                value: value?.dictionary?[name], lower: lower?.dictionary?[name],
                own: own?.dictionary?[name], known: known?.dictionary?[name])
        }

        /// True if the fields can be stored one by one. The new value must be a struct. The layer, or the layers
        /// below it, must have a value to merge it with, and each such value must be a struct, too.
        var areStructs: Bool {
            value?.dictionary != nil && (lower ?? own) != nil
                && [lower, own].allSatisfy { $0 == nil || $0?.dictionary != nil }
        }

        var names: [String] {
            [value, lower, known].reduce(into: Set<String>()) {
                $0.formUnion($1?.dictionary?.keys ?? [:].keys)
            }
            .sorted()
        }
    }

    private mutating func add(_ versions: Versions, at field: [String]) {
        if versions.areStructs || field.isEmpty, !wholes.contains(field) {
            for name in versions.names { add(versions[name], at: field + [name]) }
            return
        }
        // Absence would let the lower value through; this text is decoded as `nil`.
        let isGiven = versions.value == versions.lower
        let wanted = isGiven ? nil : versions.value ?? .string("$null")
        // An equal value in another spelling, such as `60s` for `1m`, stays as it is written.
        let isWritten = wanted != nil && versions.own != nil && versions.value == versions.known
        if isWritten || wanted == versions.own { return }
        edits.append(PathEdit(path: PrefsPath(components: root.components + field), value: wanted))
    }
}

extension PrefsStack {
    /// Returns the edits that store a struct in a layer; `nil` if the key is not merged per field, or if the
    /// layer's value is not a struct.
    ///
    /// Only fields under the key's present name are edited, because a file that has the present name ignores
    /// former names. An edit of a literal dictionary may repeat the fields that it does not change, so locks are
    /// checked before the edits are joined.
    ///
    /// - Parameters:
    ///   - contents: The layer's contents at the moment of the write, which may be newer than the snapshot.
    ///   - check: Called for the edit of each field.
    func fieldEdits(
        storing value: PrefsValue, for key: PersistentKey<some Sendable>, in target: PrefsLayer,
        replacing contents: PrefsSource, check: (PathEdit) throws -> Void
    ) rethrows -> [PathEdit]? {
        guard let merge = key.fieldMerge, value.dictionary != nil else { return nil }
        let path = PrefsPath(key.id)
        // A write fixes a rejected file as a whole, so it also replaces the file's wrong values.
        let file = RejectedRevisions.Name(layer: target.writtenName, file: target.writtenFile)
        let (snapshot, written) = snapshot.taking(
            contents, in: target, keepingValues: !engine.isRejected(file))
        let own = snapshot.ownValue(of: key.name, in: written)
        if let own, own.value.dictionary == nil { return nil }
        let below = Set(layers.prefix { $0.name != target.name }.map(\.name.description))
        let filter = LockFilter(snapshot, key.name, typed: key.typing)
        let candidates = snapshot.values(for: key.name).compactMap { found -> (part: Int, PrefsCandidate)? in
            let part = snapshot.index(of: found.origin)
            let isOther = part == written && found.path != path
            let isAbove =
                written == snapshot.state.parts.count ? !below.contains(found.layer ?? "") : part < written
            if isOther || isAbove { return nil }
            return filter.apply(to: found).map { (part, $0.candidate) }
        }
        /// Returns the stored form of the value that some candidates give.
        func stored(_ candidates: [PrefsCandidate]) -> PrefsValue? {
            (try? key.coding.encode(merge.resolve(candidates).value)) ?? nil
        }
        let lower = stored(candidates.filter { $0.part != written }.map(\.1))
        let known = stored(candidates.map(\.1))
        let wholes = merge.decode(value).wholes
        if wholes.contains([]) { return nil }
        let edits = FieldWriting(
            value, over: lower, replacing: own?.value, known: known, at: path, wholes: wholes
        ).edits
        try edits.forEach(check)
        // Removals come last, because a dictionary that loses all its fields loses its spelling, too.
        let ordered = edits.filter { $0.value != nil } + edits.filter { $0.value == nil }
        guard path.isNested, written < snapshot.state.parts.count else { return ordered }
        let joined = edits.joined(into: path, in: snapshot.state.parts[written].source.spelled)
        if target.paths == nil { return joined }
        // Values that the literal dictionary hides must stay hidden, even if it has lost its last field.
        return ordered + joined.filter { $0.path == path && $0.value == nil }
    }
}

extension PrefsSnapshot {
    /// Returns the index of a layer's part that has an older revision of some contents; past the end if there is
    /// none yet.
    func index(of contents: PrefsSource, in target: PrefsLayer) -> Int {
        func index(where isSame: (String?) -> Bool) -> Int? {
            state.parts.firstIndex { $0.layer == name && isSame($0.source.file) }
        }
        let name = target.writtenName
        // The file may have been converted to another format since. Then it has another extension.
        let stem = contents.file.map { PrefsFileFormat.stem(of: $0) ?? $0 }
        return index { $0 == contents.file }
            ?? index { stem != nil && $0.flatMap(PrefsFileFormat.stem) == stem } ?? state.parts.count
    }

    /// Returns a snapshot with the present contents of a layer's file, and the index of the file's part; past the
    /// end if there is none yet.
    ///
    /// - Parameter keepingValues: True to keep the active values instead of rejected ones, as long as the rejected
    ///   values are the same.
    func taking(_ contents: PrefsSource, in target: PrefsLayer, keepingValues: Bool = true)
        -> (snapshot: PrefsSnapshot, part: Int)
    {
        let index = index(of: contents, in: target)
        guard index < state.parts.count else { return (self, index) }
        let newest = keepingValues ? contents.keepingUnwritten(of: state.parts[index].source) : contents
        // These contents do not belong to a generation.
        return (replacingSource(at: index, with: newest).with { $0.generation = 0 }, index)
    }

    /// Returns a snapshot with other contents in one part.
    func replacingSource(at index: Int, with contents: PrefsSource) -> PrefsSnapshot {
        guard index < state.parts.count else { return self }
        return with { state in
            var start = 0
            state.parts = Parts(
                groups: state.parts.groups.map { group in
                    defer { start += group.parts.count }
                    guard index >= start, index < start + group.parts.count else { return group }
                    return group.replacing(group.parts[index - start], with: contents)
                })
        }
    }

    /// Returns the value that a part has under a key's present name.
    fileprivate func ownValue(of key: PrefsKeyName, in index: Int) -> LocatedValue? {
        guard index < state.parts.count else { return nil }
        return value(for: key, at: PrefsPath(key.name), in: index).flatMap { $0.isRejected ? nil : $0 }
    }
}

extension [PathEdit] {
    /// Returns the edits of fields as one edit of their dictionary, if its key is spelled literally. A storage
    /// that does not write by path would not find a field in such a dictionary.
    ///
    /// For the struct `mail.relay` and the edit `mail.relay.port` = 26:
    ///
    ///     {"mail.relay": {"port": 25}}        →  {"mail.relay": {"port": 26}}
    ///     {"mail": {"relay": {"port": 25}}}   →  {"mail": {"relay": {"port": 26}}}
    func joined(into path: PrefsPath, in root: PrefsContent) -> [PathEdit] {
        guard let literal = root[path.name], literal.kind == .dictionary else { return self }
        let before = literal.value
        var after = before
        var others: [PathEdit] = []
        for edit in self {
            let place = edit.path.components.dropFirst(path.components.count)
            // A field that a longer literal key spells is not read from this dictionary.
            let isOwn = edit.path.spelling { root[$0] != nil }.key == path.name
            if !isOwn { others.append(edit) }
            switch edit.value {
            case let value? where isOwn: after.insert(value, at: place)
            case nil: after.remove(at: place)
            default: break
            }
        }
        if after == before { return others }
        return [PathEdit(path: path, value: after == .dictionary([:]) ? nil : after)] + others
    }
}
