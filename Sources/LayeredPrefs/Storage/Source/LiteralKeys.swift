import PrefsDocuments

/// The top-level keys of a source that are dotted paths spelled literally.
///
/// Sorted, so that the keys below a path follow each other: an index of all ancestors would be far larger than
/// the file.
struct LiteralKeys: Sendable, Equatable {
    private let names: [String]
    private let tops: TopFilter

    init(of root: PrefsContent) {
        var names: [String] = []
        root.forEachEntry { key, _ in if PrefsPath.isNested(key) { names.append(key) } }
        names.sort()
        self.names = names
        tops = TopFilter(of: names)
    }

    var isEmpty: Bool { names.isEmpty }

    /// Returns the literal keys strictly below a path, sorted by name.
    func below(_ path: PrefsPath) -> some Sequence<PrefsPath> {
        range(below: path).lazy.map { PrefsPath(names[$0]) }
    }

    /// Returns true if there are literal keys strictly below a path.
    func areAny(below path: PrefsPath) -> Bool {
        if names.isEmpty || path.components.count == PrefsLimits.pathComponents { return false }
        let index = index(of: path.name + ".")
        return index < names.count && names[index] < path.name + "/"
    }

    /// Returns true if a literal key is a path, lies below it, or above it.
    func areAny(near path: PrefsPath) -> Bool {
        if names.isEmpty { return false }
        guard tops.mayContain(path.name) else { return false }
        guard path.isNested else { return areAny(below: path) }
        return areAny(below: path) || contains(path.name)
            || path.components.count > 2 && path.ancestors.dropFirst().contains { contains($0.name) }
    }

    private func range(below path: PrefsPath) -> Range<Int> {
        if names.isEmpty || path.components.count == PrefsLimits.pathComponents { return 0..<0 }
        // “/” follows “.” among the characters.
        return index(of: path.name + ".")..<index(of: path.name + "/")
    }

    /// Returns the index of the first name that is not less than `name`.
    private func index(of name: String) -> Int {
        var range = names.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = names[middle] < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private func contains(_ name: String) -> Bool {
        let index = index(of: name)
        return index < names.count && names[index] == name
    }

    /// Returns the literal keys of the next version of a source, given that only keys at some paths may have
    /// been added or removed.
    func following(_ steps: some Sequence<PrefsPath>, to root: PrefsContent) -> LiteralKeys {
        let isSame = steps.lazy.filter(\.isNested).allSatisfy { step in
            (root[step.name] != nil) == contains(step.name)
        }
        return isSame ? self : LiteralKeys(of: root)
    }
}

/// Tells without a search that no literal key begins with the same component as a path, as for most changes.
private struct TopFilter: Equatable {
    /// A bit for the length and first byte of each first component; all bits if one is not ASCII, because other
    /// bytes may spell the same name.
    private var bits: UInt64 = 0

    init(of names: [String]) {
        for name in names { bits |= Self.bits(of: name) }
    }

    func mayContain(_ name: String) -> Bool { bits & Self.bits(of: name) != 0 }

    private static func bits(of name: String) -> UInt64 {
        var (length, seen) = (0, UInt8(0))
        for byte in name.utf8 {
            if byte == UInt8(ascii: ".") { break }
            (length, seen) = (length + 1, seen | byte)
        }
        guard seen < 0x80, let first = name.utf8.first else { return .max }
        return 1 << UInt64((length &* 7 &+ Int(first)) & 63)
    }
}
