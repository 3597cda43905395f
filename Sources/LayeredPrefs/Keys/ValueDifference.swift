import PrefsDocuments

/// The difference between two dictionaries: the entries that differ, at any depth.
///
///     before    {"width": 800, "height": 600, "tls": {"minimum": "1.2", "cipher": "x"}}
///     after     {"width": 900, "height": 600, "tls": {"minimum": "1.2"}}
///     changes   width is 900, tls.cipher is removed
struct ValueDifference: Sendable, Equatable {
    /// One entry that differs.
    struct Change: Sendable, Equatable {
        let path: [String]
        /// The new value; `nil` removes the entry.
        let value: PrefsValue?
    }

    /// The changes in the order of their paths. No path is below another one.
    private(set) var changes: [Change] = []

    /// - Parameter wholes: The paths of dictionaries that count as one value, such as an enum with its payload.
    init(from before: PrefsValue, to after: PrefsValue, wholes: Set<[String]> = []) {
        add(before, after, at: [], wholes)
    }

    private mutating func add(
        _ before: PrefsValue?, _ after: PrefsValue?, at path: [String], _ wholes: Set<[String]>
    ) {
        if before == after { return }
        // Each entry of a new dictionary is a change, because another process may have created the same
        // dictionary.
        let old = before ?? (after == .dictionary([:]) ? nil : .dictionary([:]))
        guard case .dictionary(let old)? = old, case .dictionary(let new)? = after, !wholes.contains(path)
        else { return changes.append(Change(path: path, value: after)) }
        for name in Set(old.keys).union(new.keys).sorted() {
            add(old[name], new[name], at: path + [name], wholes)
        }
    }

    /// Returns a dictionary with the changes applied. Unlike a removal in a file, a removal here leaves the
    /// dictionary around the entry, even if that dictionary is empty now.
    func applied(to value: PrefsValue) -> PrefsValue {
        changes.reduce(into: value) { result, change in
            if let value = change.value {
                result.insert(value, at: change.path[...])
            } else {
                result.cut(change.path[...], clearingTheWay: false)
            }
        }
    }

    /// Returns true if an edit at a path affects one of the changes.
    func concerns(_ path: ArraySlice<String>) -> Bool {
        changes.contains { $0.path.starts(with: path) || path.starts(with: $0.path) }
    }
}
