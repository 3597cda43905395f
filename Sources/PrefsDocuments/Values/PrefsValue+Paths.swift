extension PrefsValue {
    /// Sets a value at a path inside a dictionary, creating intermediate dictionaries.
    package mutating func insert(_ value: PrefsValue, at path: ArraySlice<String>) {
        guard let key = path.first else {
            self = value
            return
        }
        if kind != .dictionary { self = .dictionary([:]) }
        _ = changeEntries { content in
            content[key, default: .dictionary([:])].insert(value, at: path.dropFirst())
            return true
        }
    }

    /// Removes the value at a path inside a dictionary, and any dictionary that this leaves empty.
    ///
    /// `{"a": {"b": 1}}` without `a.b` is `{}`.
    ///
    /// - Returns: True if there was such a value.
    @discardableResult
    package mutating func remove(at path: ArraySlice<String>) -> Bool {
        guard let key = path.first else { return false }
        return changeEntries { content in
            guard path.count > 1 else { return content.removeValue(forKey: key) != nil }
            guard let index = content.index(forKey: key) else { return false }
            let isRemoved = content.values[index].remove(at: path.dropFirst())
            if isRemoved, content.values[index].dictionary?.isEmpty == true { content.remove(at: index) }
            return isRemoved
        }
    }

    /// Removes the value at a path inside a dictionary, so that the locked value can take its place.
    ///
    /// Unlike ``remove(at:)`` it keeps the dictionaries that become empty. With the path `a.b`:
    ///
    ///     {"a": {"b": 1, "c": 2}}  →  {"a": {"c": 2}}
    ///     {"a": {"b": 1}}          →  {"a": {}}
    ///     {"a": 5}                 →  {"a": 5}, or {} if `clears` is true
    ///
    /// - Parameter clears: True to also remove a value on the path that is not a dictionary.
    package mutating func cut(_ path: ArraySlice<String>, clearingTheWay clears: Bool) {
        guard let key = path.first else { return }
        _ = changeEntries { content in
            guard let index = content.index(forKey: key) else { return false }
            let isBar = clears && content.values[index].kind != .dictionary
            if path.count == 1 || isBar {
                content.remove(at: index)
            } else {
                content.values[index].cut(path.dropFirst(), clearingTheWay: clears)
            }
            return true
        }
    }

    /// Changes the entries of a dictionary in place, so that changing one of them does not copy the others.
    private mutating func changeEntries(_ body: (inout [String: PrefsValue]) -> Bool) -> Bool {
        var content: [String: PrefsValue]
        if case .dictionary(let current) = self { content = current } else { return false }
        // Releases the other reference to the entries.
        self = .dictionary([:])
        defer { self = .dictionary(content) }
        return body(&content)
    }

    /// Returns true if a value strictly above a path is not a dictionary: 5 in `{"a": 5}` blocks `a.b`, not
    /// `a`.
    package func isBlocked(on path: ArraySlice<String>) -> Bool {
        guard case .dictionary(let content) = self else { return !path.isEmpty }
        guard let key = path.first, let child = content[key] else { return false }
        return path.count > 1 && child.isBlocked(on: path.dropFirst())
    }

    /// Returns the value at a path inside a dictionary.
    package func value(at path: ArraySlice<String>) -> PrefsValue? {
        guard let key = path.first else { return self }
        return dictionary?[key]?.value(at: path.dropFirst())
    }

    /// Returns this value plus the entries that only a lower value has, at every depth.
    ///
    /// `{"a": {"b": 1}}` over `{"a": {"b": 2, "c": 3}, "d": 4}` is `{"a": {"b": 1, "c": 3}, "d": 4}`. A value
    /// that is not a dictionary hides the lower one.
    package func merged(over lower: PrefsValue) -> PrefsValue {
        guard case .dictionary(let upper) = self, case .dictionary(let lower) = lower else { return self }
        return .dictionary(lower.merging(upper) { $1.merged(over: $0) })
    }

    /// Returns this value plus the entries that only a lower value has, except within dictionaries that count as a
    /// whole.
    package func merged(over lower: PrefsValue, wholes: Set<[String]>, at path: [String] = []) -> PrefsValue {
        guard case .dictionary(let upper) = self, case .dictionary(let lower) = lower, !wholes.contains(path)
        else { return self }
        var merged = lower
        for (name, value) in upper {
            merged[name] =
                lower[name].map { value.merged(over: $0, wholes: wholes, at: path + [name]) } ?? value
        }
        return .dictionary(merged)
    }
}
