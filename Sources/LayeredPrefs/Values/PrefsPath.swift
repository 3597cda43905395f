/// A key seen as a path: `http.port` is the literal key `http.port`, or else `port` in the dictionary
/// `http`.
///
/// Those are the only two spellings; `a.b.c` is never the key `b.c` in `a`. A name with an empty component
/// (`.a`, `a..b`) has only its literal spelling.
struct PrefsPath: Sendable, Hashable {
    /// The whole name: the literal spelling.
    let name: String
    /// The dictionary keys of the nested spelling; one element when there is none.
    let components: [String]

    init(_ name: String) {
        self.name = name
        components = Self.split(name)
    }

    init(components: [String]) {
        name = components.joined(separator: ".")
        self.components = components
    }

    /// Whether a nested spelling exists beside the literal one.
    var isNested: Bool { components.count > 1 }

    /// Whether `other` is this path or lies beneath it.
    func contains(_ other: PrefsPath) -> Bool {
        other.components.starts(with: components)
    }

    /// The paths of the dictionaries that this one lies in, the topmost first.
    var ancestors: [PrefsPath] {
        (1..<max(components.count, 1)).map { PrefsPath(components: Array(components.prefix($0))) }
    }

    /// The path of `key` beneath this one.
    func appending(_ key: String) -> PrefsPath {
        PrefsPath(components: components + [key])
    }

    private static func split(_ name: String) -> [String] {
        guard name.utf8.contains(UInt8(ascii: ".")) else { return [name] }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.contains(where: \.isEmpty) ? [name] : parts.map(String.init)
    }
}

extension PrefsPath: CustomStringConvertible {
    var description: String { name }
}
