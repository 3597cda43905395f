import PrefsDocuments

/// The values of some sources that stay in force in place of newer ones, which were rejected.
struct KeptValues: Sendable {
    /// A value, at the path under which the newer one stands.
    struct Entry: Sendable {
        let path: PrefsPath
        let value: LocatedValue
    }

    private var bySource: [PrefsSnapshot.Part.Name: [Entry]] = [:]

    var isEmpty: Bool { bySource.isEmpty }

    mutating func add(_ entry: Entry, in source: PrefsSnapshot.Part.Name) {
        bySource[source, default: []].append(entry)
    }

    /// Removes the values of a source at, above and below some paths; all if the paths are not known.
    mutating func remove(at paths: PathList?, of source: PrefsSnapshot.Part.Name) {
        guard let paths, let entries = bySource[source] else { return bySource[source] = nil }
        let left = entries.filter { entry in
            !paths.contains { $0.contains(entry.path) || entry.path.contains($0) }
        }
        bySource[source] = left.isEmpty ? nil : left
    }

    /// Returns what stands at a path of a source, given what its newest version has there.
    func value(at path: PrefsPath, in part: PrefsSnapshot.Part, newest: LocatedValue?) -> LocatedValue? {
        guard let entries = bySource[PrefsSnapshot.Part.Name(part)] else { return newest }
        var found = newest
        for entry in entries {
            if entry.path.contains(path) { return entry.value(at: path) }
            guard path.contains(entry.path), found?.isRejected == false else { continue }
            found?.value.insert(
                entry.value.value, at: entry.path.components.dropFirst(path.components.count))
        }
        return found
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

extension KeptValues.Entry {
    fileprivate func isSame(as other: Self) -> Bool {
        path == other.path && value.value == other.value.value
    }

    /// Returns the part of the value at a path at or below that of the entry.
    fileprivate func value(at path: PrefsPath) -> LocatedValue? {
        let rest = path.components.dropFirst(self.path.components.count)
        if rest.isEmpty { return value }
        guard let part = value.value.value(at: rest) else { return nil }
        return LocatedValue(
            value: part, isText: value.isText, content: value.content?[rest], path: path,
            spelling: path.name, file: value.file)
    }
}
