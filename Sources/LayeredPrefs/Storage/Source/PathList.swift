import PrefsDocuments

/// The paths of some keys, in little more memory than their names.
///
/// One edit can change every key of a large file, and the list of the changes is kept as long as the
/// revision. A ``PrefsPath`` takes some hundred bytes, so only the first paths are kept as they are.
struct PathList: Sendable {
    /// The number of paths that are kept as they are, which suffices for most edits.
    static let plainCount = 64

    private var plain: [PrefsPath] = []
    /// The other paths: ``Mark/component`` follows each component, ``Mark/path`` each path.
    private var packed: [UInt8] = []
    private(set) var count = 0

    /// Bytes that UTF-8 does not contain.
    private enum Mark {
        static let component: UInt8 = 0xFF
        static let path: UInt8 = 0xFE
    }

    init() {}

    init(_ paths: [PrefsPath]) {
        if paths.count <= Self.plainCount {
            (plain, count) = (paths, paths.count)
        } else {
            append(contentsOf: paths)
        }
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ path: PrefsPath) {
        count += 1
        if plain.isEmpty { plain.reserveCapacity(8) }
        if plain.count < Self.plainCount { return plain.append(path) }
        for component in path.components {
            packed.append(contentsOf: component.utf8)
            packed.append(Mark.component)
        }
        packed.append(Mark.path)
    }

    /// Returns true if one of the paths is at, above or below one of the other paths.
    func touches(_ others: [PrefsPath]) -> Bool {
        contains { path in others.contains { $0.contains(path) || path.contains($0) } }
    }

    mutating func append(contentsOf paths: PathList) {
        if isEmpty { self = paths } else { for path in paths { append(path) } }
    }

    mutating func append(contentsOf paths: some Sequence<PrefsPath>) {
        for path in paths { append(path) }
    }
}

extension PathList: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var plain: IndexingIterator<[PrefsPath]>
        fileprivate let packed: [UInt8]
        fileprivate var offset = 0

        mutating func next() -> PrefsPath? { plain.next() ?? nextPacked() }

        private mutating func nextPacked() -> PrefsPath? {
            guard offset < packed.count else { return nil }
            var components: [String] = []
            while packed[offset] != Mark.path {
                let start = offset
                while packed[offset] != Mark.component { offset += 1 }
                components.append(String(decoding: packed[start..<offset], as: UTF8.self))
                offset += 1
            }
            offset += 1
            return PrefsPath(components: components)
        }
    }

    func makeIterator() -> Iterator { Iterator(plain: plain.makeIterator(), packed: packed) }

    var underestimatedCount: Int { count }
}

extension PathList: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: PrefsPath...) { self.init(elements) }
}
