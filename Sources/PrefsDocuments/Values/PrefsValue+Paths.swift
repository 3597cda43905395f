import PrefsSystem

extension PrefsValue {
    /// Sets a value at a path inside a dictionary, creating intermediate dictionaries.
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

    /// Removes the value at a path inside a dictionary, and any dictionary that this leaves empty.
    ///
    /// `{"a": {"b": 1}}` without `a.b` is `{}`.
    package mutating func remove(at path: ArraySlice<String>) {
        guard case .dictionary(var content) = self, let key = path.first else { return }
        guard var child = content[key] else { return }
        let before = child
        child.remove(at: path.dropFirst())
        let isEmptied = child != before && child == .dictionary([:])
        content[key] = path.count == 1 || isEmptied ? nil : child
        self = .dictionary(content)
    }

    /// Removes the value at a path inside a dictionary, so that the locked value can take its place.
    ///
    /// Unlike ``remove(at:)`` it keeps the dictionaries that become empty. With the path `a.b`:
    ///
    ///     {"a": {"b": 1, "c": 2}}  →  {"a": {"c": 2}}
    ///     {"a": {"b": 1}}          →  {"a": {}}
    ///     {"a": 5}                 →  {"a": 5}, or {} if `clears` is true
    ///
    /// - Parameter clears: True to also remove a value on the way that is not a dictionary.
    package mutating func cut(_ path: ArraySlice<String>, clearingTheWay clears: Bool) {
        guard case .dictionary(var content) = self, let key = path.first, var child = content[key] else {
            return
        }
        child.cut(path.dropFirst(), clearingTheWay: clears)
        let isBar = clears && child.kind != .dictionary
        content[key] = path.count == 1 || isBar ? nil : child
        self = .dictionary(content)
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

    /// Returns this value with the entries added that a lower value has and this one lacks, at every depth.
    ///
    /// `{"a": {"b": 1}}` over `{"a": {"b": 2, "c": 3}, "d": 4}` is `{"a": {"b": 1, "c": 3}, "d": 4}`. A value
    /// that is not a dictionary hides the lower one.
    package func merged(over lower: PrefsValue) -> PrefsValue {
        guard case .dictionary(let upper) = self, case .dictionary(let lower) = lower else { return self }
        if Mutant.isActive(.mergesReversed) {
            return .dictionary(upper.merging(lower) { $1.merged(over: $0) })
        }
        return .dictionary(lower.merging(upper) { $1.merged(over: $0) })
    }

    /// Returns this value with the entries added that a lower value has and this one lacks, except within
    /// dictionaries that count as a whole.
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
