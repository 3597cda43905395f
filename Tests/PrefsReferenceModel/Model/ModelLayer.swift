/// The state of a file on disk.
enum ModelFileState: Sendable, Hashable {
    case absent
    /// Unparsable, unreadable, too large, or not a regular file. The number distinguishes two revisions.
    case broken(version: Int)
    case good([String: ModelValue])
    /// A link to `/dev/null`.
    case mask
}

/// A file on disk and the contents last read from it.
struct ModelFile: Sendable, Hashable {
    var disk = ModelFileState.absent
    var lastGood: [String: ModelValue]?
    /// True if a mask in a higher directory hides the file, or if its name is not a drop-in's.
    var isHidden = false
    /// True if the file was a mask when it was last readable.
    private var wasMask = false

    /// True for a mask, and for a mask that has become unreadable.
    var isMask: Bool {
        switch disk {
        case .mask: true
        case .broken: wasMask
        case .absent, .good: false
        }
    }

    init(disk: ModelFileState = .absent) { self.disk = disk }

    /// The file as the layer sees it.
    var seen: ModelFileState { isHidden ? .absent : disk }

    /// Forgets the contents, as a program does when it restarts.
    mutating func forget() { (lastGood, wasMask) = (nil, false) }

    /// Reads the file. A broken file keeps its last good contents, which are empty at the start; a hidden
    /// broken file keeps none. Only a missing file (ENOENT, ENOTDIR) counts as absent.
    mutating func read(mutations: Set<ModelMutation>, tally: ModelTally) {
        switch disk {
        case .absent, .mask: (lastGood, wasMask) = (nil, disk == .mask)
        case .good(let contents): (lastGood, wasMask) = (contents, false)
        case .broken:
            if let lastGood, !lastGood.isEmpty, !isHidden { tally.hit(.brokenKeepsLastGood) }
            if lastGood == nil { tally.hit(.brokenWithoutLastGoodIsEmpty) }
            if isHidden || mutations.contains(.brokenIsEmpty) { lastGood = nil }
            if isHidden { wasMask = false }
        }
    }

    /// Returns true if both revisions have the same effect on a directory.
    func isSameVersion(as other: ModelFile) -> Bool {
        isMask == other.isMask && lastGood.isSameTree(as: other.lastGood)
    }
}

/// The state of a locks file on disk.
enum ModelLocksState: Sendable, Hashable {
    case absent
    case broken(version: Int)
    case good(lines: [String])
}

/// A locks file and the locks last read from it.
struct ModelLocksFile: Sendable, Hashable {
    var disk = ModelLocksState.absent
    var lastGood: [ModelPath] = []

    mutating func read(mutations: Set<ModelMutation>) {
        switch disk {
        case .absent: lastGood = []
        case .good(let lines): lastGood = Self.parse(lines)
        case .broken: if mutations.contains(.lastGoodLocksAreForgotten) { lastGood = [] }
        }
    }

    /// Parses one key or prefix per line; `#` begins a comment.
    static func parse(_ lines: [String]) -> [ModelPath] {
        lines.compactMap { line in
            let text = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" }
            return text.isEmpty ? nil : ModelPath(String(text))
        }
    }
}

/// A directory of a file layer: the main file, then its drop-ins in byte order of names.
struct ModelDirectory: Sendable, Hashable {
    let name: String
    /// True in fixed directories. Locks files in a directory that an environment variable names do not count.
    let trustsLocks: Bool
    var main = ModelFile()
    var dropIns: [String: ModelFile] = [:]
    var locks = ModelLocksFile()

    subscript(file: String) -> ModelFile {
        get { file == ModelPlace.mainFile ? main : dropIns[file] ?? ModelFile() }
        set { if file == ModelPlace.mainFile { main = newValue } else { dropIns[file] = newValue } }
    }
}

