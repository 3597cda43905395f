/// A key as a path: `http.port` names the literal key `http.port`, or else `port` in the dictionary `http`.
///
/// These are the only two spellings; `a.b.c` never names the key `b.c` in `a`. A name with an empty component
/// (`.a`, `a..b`), or with more than ``PrefsLimits/pathComponents``, has only its literal spelling.
package struct PrefsPath: Sendable, Hashable {
    /// The whole name, which is the literal spelling.
    package let name: String
    /// The dictionary keys of the nested spelling; a single element if there is none.
    package let components: [String]

    package init(_ name: String) {
        self.name = name
        components = Self.split(name)
    }

    package init(components: [String]) {
        self.init(name: components.joined(separator: "."), components: components)
    }

    private init(name: String, components: [String]) {
        (self.name, self.components) = (name, components)
    }

    /// True if the path has a nested spelling in addition to the literal one.
    package var isNested: Bool { components.count > 1 }

    /// Returns true if `other` is this path or lies below it.
    package func contains(_ other: PrefsPath) -> Bool {
        other.components.starts(with: components)
    }

    /// The paths of the dictionaries that contain this one, topmost first.
    package var ancestors: [PrefsPath] {
        guard isNested else { return [] }
        return (1..<components.count).map { PrefsPath(components: Array(components.prefix($0))) }
    }

    /// Returns the path of `key` below this one.
    package func appending(_ key: String) -> PrefsPath {
        if components.isEmpty { return PrefsPath(components: [key]) }
        var components = components
        components.append(key)
        return PrefsPath(name: "\(name).\(key)", components: components)
    }

    private static func split(_ name: String) -> [String] {
        guard isNested(name) else { return [name] }
        var components: [String] = []
        components.reserveCapacity(4)
        var rest = name[...]
        while let end = rest.utf8.firstIndex(of: dot) {
            components.append(String(rest[..<end]))
            rest = rest[rest.utf8.index(after: end)...]
        }
        components.append(String(rest))
        return components
    }

    /// Returns true if a name has a nested spelling in addition to the literal one.
    package static func isNested(_ name: String) -> Bool {
        var components = 1
        var isEmpty = true
        for byte in name.utf8 {
            guard byte == dot else {
                isEmpty = false
                continue
            }
            components += 1
            if isEmpty || components > PrefsLimits.pathComponents { return false }
            isEmpty = true
        }
        return components > 1 && !isEmpty
    }

    private static let dot = UInt8(ascii: ".")
}

extension PrefsPath {
    // The components determine the name.

    package static func == (lhs: PrefsPath, rhs: PrefsPath) -> Bool { lhs.components == rhs.components }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension PrefsPath: CustomStringConvertible {
    package var description: String { name }
}
