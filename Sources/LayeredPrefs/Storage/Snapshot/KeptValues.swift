import PrefsDocuments

/// The values of some sources that stay in force in place of newer ones, which were rejected.
struct KeptValues: Sendable {
    /// A value, at the path under which the newer one stands.
    struct Entry: Sendable {
        let path: PrefsPath
        /// `nil` if the source had none.
        let value: LocatedValue?
    }

    private var bySource: [PrefsSnapshot.Part.Name: [Entry]] = [:]

    var isEmpty: Bool { bySource.isEmpty }

    /// The values of a source.
    subscript(source: PrefsSnapshot.Part.Name) -> [Entry] { bySource[source] ?? [] }

    mutating func add(_ entry: Entry, in source: PrefsSnapshot.Part.Name) {
        bySource[source, default: []].append(entry)
    }

    /// Removes the values of a source that a write replaces.
    mutating func remove(of source: PrefsSnapshot.Part.Name, writing new: PrefsSource, over old: PrefsSource)
    {
        let written = PrefsSource.differences(old, new)
        let left = self[source].filter { entry in
            if written.contains(where: { entry.path.contains($0) }) { return false }
            let (before, after) = (old.tree.value(at: entry.path), new.tree.value(at: entry.path))
            // A write that takes away what blocks the path does not set it.
            return LocatedValue.haveSameValue(before, after) || after == nil && before?.isRejected == true
        }
        bySource[source] = left.isEmpty ? nil : left
    }

    /// Removes the values of a source at, above and below some paths.
    mutating func remove(of source: PrefsSnapshot.Part.Name, at paths: [PrefsPath]) {
        let left = self[source].filter { entry in
            !paths.contains { $0.contains(entry.path) || entry.path.contains($0) }
        }
        bySource[source] = left.isEmpty ? nil : left
    }

    /// Returns what stands at a path of a source, given what its newest version has there.
    func value(at path: PrefsPath, in part: PrefsSnapshot.Part, newest: LocatedValue?) -> LocatedValue? {
        guard let entries = bySource[PrefsSnapshot.Part.Name(part)] else { return newest }
        var found = newest
        for entry in entries {
            if entry.path.contains(path) {
                if let kept = entry.value(at: path) { return kept }
                // Nothing is in force there; something above that is no dictionary may say so with an error.
                return part.source.tree.blocking(entry.path).flatMap { _ in part.source.tree.blocking(path) }
            }
            if path.contains(entry.path) { entry.patch(&found, at: path, in: part.source.tree) }
        }
        return found
    }

    /// Returns true if a value is kept at, above or below a path.
    func touches(_ path: PrefsPath) -> Bool {
        !isEmpty && bySource.values.joined().contains { $0.path.contains(path) || path.contains($0.path) }
    }

    /// Returns true if something else is in force in place of a source's newest value at a path.
    func replaces(_ path: PrefsPath, in part: PrefsSnapshot.Part) -> Bool {
        !isEmpty && self[PrefsSnapshot.Part.Name(part)].contains { $0.path.contains(path) }
    }

    /// Returns the paths of the values at or below a path that are not dictionaries, and of empty dictionaries.
    func keys(below path: PrefsPath) -> [PrefsPath] {
        var keys = PathList()
        for entry in bySource.values.joined() where entry.path.contains(path) || path.contains(entry.path) {
            entry.addLeaves(to: &keys)
        }
        return keys.filter(path.contains)
    }

    /// Returns the paths of a source's values that are not dictionaries, and of empty dictionaries.
    func leaves(in source: PrefsSnapshot.Part.Name) -> PathList {
        self[source].reduce(into: PathList()) { $1.addLeaves(to: &$0) }
    }

    /// Returns true if one of the values is, or contains, a value at a path itself: no dictionary, or an empty one.
    func holdsOwnValue(at path: PrefsPath) -> Bool {
        !isEmpty && keys(below: path).contains(path)
    }

    /// Returns the paths at which other kept values differ from these.
    func differences(from other: KeptValues) -> [PrefsPath] {
        if isEmpty, other.isEmpty { return [] }
        return Set(bySource.keys).union(other.bySource.keys).flatMap { source in
            let (mine, others) = (bySource[source] ?? [], other.bySource[source] ?? [])
            return mine.filter { entry in !others.contains { $0.isSame(as: entry) } }.map(\.path)
                + others.filter { entry in !mine.contains { $0.isSame(as: entry) } }.map(\.path)
        }
    }
}

extension KeptValues: Equatable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.differences(from: rhs).isEmpty }
}

extension LocatedValue {
    /// An empty dictionary in the same file.
    fileprivate func emptyDictionary(at path: PrefsPath) -> LocatedValue {
        LocatedValue(
            value: .dictionary([:]), isText: isText, content: nil, path: path, spelling: path.name, file: file
        )
    }

    /// Returns the rejected value of a path that a non-dictionary within this value, which stands at a path above,
    /// blocks; `nil` if none does. Text has no type yet, so it blocks nothing.
    fileprivate func blocking(_ path: PrefsPath, below top: PrefsPath) -> LocatedValue? {
        let rest = path.components.dropFirst(top.components.count)
        guard !isText, let (found, depth) = PrefsContent.value(value).block(on: rest) else { return nil }
        let place = PrefsPath(components: Array(path.components.prefix(top.components.count + depth)))
        var blocked = LocatedValue(
            value: found.value, isText: false, content: nil, path: path, spelling: place.name, file: file)
        blocked.rejection = .notADictionary(found.kind, at: place)
        return blocked
    }
}

extension KeptValues.Entry {
    fileprivate func addLeaves(to leaves: inout PathList) {
        // Of the contents that it was read from, another rule may have refused a part.
        guard let value = value?.value else { return }
        PrefsContent.value(value).addLeaves(at: path, to: &leaves)
    }

    /// Puts the entry's value into what stands at a path above it, or removes from that what the newest version has.
    fileprivate func patch(_ found: inout LocatedValue?, at path: PrefsPath, in newest: PrefsTree) {
        if found?.isRejected == true {
            // Like a literal key, a value in force may lie behind what blocks the path.
            guard value != nil, newest.blocking(path) != nil else { return }
            found = nil
        }
        let rest = self.path.components.dropFirst(path.components.count)
        if found?.value.isBlocked(on: rest) == true { return }
        if let value {
            var patched = found ?? value.emptyDictionary(at: path)
            patched.value.insert(value.value, at: rest)
            found = patched
        } else if found?.value.remove(at: rest) == true, found?.value.dictionary?.isEmpty == true {
            // If nothing is left behind what blocks the path, it blocks that, too.
            found = newest.blocking(path)
        }
    }

    fileprivate func isSame(as other: Self) -> Bool {
        path == other.path && value?.value == other.value?.value
    }

    /// Returns the part of the value at a path at or below that of the entry.
    fileprivate func value(at path: PrefsPath) -> LocatedValue? {
        let rest = path.components.dropFirst(self.path.components.count)
        if rest.isEmpty { return value }
        guard let value else { return nil }
        guard let part = value.value.value(at: rest) else { return value.blocking(path, below: self.path) }
        return LocatedValue(
            value: part, isText: value.isText, content: value.content?[rest], path: path,
            spelling: path.name, file: value.file)
    }
}
