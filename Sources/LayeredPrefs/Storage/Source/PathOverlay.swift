import PrefsDocuments

/// The values of a source that are not in its nested dictionaries, by key path: the values of dotted keys at
/// the top level, and values kept from an older revision.
///
/// Such a value replaces the nested value of its path, and joins the dictionaries on its way. If something on
/// its way is not a dictionary, the value is rejected.
///
///     {"http.port": 1}                          {"http": {"port": 1}}
///     {"http": {"port": 2}, "http.port": 1}     {"http": {"port": 1}}
///     {"http": "off", "http.port": 1}           {"http": "off"}
///
/// The overlay knows only the names of dotted keys. It looks up their values in the source, so the next
/// revision of a file shares the overlay, unless a dotted key was added or removed.
final class PathOverlay: Sendable {
    /// The replacement of the nested value of a path.
    private enum Own: Sendable {
        /// The value of a dotted key.
        case key(String)
        /// The content of an older revision; `nil` if that had none.
        case kept(PrefsContent?)
    }

    private let own: Own?
    private let below: HashTrie<PathOverlay>
    /// True if an older revision had nothing at a path below this one.
    private let removes: Bool

    static let empty = PathOverlay(nil)

    private init(_ own: Own?, below: HashTrie<PathOverlay> = HashTrie(), removes: Bool = false) {
        (self.own, self.below, self.removes) = (own, below, removes)
    }

    /// Finds the dotted keys of a top level.
    convenience init(of spelled: PrefsContent) {
        let keys = spelled.entries.lazy.map(\.key).filter(PrefsPath.isNested)
        self.init(keys.map { (PrefsPath($0).components[...], $0) })
    }

    /// - Parameter keys: Dotted keys, each with its path from here.
    private convenience init(_ keys: [(path: ArraySlice<String>, key: String)]) {
        let deeper = Dictionary(grouping: keys.filter { !$0.path.isEmpty }) { $0.path[$0.path.startIndex] }
        let below = deeper.mapValues { keys in PathOverlay(keys.map { ($0.path.dropFirst(), $0.key) }) }
        self.init(keys.last { $0.path.isEmpty }.map { .key($0.key) }, below: HashTrie(below))
    }

    var isEmpty: Bool { own == nil && below.count == 0 }

    /// Returns the overlay at and below a key of the dictionary.
    subscript(key: String) -> PathOverlay? { below.count == 0 ? nil : below[key] }

    /// The keys of the dictionary at or below which there is a value.
    var keys: some Sequence<String> { below.dictionary.keys }

    /// Returns the value that replaces the nested one of this path.
    func own(over nested: PrefsContent?, in spelled: PrefsContent) -> PrefsContent? {
        switch own {
        case .key(let key): spelled[key]
        case .kept(let content): content
        case nil: nested
        }
    }

    /// Returns the value of this path, with everything below it.
    func content(over nested: PrefsContent?, in spelled: PrefsContent) -> PrefsContent? {
        let own = own(over: nested, in: spelled)
        if below.count == 0 { return own }
        if let own, own.kind != .dictionary { return own }
        let joined = JoinedDictionary(base: own, overlay: self, spelled: spelled)
        return removes && joined.isEmpty ? nil : .joined(joined)
    }

    /// Returns the overlay of the next revision of a source, whose top level differs only at or below some paths.
    func following(_ paths: some Sequence<PrefsPath>, to spelled: PrefsContent) -> PathOverlay {
        var next = self
        for path in paths where path.isNested {
            for spelling in path.spellings where spelling.rest.count < path.components.count - 1 {
                let place = path.components.dropLast(spelling.rest.count)
                let isPresent = spelled[spelling.key] != nil && PrefsPath.isNested(spelling.key)
                if next.hasKey(at: place) != isPresent {
                    next = next.setting(isPresent ? .key(spelling.key) : nil, at: place)
                }
            }
        }
        return next
    }

    /// Returns the overlay with the content of an older revision at a path, or with nothing if that had none.
    /// It replaces everything at and below the path.
    func keeping(_ content: PrefsContent?, at path: PrefsPath) -> PathOverlay {
        replacing(path.components[...], removing: content == nil) { _ in PathOverlay(.kept(content)) }
    }

    private func hasKey(at path: ArraySlice<String>) -> Bool {
        guard let key = path.first else { if case .key = own { return true } else { return false } }
        return self[key]?.hasKey(at: path.dropFirst()) ?? false
    }

    private func setting(_ own: Own?, at path: ArraySlice<String>) -> PathOverlay {
        replacing(path) { PathOverlay(own, below: $0.below, removes: $0.removes) }
    }

    /// Returns the overlay with a changed overlay at a path.
    private func replacing(
        _ path: ArraySlice<String>, removing removes: Bool = false, _ change: (PathOverlay) -> PathOverlay
    ) -> PathOverlay {
        guard let key = path.first else { return change(self) }
        let next = (self[key] ?? .empty).replacing(path.dropFirst(), removing: removes, change)
        var below = below
        below[key] = next.isEmpty ? nil : next
        return PathOverlay(own, below: below, removes: self.removes || removes)
    }
}

extension PathOverlay {
    /// Returns the dotted keys at and below a path.
    func dottedKeys(below path: ArraySlice<String>) -> [String] {
        if let key = path.first { return self[key]?.dottedKeys(below: path.dropFirst()) ?? [] }
        var keys: [String] = []
        if case .key(let key) = own { keys.append(key) }
        below.forEach { _, overlay in keys += overlay.dottedKeys(below: []) }
        return keys
    }
}

/// A dictionary with entries from other places of its source.
///
/// In `{"http": {"host": "a", "port": 80}, "http.port": 81}` the dictionary `http` is the one of the file, with
/// `port` from the dotted key.
struct JoinedDictionary: Sendable {
    /// The dictionary as the source spells it; `nil` if all entries are from other places.
    let base: PrefsContent?
    let overlay: PathOverlay
    /// The top level of the source, which contains the dotted keys.
    let spelled: PrefsContent
    /// True for the top level itself.
    var isRoot = false

    var isEmpty: Bool { entries.isEmpty }

    subscript(key: String) -> PrefsContent? {
        let nested = base?[key]
        return overlay[key].map { $0.content(over: nested, in: spelled) } ?? nested
    }

    /// The entries, in the order of the file. At the top level, an entry that consists only of dotted keys
    /// has the position of the first of these keys. All other entries from other places come last.
    var entries: [PrefsContent.Entry] {
        var entries: [PrefsContent.Entry] = []
        var others = Set(overlay.keys)
        for (key, content) in base?.entries ?? [] {
            let isDotted = isRoot && PrefsPath.isNested(key)
            let name = isDotted ? PrefsPath(key).components[0] : key
            if isDotted, base?[name] != nil { continue }
            if others.remove(name) != nil {
                if let joined = self[name] { entries.append((name, joined)) }
            } else if !isDotted {
                entries.append((key, content))
            }
        }
        return entries + others.sorted().compactMap { key in self[key].map { (key, $0) } }
    }

    /// True if an entry is text.
    var containsText: Bool { entries.contains { $0.content.containsText } }
}
