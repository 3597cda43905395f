extension PrefsValue {
    /// Puts a value at a path inside a dictionary, making the dictionaries on the way.
    package mutating func insert(_ value: PrefsValue, at path: ArraySlice<String>) {
        guard let key = path.first else {
            self = value
            return
        }
        var content = dictionary ?? [:]
        var child = content[key] ?? .dictionary([:])
        child.insert(value, at: path.dropFirst())
        content[key] = child
        self = .dictionary(content)
    }

    /// Takes away what lies at a path inside a dictionary, and the dictionaries that this leaves empty.
    package mutating func remove(at path: ArraySlice<String>) {
        guard case .dictionary(var content) = self, let key = path.first else { return }
        guard var child = content[key] else { return }
        let before = child
        child.remove(at: path.dropFirst())
        let isEmptied = child != before && child == .dictionary([:])
        content[key] = path.count == 1 || isEmptied ? nil : child
        self = .dictionary(content)
    }

    /// Takes away what lies at a path inside a dictionary, for what a lock puts there to show.
    ///
    /// - Parameter clears: Whether to take away what bars the way, too.
    package mutating func cut(_ path: ArraySlice<String>, clearingTheWay clears: Bool) {
        guard case .dictionary(var content) = self, let key = path.first, var child = content[key] else {
            return
        }
        child.cut(path.dropFirst(), clearingTheWay: clears)
        let isBar = clears && child.kind != .dictionary
        content[key] = path.count == 1 || isBar ? nil : child
        self = .dictionary(content)
    }

    /// Whether something strictly above a path inside a dictionary is no dictionary.
    package func isBlocked(on path: ArraySlice<String>) -> Bool {
        guard case .dictionary(let content) = self else { return !path.isEmpty }
        guard let key = path.first, let child = content[key] else { return false }
        return path.count > 1 && child.isBlocked(on: path.dropFirst())
    }

    /// The value at a path inside a dictionary.
    package func value(at path: ArraySlice<String>) -> PrefsValue? {
        guard let key = path.first else { return self }
        return dictionary?[key]?.value(at: path.dropFirst())
    }

    /// Fills in, dictionary by dictionary, what a lower value has and this one lacks.
    package func merged(over lower: PrefsValue) -> PrefsValue {
        guard case .dictionary(let upper) = self, case .dictionary(let lower) = lower else { return self }
        return .dictionary(lower.merging(upper) { $1.merged(over: $0) })
    }
}
