import PrefsDocuments

/// An index of the paths of a schema's properties, which finds those affected by a change.
struct PropertyPathIndex: Sendable {
    private struct Entry: Sendable {
        let property: Int
        let path: PrefsPath
    }

    /// Keyed by the first component: two paths are related only if it is the same.
    private var entries: [String: [Entry]] = [:]

    /// - Parameter paths: For each property, the paths at which its value may be stored.
    init(_ paths: [[PrefsPath]]) {
        for (property, paths) in paths.enumerated() {
            for path in paths {
                entries[path.components[0], default: []].append(Entry(property: property, path: path))
            }
        }
    }

    /// Returns the properties at, above or below these paths, each once and in order.
    ///
    /// With properties at `http.port`, `http` and `name`, a change of `http` affects the first two, and so
    /// does a change of `http.port`.
    func touched(by changes: some Sequence<PrefsPath>) -> [Int] {
        var touched: [Int] = []
        for change in changes {
            for entry in entries[change.components[0]] ?? []
            where change.contains(entry.path) || entry.path.contains(change) {
                touched.append(entry.property)
            }
        }
        return touched.count > 1 ? Set(touched).sorted() : touched
    }
}
