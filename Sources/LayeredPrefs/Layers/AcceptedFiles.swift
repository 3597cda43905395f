import FoundationEssentials
import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// The files of a stack as the program accepted them last, which are saved for its next start.
struct AcceptedFiles: Equatable {
    struct File: Equatable {
        let path: String
        /// The height above the lowest file of the layer: locks hold against the files of higher folders.
        let height: Int
        /// The values, by the names of their paths.
        var values: [String: PrefsValue] = [:]
        /// The names of the paths of the dictionaries around the saved paths, even empty ones.
        var tables: Set<String> = []
    }

    struct Layer: Equatable {
        /// The time at which the files were accepted.
        let time: Int64
        /// The paths of the main files, whether they exist or not; none if the storage does not state them.
        let places: Set<String>
        /// The names of the paths that were saved: what a file has no value of had none.
        let paths: Set<String>
        /// The names of the secrets that had values, which were not saved.
        let secrets: Set<String>
        /// The files, the most important one first.
        let files: [File]
    }

    /// The layers by name.
    private(set) var layers: [String: Layer] = [:]

    init() {}

    /// Takes the values of declared keys from a snapshot: whether others are secret is not known yet.
    ///
    /// - Parameters:
    ///   - snapshot: The contents in force.
    ///   - places: The layers whose files are accepted or refused as one, and the paths of their main files.
    ///   - declared: The declared keys.
    ///   - secrets: The secrets to leave out.
    ///   - known: What was accepted before; files that are the same keep their time.
    ///   - restored: The layers that are as they were accepted before, but for the secrets that they lack.
    init(
        _ snapshot: PrefsSnapshot, of places: [String: Set<String>], _ declared: [PrefsKeyName],
        hiding secrets: SecretPaths, after known: AcceptedFiles, restored: Set<String>
    ) {
        let all = declared.flatMap { key in key.paths.map { (key, $0) } }
        let keys = all.filter { !secrets.touches($1) }
        let hidden = all.filter { secrets.covers($1) }
        // What stands at a section are the values of other keys.
        let paths = keys.filter { !$0.isSection(.dictionary([:]), at: $1) }.map(\.1)
        let tables = Set(paths.flatMap(\.ancestors))
        for (name, parts) in Dictionary(grouping: snapshot.state.parts, by: { $0.layer ?? "" }) {
            guard let places = places[name], parts.allSatisfy(\.source.isSavedFile) else { continue }
            let lowest = parts.map(\.height).min() ?? 0
            let files = parts.map { part in
                var file = File(path: part.source.file ?? "", height: part.height - lowest)
                for (key, path) in keys {
                    file.values[path.name] = part.source.value(of: key, at: path)
                }
                file.tables = Set(
                    tables.filter { part.source.tree.acceptableValue(at: $0)?.kind == .dictionary }
                        .map(\.name))
                return file
            }
            let present = hidden.filter { key, path in
                parts.contains { $0.source.value(of: key, at: path) != nil }
            }
            let missing = restored.contains(name) ? known.layers[name]?.secrets ?? [] : []
            let time = Int64(Date.now.timeIntervalSince1970)
            layers[name] = Layer(
                time: known.layers[name].flatMap { $0.files == files ? $0.time : nil } ?? time,
                places: places, paths: Set(paths.map(\.name)), secrets: missing.union(present.map(\.0.name)),
                files: files)
        }
    }
}

extension PrefsSource {
    /// True for a file whose contents are a tree of values.
    fileprivate var isSavedFile: Bool { file != nil && !holdsVariables && !isText }

    /// Returns the value of a key at one of its paths; `nil` if there is none, or a section with other keys.
    fileprivate func value(of key: PrefsKeyName, at path: PrefsPath) -> PrefsValue? {
        guard let value = tree.acceptableValue(at: path), !key.isSection(value, at: path) else { return nil }
        return value
    }
}

extension AcceptedFiles {
    private static func file(in folder: String) -> PrefsCacheFile {
        PrefsCacheFile(
            path: "\(folder)/last-accepted", signature: "LayeredPrefs accepted files 3",
            limit: PrefsLimits.standard.fileSize * 2, name: "the last accepted settings")
    }

