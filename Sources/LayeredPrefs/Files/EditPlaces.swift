import PrefsDocuments

/// The places in a document where edits by path are written. The places are decided one edit after the other,
/// and nothing is written yet.
///
/// A value goes to the longest literal key that the file has, or else to the nested key. For example,
/// `http.tls.port` is set to 1:
///
///     {}                        →  {"http": {"tls": {"port": 1}}}
///     {"http.tls.port": 0}      →  {"http.tls.port": 1}
///     {"http.tls": {"port": 0}} →  {"http.tls": {"port": 1}}
///
/// A removal removes all spellings, and the dictionaries that it empties, except for those with comments.
struct EditPlaces {
    private let root: Outline
    private(set) var edits: [PrefsDocument.Edit] = []

    init(in document: PrefsDocument) { root = Outline(.node(document.root), Comments(of: document)) }

    /// Adds an edit. It finds the document as the previous edits leave it.
    mutating func add(_ edit: PathEdit) {
        guard let value = edit.value else {
            for spelling in edit.path.spellings {
                write(nil, at: root.emptied(byRemoving: spelling.components))
            }
            return
        }
        write(value, at: edit.path.spelling { root[$0] != nil }.components)
    }

    private mutating func write(_ value: PrefsValue?, at place: [String]) {
        edits.append(PrefsDocument.Edit(path: place, value: value))
        root.write(value, at: place[...])
    }
}

/// The comments of a document. They are searched once, when a removal empties a dictionary.
private final class Comments {
    private let document: PrefsDocument
    private lazy var found = SectionComments(of: document)

    init(of document: PrefsDocument) { self.document = document }

    func areThere(in dictionary: PrefsNode, without removed: (String) -> Bool) -> Bool {
        found?.areThere(in: dictionary, without: removed) ?? false
    }
}

/// The keys of a dictionary after some edits. Keys that no edit has come across are looked up in the original.
private final class Outline {
    private let original: PrefsContent
    /// The entries that were looked up or changed; `nil` for a key that does not exist.
    private var known: [String: Outline?] = [:]
    private var count: Int
    private let comments: Comments

    init(_ original: PrefsContent, _ comments: Comments) {
        (self.original, self.comments) = (original, comments)
        count = original.count
    }

    private var isDictionary: Bool { original.kind == .dictionary }

    subscript(key: String) -> Outline? {
        if let child = known[key] { return child }
        guard isDictionary else { return nil }
        let child = original[key].map { Outline($0, comments) }
        known[key] = .some(child)
        return child
    }

    /// Returns the path to remove in order to remove the value at `path`. If this leaves dictionaries empty
    /// and without comments, it is the path of the highest of them. Otherwise, it is `path` itself.
    func emptied(byRemoving path: [String]) -> [String] {
        var dictionaries = [self]
        for key in path.dropLast() {
            guard let child = dictionaries[dictionaries.count - 1][key], child.isDictionary else {
                return path
            }
            dictionaries.append(child)
        }
        guard dictionaries.last?[path[path.count - 1]] != nil else { return path }
        var depth = path.count
        while depth > 1, dictionaries[depth - 1].count == 1,
            !dictionaries[depth - 1].hasComments(besides: path[depth - 1])
        {
            depth -= 1
        }
        return Array(path.prefix(depth))
    }

    /// Returns true if the dictionary has comments in the file that belong neither to `entry` nor to a
    /// removed entry.
    private func hasComments(besides entry: String) -> Bool {
        guard let node = original.node else { return false }
        return comments.areThere(in: node) { key in
            if key == entry { return true }
            if case .some(.none) = known[key] { return true }
            return false
        }
    }

    /// Sets the value at a path, and creates the dictionaries that are missing. Removes the value if it is `nil`.
    func write(_ value: PrefsValue?, at path: ArraySlice<String>) {
        guard let key = path.first, isDictionary else { return }
        guard path.count > 1 else { return replace(key, with: value.map { Outline(.value($0), comments) }) }
        if self[key] == nil {
            guard value != nil else { return }
            replace(key, with: Outline(.value(.dictionary([:])), comments))
        }
        self[key]?.write(value, at: path.dropFirst())
    }

    private func replace(_ key: String, with child: Outline?) {
        count += (child == nil ? 0 : 1) - (self[key] == nil ? 0 : 1)
        known[key] = .some(child)
    }
}