/// One layer of the stack.
struct ModelLayer: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case files
        /// Strings by canonical key: the environment or the arguments.
        case text
        case memory
    }

    let name: String
    let kind: Kind
    var isWritable = false
    var isPersistent = false
    /// Low to high.
    var directories: [ModelDirectory] = []
    /// The directory whose main file takes the writes.
    var writeDirectory: String?
    /// The values of a text or memory layer.
    var held: [String: ModelValue] = [:]
    /// Locks made in code.
    var codeLocks: Set<ModelPath> = []
}

/// The location of a file in the model.
struct ModelPlace: Sendable, Hashable, Codable, CustomStringConvertible {
    static let mainFile = "main"

    var layer: String
    var directory: String
    var file = ModelPlace.mainFile

    var description: String {
        let file = file == Self.mainFile ? "" : ", file: \(file.debugDescription)"
        return "ModelPlace(layer: \"\(layer)\", directory: \"\(directory)\"\(file))"
    }
}

/// An effective source; its position in the snapshot's list is its precedence.
struct ModelSource: Sendable, Hashable {
    /// The height. A layer has two heights: sources in directories with untrusted locks lie above the locks
    /// of the layer's other directories.
    let layer: Int
    let layerName: String
    /// `etc/main`, `etc/10-a.plist`, `held`.
    let name: String
    let entries: [String: ModelValue]
    /// The dotted keys among the entries, shorter ones first.
    let literals: [ModelPath]
    /// All entries as one tree, with the dotted keys in their places. A dotted key is rejected if a
    /// non-dictionary is in its way.
    ///
    /// For example, a file that contains only the literal key `http.port = 1` gives `http = {port: 1}`. With
    /// the literal `http.tls.cert = c`, `http = {tls: off}` stays as it is.
    let tree: ModelValue
    let isText: Bool

    init(
        layer: Int, layerName: String, name: String, entries: [String: ModelValue], isText: Bool,
        mutations: Set<ModelMutation> = []
    ) {
        self.layer = layer
        self.layerName = layerName
        self.name = name
        self.entries = entries
        self.isText = isText
        literals = entries.keys.filter { $0.contains(".") }.map { ModelPath($0) }
            .sorted { ($0.components.count, $0.description) < ($1.components.count, $1.description) }
        var tree = ModelValue.dictionary(entries.filter { !$0.key.contains(".") })
        for literal in literals {
            guard let value = entries[literal.description] else { continue }
            let isBlocked = tree.isBlocked(on: literal.components)
            if isBlocked, !mutations.contains(.literalDisplacesNonDictionary) { continue }
            let joins = tree.at(literal.components.dropLast()) != nil
            if joins, mutations.contains(.literalsDoNotJoinAncestors) { continue }
            let isTaken = tree.at(literal.components) != nil
            if isTaken, mutations.contains(.nestedBeatsLiteral) { continue }
            tree = tree.putting(value, at: literal.components)
        }
        self.tree = tree
    }

    /// Returns the value at a path. Text has no type yet, so it blocks nothing.
    func value(at path: ModelPath) -> ModelValue? {
        if let found = tree.at(path.components) ?? (isText ? entries[path.description] : nil) { return found }
        guard isText, literals.contains(where: path.isAncestor) else { return nil }
        return literals.filter(path.isAncestor).reduce([:]) { composed, literal in
            let place = path.rest(of: literal)
            guard !composed.isBlocked(on: place), let text = entries[literal.description] else {
                return composed
            }
            return composed.putting(text, at: place)
        }
    }

    /// Returns the path of the first non-dictionary above another path.
    func block(above path: ModelPath) -> ModelPath? {
        path.prefixes.dropLast().first { tree.at($0.components).map { $0.entries == nil } ?? false }
    }
}

extension ModelLayer {
    /// Reads every file.
    mutating func read(mutations: Set<ModelMutation>, tally: ModelTally) {
        let hidden = hiddenFiles(mutations: mutations, tally: tally)
        for index in directories.indices {
            directories[index].main.read(mutations: mutations, tally: tally)
            directories[index].locks.read(mutations: mutations)
            for name in directories[index].dropIns.keys {
                let isHidden = hidden.contains(directories[index].name + "/" + name)
                directories[index].dropIns[name]?.isHidden = isHidden
                directories[index].dropIns[name]?.read(mutations: mutations, tally: tally)
            }
        }
    }

