/// A key as a path: `http.port` names `port` in the dictionary `http`.
///
/// A component is quoted as in TOML if it contains a dot, is empty, begins with a quotation mark or contains a
/// control character: `routes."example.com"` names `example.com` in `routes`. Any component may be quoted;
/// ``name`` quotes only the components that must be.
///
/// The top level of a file may spell a path, or the beginning of one, as a literal key such as `http.port`. In
/// deeper dictionaries a dot is an ordinary character: `a.b.c` never names the key `b.c` in `a`. Some names are
/// not paths, such as `.a`, `a..b` or `a."b`, or a name with more components than
/// ``PrefsLimits/pathComponents``. Such a name is a key of the top level.
package struct PrefsPath: Sendable, Hashable {
    /// The whole name; if there are several components, it is also the literal spelling.
    package let name: String
    /// The dictionary keys of the nested spelling; a single element if there is none.
    package let components: [String]

    package init(_ name: String) {
        if PathText.isPlain(name) {
            self.init(name: name, components: Self.split(name))
        } else {
            self.init(components: PathText.components(of: name) ?? [name])
        }
    }

    package init(components: [String]) {
        self.init(name: PathText.name(of: components), components: components)
    }

    /// Returns the path of a key of the top level of a file, which may spell a path.
    package static func topLevel(_ key: String) -> PrefsPath {
        PathText.isPlain(key) || isNested(key) ? PrefsPath(key) : PrefsPath(components: [key])
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
        // A single component may need quotes only in front of others.
        let name = isNested ? name : PathText.spelling(of: components[0])
        var components = components
        components.append(key)
        return PrefsPath(name: "\(name).\(PathText.spelling(of: key))", components: components)
    }

    /// The key of the top level that spells the whole path.
    package var literalKey: String { isNested ? name : components.first ?? name }

    /// A place in a file that may spell a path.
    package struct Spelling {
        /// The top-level key.
        package let key: String
        /// The keys of the dictionaries below it.
        package let rest: ArraySlice<String>

        package var components: [String] { [key] + rest }
    }

    /// The places in a file that may spell the path, the longest literal key first, the nested spelling last.
    ///
    /// For `a.b.c`, the places are `a.b.c`, `c` in `a.b`, and `c` in `b` in `a`.
    package var spellings: some Sequence<Spelling> {
        (1...max(components.count, 1)).reversed().lazy.map { depth in
            Spelling(key: literalPrefix(depth), rest: components.dropFirst(depth))
        }
    }

    /// Returns the place that spells the path in a file: the longest literal key that the file has, or else the
    /// nested spelling.
    package func spelling(ifPresent isPresent: (_ key: String) -> Bool) -> Spelling {
        spellings.first { isPresent($0.key) } ?? Spelling(key: components[0], rest: components.dropFirst())
    }

    private func literalPrefix(_ depth: Int) -> String {
        if depth >= components.count { return literalKey }
        return depth == 1 ? components[0] : PathText.name(of: components.prefix(depth))
    }

    private static func split(_ name: String) -> [String] {
        guard hasComponents(name) else { return [name] }
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

    /// Returns true if a key of the top level of a file spells a path of several components, as ``name`` does.
    package static func isNested(_ key: String) -> Bool {
        if PathText.isPlain(key) { return hasComponents(key) }
        let path = PrefsPath(key)
        return path.isNested && path.name == key
    }

    /// Returns true if a name without quotes has several components.
    private static func hasComponents(_ name: String) -> Bool {
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