    /// Reads what was saved in a folder; `nil` if there is nothing.
    init?(savedIn folder: String) throws(PrefsError) {
        let file = Self.file(in: folder)
        guard let (payload, _) = try file.read() else { return nil }
        guard let document = try? PrefsDocument(parsing: payload, as: .binaryPropertyList),
            let saved = document.root.value.dictionary
        else { throw file.damaged }
        for (name, layer) in saved {
            guard let layer = Layer(layer) else { throw file.damaged }
            layers[name] = layer
        }
    }

    /// Removes the layers of which other files were saved than those of a stack: they are those of another program.
    ///
    /// - Throws: ``PrefsError`` after that, if there were some.
    mutating func removeForeign(
        from folder: String, of storage: PrefsStack
    ) throws(PrefsError) {
        let places = storage.savedPlaces
        let foreign = layers.filter { name, layer in
            guard let own = places[name], !own.isEmpty else { return false }
            return own.isDisjoint(with: layer.places)
        }
        for name in foreign.keys { layers[name] = nil }
        guard let file = foreign.values.flatMap(\.places).min() else { return }
        throw PrefsError(
            .ambiguous, origin: PrefsOrigin(file: folder),
            reason: """
                the last accepted settings belong to other files (\(file)), so they are not used; give each program \
                its own folder
                """)
    }

    func save(in folder: String) throws(PrefsError) {
        let content = layers.mapValues(\.stored)
        let payload = try PrefsFileFormat.binaryPropertyList.serialize(content)
        try Self.file(in: folder).write((payload, Int64(Date.now.timeIntervalSince1970)))
    }
}

extension AcceptedFiles.Layer {
    /// The times that have a date with a year of four digits.
    private static let times: ClosedRange<Int128> = 0...253_402_300_799

    fileprivate init?(_ stored: PrefsValue) {
        guard let fields = stored.dictionary, case .integer(let time)? = fields["time"],
            Self.times.contains(time), let places = fields["places"]?.strings,
            let paths = fields["paths"]?.strings,
            case .array(let stored)? = fields["files"]
        else { return nil }
        let files = stored.compactMap(AcceptedFiles.File.init)
        if files.count < stored.count { return nil }
        // Earlier versions did not save these names.
        let secrets = fields["secrets"]?.strings ?? []
        self.init(time: Int64(time), places: places, paths: paths, secrets: secrets, files: files)
    }

    fileprivate var stored: PrefsValue {
        [
            "time": .integer(Int128(time)), "places": .strings(places), "paths": .strings(paths),
            "secrets": .strings(secrets), "files": .array(files.map(\.stored)),
        ]
    }
}

extension AcceptedFiles.File {
    fileprivate init?(_ stored: PrefsValue) {
        guard let fields = stored.dictionary, case .string(let path)? = fields["path"],
            case .integer(let height)? = fields["height"], Self.heights.contains(height),
            let values = fields["values"]?.dictionary, let tables = fields["tables"]?.strings
        else { return nil }
        self.init(path: path, height: Int(height), values: values, tables: tables)
    }

    /// The heights that a layer's folders may have; added to another height, none overflows.
    private static let heights: ClosedRange<Int128> = 0...Int128(Int32.max)

    fileprivate var stored: PrefsValue {
        [
            "path": .string(path), "height": .integer(Int128(height)), "values": .dictionary(values),
            "tables": .strings(tables),
        ]
    }
}

extension PrefsValue {
    fileprivate static func strings(_ strings: Set<String>) -> PrefsValue {
        .array(strings.sorted().map { .string($0) })
    }

    /// The elements of an array of strings; `nil` if it is none.
    fileprivate var strings: Set<String>? {
        guard case .array(let elements) = self else { return nil }
        let strings = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
        return strings.count == elements.count ? Set(strings) : nil
    }
}

extension PrefsStack {
    /// The layers whose files are accepted or refused as one, by name, and the paths of their main files.
    var savedPlaces: [String: Set<String>] {
        let saved = layers.filter { $0.rejectionScope == .source }
        return Dictionary(saved.map { ($0.name.description, $0.mainPaths) }) { first, _ in first }
    }

    /// Returns true if two snapshots have the same contents of the files that are saved.
    func haveSameSavedFiles(_ old: PrefsSnapshot, _ new: PrefsSnapshot) -> Bool {
        !old.state.parts.names(differingIn: new.state.parts).contains {
            rejectionScope(of: $0.layer) == .source
        }
    }