    /// Returns a file's contents; `nil` if there is no such file, or if it is hidden.
    func contents(at place: ModelPlace) -> [String: ModelValue]? {
        let hidden = hiddenFiles(mutations: [], tally: ModelTally())
        return hidden.contains(place.source) ? nil : self[place]?.lastGood
    }

    /// Returns this layer's effective sources, low to high.
    func sources(height: Int, mutations: Set<ModelMutation>, tally: ModelTally) -> [ModelSource] {
        guard kind == .files else {
            if held.isEmpty { return [] }
            return [
                ModelSource(
                    layer: height, layerName: self.name, name: "held", entries: held, isText: kind == .text,
                    mutations: mutations)
            ]
        }
        let hidden = hiddenFiles(mutations: mutations, tally: tally)
        return directories.flatMap { directory in
            func source(_ name: String, _ file: ModelFile?) -> ModelSource? {
                if hidden.contains(directory.name + "/" + name) { return nil }
                guard let file, let entries = file.lastGood else { return nil }
                return ModelSource(
                    layer: height + (isAboveLocks(directory) ? 1 : 0), layerName: self.name,
                    name: directory.name + "/" + name, entries: entries, isText: false,
                    mutations: mutations)
            }
            let main = source(ModelPlace.mainFile, directory.main).map { [$0] } ?? []
            if main.isEmpty { tally.hit(.absentIsEmpty) }
            var names = directory.dropIns.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            if mutations.contains(.dropInsInReverse) { names.reverse() }
            let dropIns = names.compactMap { source($0, directory.dropIns[$0]) }
            return mutations.contains(.mainBeatsDropIns) ? dropIns + main : main + dropIns
        }
    }

    /// True if the locks of the layer's other directories apply to a directory.
    private func isAboveLocks(_ directory: ModelDirectory) -> Bool {
        !directory.trustsLocks && directories.contains(where: \.trustsLocks)
    }

    /// Returns the drop-ins that are not read. A link to `/dev/null` masks the same name in lower directories
    /// of the same layer, except that a mask in a directory that an environment variable names hides nothing
    /// elsewhere. Names that begin with a dot, and files other than `*.plist`, are ignored.
    private func hiddenFiles(mutations: Set<ModelMutation>, tally: ModelTally) -> Set<String> {
        var hidden: Set<String> = []
        var masked: [Bool: Set<String>] = [:]
        if mutations.contains(.masksHideEverywhere) {
            let all = Set(directories.flatMap { $0.dropIns.filter(\.value.isMask).keys })
            masked = [false: all, true: all]
        }
        for directory in directories.reversed() {
            let isAbove = isAboveLocks(directory)
            for (name, file) in directory.dropIns where file.disk != .absent {
                let isRead = isRead(name, mutations: mutations, tally: tally)
                let isMasked = masked[isAbove]?.contains(name) == true
                if isMasked, file.disk != .mask { tally.hit(.maskHidesDropIn) }
                if !isRead || isMasked && !mutations.contains(.masksAreIgnored) {
                    hidden.insert(directory.name + "/" + name)
                }
            }
            masked[isAbove, default: []].formUnion(
                directory.dropIns.filter { $0.value.isMask && !$0.key.hasPrefix(".") }.keys)
        }
        return hidden
    }

    private func isRead(_ name: String, mutations: Set<ModelMutation>, tally: ModelTally) -> Bool {
        if name.hasPrefix(".") {
            tally.hit(.dotNameIsIgnored)
            return mutations.contains(.dotNamesAreRead)
        }
        if !name.hasSuffix(".plist") { tally.hit(.otherExtensionIsIgnored) }
        return name.hasSuffix(".plist")
    }
}
