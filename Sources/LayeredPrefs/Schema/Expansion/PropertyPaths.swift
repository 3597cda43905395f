import PrefsDocuments
/// Which of a schema's properties may read differently after some paths changed.
struct PropertyPaths: Sendable {
    private struct Place: Sendable {
        let property: Int
        let path: PrefsPath
    }

    /// By the first component, without which no path touches another.
    private var places: [String: [Place]] = [:]

    /// - Parameter paths: Where the value of each property may be.
    init(_ paths: [[PrefsPath]]) {
        for (property, paths) in paths.enumerated() {
            for path in paths {
                places[path.components[0], default: []].append(Place(property: property, path: path))
            }
        }
    }

    /// The properties at, above or beneath these paths, each once and in order.
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