    /// Returns the files in force, of the layers whose files are accepted or refused as one.
    func acceptedFiles(in snapshot: PrefsSnapshot, hidingSecrets: Bool, after known: AcceptedFiles)
        -> AcceptedFiles
    {
        let keys = committing.withLock { $0.composition.known.names }
        let secrets = hidingSecrets ? secrets(in: snapshot) : SecretPaths()
        return AcceptedFiles(
            snapshot, of: savedPlaces, keys, hiding: secrets, after: known, restored: restoredLayers)
    }

    /// Returns the names of the secrets that a layer had when it was accepted, and that neither it nor a higher layer has
    /// now that it is as it was saved.
    func missingSecrets(of layer: String, in saved: AcceptedFiles) -> [String] {
        let snapshot = committedSnapshot
        let layers = snapshot.state.parts.map(\.layer)
        let places = Set(layers.prefix((layers.lastIndex(of: layer) ?? -1) + 1))
        let names = saved.layers[layer]?.secrets ?? []
        let declared = committing.withLock { $0.composition.known.names }.filter { names.contains($0.name) }
        return declared.filter { key in
            !snapshot.candidates(for: key).contains {
                $0.rejection == nil && places.contains($0.origin.layer)
            }
        }.map(\.name).sorted()
    }

    /// Returns the names of the layers to start with what was accepted last because of some problems. One without a layer
    /// concerns all of them.
    private func layersToRestore(because problems: [PrefsError]) -> Set<String> {
        let concerned = problems.compactMap { $0.origin?.layer }
        let saved = Set(savedPlaces.keys)
        return concerned.count == problems.count ? saved.intersection(concerned) : saved
    }

    /// Puts saved files in force, in place of those of the layers that have problems. What the files hold now is refused,
    /// until it has no problem.
    ///
    /// - Parameters:
    ///   - saved: The files that were accepted last.
    ///   - problems: What is wrong.
    ///   - place: Returns a problem that belongs to no single layer with the place of its key's value, for the reports.
    ///   - isRight: Returns true if the program can start with contents in which some layers are as they were accepted;
    ///     otherwise nothing changes. It may run code of the program.
    /// - Returns: The names of the layers; none if nothing was put in force.
    func start(
        with saved: AcceptedFiles, because problems: [PrefsError],
        locating place: (PrefsError) -> PrefsError = { $0 },
        if isRight: (_ contents: PrefsSnapshot, _ layers: Set<String>) -> Bool
    ) -> Set<String> {
        let names = layersToRestore(because: problems).intersection(saved.layers.keys)
        guard !names.isEmpty, turn.begin(within: Self.turnTimeout) else { return [] }
        let inForce = committedSnapshot.withoutConstraintRejections
        let (newest, refused) = committing.withLock { ($0.composition.last.state.parts, $0.refused.all) }
        let versions = Dictionary(newest.map { (RefusedVersions.Name($0), $0.source) }) { first, _ in first }
        let restored = inForce.with { state in
            // A candidate has no generation.
            state.generation = 0
            state.parts = PrefsSnapshot.Parts(
                groups: zip(state.parts.groups, newest.groups).map { inForce, newest in
                    guard let layer = (newest.parts.first ?? inForce.parts.first)?.layer,
                        names.contains(layer),
                        let accepted = saved.layers[layer]
                    else { return inForce }
                    return accepted.group(in: layer, replacing: newest)
                })
            state.lockWhatIsInForce()
        }
        // What is wrong with other layers, or was refused of them, stays so.
        var refusals = refused.filter { name, _ in !(name.layer.map(names.contains) ?? false) }
        for parts in [inForce.state.parts, restored.state.parts] {
            for part in parts where part.layer.map(names.contains) == true {
                let name = RefusedVersions.Name(part)
                refusals[name] = .sinceStart(name, versions[name], because: problems, locating: place)
            }
        }
        return putInForce(restored, refusing: refusals, if: { isRight($0, names) }) ? names : []
    }
}

extension PrefsLayer {
    /// The paths of the main files, whether they exist or not.
    fileprivate var mainPaths: Set<String> {
        switch storage {
        case let storage as FilePrefsStorage: Set(storage.mainPaths)
        case let storage as SystemPrefsStorage: Set(storage.mainPaths)
        default: []
        }
    }
}

