import PrefsDocuments

/// An index of the paths of a schema's properties, which finds those affected by a change.
struct PropertyPaths: Sendable {
    private struct Place: Sendable {
        let property: Int
        let path: PrefsPath
    }

    /// Keyed by the first component: two paths are related only if it is the same.
    private var places: [String: [Place]] = [:]

    /// - Parameter paths: For each property, the paths at which its value may be stored.
    init(_ paths: [[PrefsPath]]) {
        for (property, paths) in paths.enumerated() {
            for path in paths {
                places[path.components[0], default: []].append(Place(property: property, path: path))
            }
        }
    }

    /// Returns the properties at, above or below these paths, each once and in order.
    ///
    /// With properties at `http.port`, `http` and `name`, a change of `http` affects the first two, and so
    /// does a change of `http.port`.
    func touched(by changes: [PrefsPath]) -> [Int] {
        var touched: [Int] = []
        for change in changes {
            for place in places[change.components[0]] ?? []
            where change.contains(place.path) || place.path.contains(change) {
                touched.append(place.property)
            }
        }
        return touched.count > 1 ? Set(touched).sorted() : touched
    }
}