extension RefusedVersions.Refusal {
    /// Returns the refusal of a version in whose place the program has started with what was accepted last.
    fileprivate static func sinceStart(
        _ name: RefusedVersions.Name, _ version: PrefsSource?, because problems: [PrefsError],
        locating place: (PrefsError) -> PrefsError
    ) -> Self {
        var refusal = Self(version: version)
        refusal.isSinceStart = true
        for problem in problems where problem.origin?.layer == nil || problem.origin?.layer == name.layer {
            var problem = place(problem)
            // What is wrong with the whole is no file's problem, unless it has a key.
            problem.origin = problem.origin ?? PrefsOrigin(layer: name.layer ?? "")
            refusal.add(problem)
        }
        return refusal
    }
}

extension AcceptedFiles.Layer {
    /// Returns the files of a layer as they were accepted.
    ///
    /// - Parameter present: The files as they are now.
    fileprivate func group(in layer: String, replacing present: PrefsSnapshot.Parts.Group)
        -> PrefsSnapshot.Parts.Group
    {
        let lowest = present.parts.map(\.height).min() ?? 0
        let isMergedByName = present.parts.contains(where: \.isMergedByName)
        let saved = files.map { file in
            PrefsSnapshot.Part(
                source: source(of: file, replacing: nil), layer: layer, height: lowest + file.height,
                isMergedByName: isMergedByName && !places.contains(file.path))
        }
        let byName = Dictionary(files.map { (RefusedVersions.Name(layer: layer, file: $0.path), $0) }) {
            first, _ in first
        }
        let parts = present.parts.map { part in
            // One that is new has none of the values that would be saved.
            let accepted =
                byName[RefusedVersions.Name(part)]
                ?? AcceptedFiles.File(path: part.source.file ?? "", height: 0)
            var part = part
            (part.source, part.layer) = (source(of: accepted, replacing: part.source), layer)
            return part
        }
        let gone = Set(saved.map(RefusedVersions.Name.init)).subtracting(parts.map(RefusedVersions.Name.init))
        return PrefsSnapshot.Parts.keeping(gone, in: parts, of: PrefsSnapshot.Parts.Group(saved))
    }

    /// Returns a file as it was accepted. What was not saved of it, because it is secret or was not declared, is as in
    /// the present file, if that can be read.
    private func source(of file: AcceptedFiles.File, replacing present: PrefsSource?) -> PrefsSource {
        let paths = paths.map { PrefsPath($0) }.sorted {
            ($0.components.count, $0.name) < ($1.components.count, $1.name)
        }
        let outer = Set(paths.flatMap(\.ancestors)).filter { !self.paths.contains($0.name) }
        var content = FileContent(present)
        for path in outer where content[path].map({ $0.kind != .dictionary }) ?? false {
            content.remove(path)
        }
        for path in paths { content.replace(path, with: file.values[path.name]) }
        for path in outer.sorted(by: { $0.components.count > $1.components.count }) {
            if let value = file.values[path.name] {
                // That of a former name, above the present one.
                content.replace(path, with: value)
            } else if file.tables.contains(path.name) {
                if content[path] == nil { content.replace(path, with: .dictionary([:])) }
            } else if content[path]?.dictionary?.isEmpty == true {
                content.remove(path)
            }
        }
        return PrefsSource(content.spelled, file: file.path)
    }
}

/// The values of a file that are replaced by path, whichever spelling the file has.
private struct FileContent {
    private var content: PrefsValue

    init(_ source: PrefsSource?) { content = source?.spelled.value ?? .dictionary([:]) }

    var spelled: PrefsContent { .value(content) }

    /// The value at a path; `nil` if there is none.
    subscript(path: PrefsPath) -> PrefsValue? {
        guard let found = PrefsSource(spelled).tree.value(at: path), !found.isBlocked else { return nil }
        return found.value
    }

    /// Removes the value of a path, but not those that other literal keys put below it.
    mutating func remove(_ path: PrefsPath) {
        for spelling in path.spellings { content.remove(at: spelling.components[...]) }
    }

    /// Replaces everything at and below a path, which the literal key then spells.
    mutating func replace(_ path: PrefsPath, with value: PrefsValue?) {
        for (key, _) in spelled.entries where PrefsPath.isNested(key) && path.contains(PrefsPath(key)) {
            content.remove(at: [key])
        }
        remove(path)
        if let value { content.insert(value, at: [path.literalKey]) }
    }
}
