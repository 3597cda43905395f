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
        let content: [String: PrefsValue]
    }

    struct Layer: Equatable {
        /// The time at which the files were accepted.
        var time: Int64
        /// The names of the keys whose values were accepted.
        let keys: Set<String>
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
    ///   - names: The layers whose files are accepted or refused as one.
    ///   - declared: The declared keys.
    ///   - hidesSecrets: True to leave out what is secret.
    ///   - known: What was accepted before; files that are the same keep their time.
    init(
        _ snapshot: PrefsSnapshot, of names: Set<String>, _ declared: [PrefsKeyName], hidesSecrets: Bool,
        after known: AcceptedFiles
    ) {
        let keys = Set(declared.map(\.name))
        for (name, parts) in Dictionary(grouping: snapshot.state.parts, by: { $0.layer ?? "" })
        where names.contains(name) {
            let lowest = parts.map(\.height).min() ?? 0
            let files = parts.compactMap { part -> File? in
                guard let path = part.source.file else { return nil }
                let value = part.source.tree.values(of: declared)
                let shown = hidesSecrets ? snapshot.secrets.removing(from: value, at: nil) : value
                return File(path: path, height: part.height - lowest, content: shown?.dictionary ?? [:])
            }
            let time = Int64(Date.now.timeIntervalSince1970)
            layers[name] = Layer(
                time: known.layers[name].flatMap { $0.files == files ? $0.time : nil } ?? time, keys: keys,
                files: files)
        }
    }
}

extension AcceptedFiles {
    private static func file(in folder: String) -> PrefsCacheFile {
        PrefsCacheFile(
            path: "\(folder)/last-accepted", signature: "LayeredPrefs accepted files 2",
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
            guard let fields = layer.dictionary, case .integer(let time)? = fields["time"],
                case .array(let keys)? = fields["keys"], case .array(let files)? = fields["files"]
            else { throw file.damaged }
            layers[name] = Layer(
                time: Int64(clamping: time),
                keys: Set(keys.compactMap { if case .string(let key) = $0 { key } else { nil } }),
                files: files.compactMap { file in
                    guard case .string(let path)? = file.dictionary?["path"] else { return nil }
                    guard case .integer(let height)? = file.dictionary?["height"] else { return nil }
                    return File(
                        path: path, height: Int(clamping: height),
                        content: file.dictionary?["content"]?.dictionary ?? [:])
                })
        }
    }

    func save(in folder: String) throws(PrefsError) {
        let content = layers.mapValues { layer -> PrefsValue in
            let files = layer.files.map { file -> PrefsValue in
                [
                    "path": .string(file.path), "height": .integer(Int128(file.height)),
                    "content": .dictionary(file.content),
                ]
            }
            return [
                "time": .integer(Int128(layer.time)), "keys": .array(layer.keys.sorted().map { .string($0) }),
                "files": .array(files),
            ]
        }
        let payload = try PrefsFileFormat.binaryPropertyList.serialize(content)
        try Self.file(in: folder).write((payload, Int64(Date.now.timeIntervalSince1970)))
    }
}

extension LayeredPrefsStorage {
    /// The names of the layers whose files are accepted or refused as one.
    private var savedLayers: Set<String> {
        Set(layers.map(\.name.description).filter { unit(of: $0) == .version })
    }

    /// Returns the files in force, of the layers whose files are accepted or refused as one.
    func acceptedFiles(in snapshot: PrefsSnapshot, hidingSecrets: Bool, after known: AcceptedFiles)
        -> AcceptedFiles
    {
        let keys = committing.withLock { $0.composition.known.names }
        return AcceptedFiles(snapshot, of: savedLayers, keys, hidesSecrets: hidingSecrets, after: known)
    }

    /// Returns the names of the layers to start with what was accepted last because of some problems. One without a layer
    /// concerns all of them.
    func layersToRestore(because problems: [PrefsError]) -> Set<String> {
        let concerned = problems.compactMap { $0.origin?.layer }
        return concerned.count == problems.count ? savedLayers.intersection(concerned) : savedLayers
    }

    /// Takes the values of keys that are declared now, and were not saved, from the present files, if saved ones are in
    /// force in their place.
    func restore(_ names: [PrefsKeyName]) {
        let restored = restored.withLock { $0 }
        if restored.isEmpty { return }
        let layers = committing.withLock {
            $0.refused.all.filter(\.value.isSinceStart).keys.compactMap(\.layer)
        }
        note(names)
        for (saved, problems) in restored {
            _ = putInForce(
                saved, of: layersToRestore(because: problems).intersection(layers), because: problems)
        }
    }

    /// Puts saved files in force, in place of those of the layers that have problems. What the files hold now is refused,
    /// until it has no problem.
    ///
    /// - Parameters:
    ///   - saved: The files that were accepted last.
    ///   - problems: What is wrong.
    /// - Returns: The names of the layers; none if nothing was saved of them.
    func start(with saved: AcceptedFiles, because problems: [PrefsError]) -> Set<String> {
        let names = layersToRestore(because: problems).intersection(saved.layers.keys)
        if names.isEmpty { return [] }
        restored.withLock { $0.append((saved, problems)) }
        _ = checks.withLock { $0.add(unreadableFiles(in: names)) }
        return putInForce(saved, of: names, because: problems)
    }

    private func putInForce(
        _ saved: AcceptedFiles, of layers: Set<String>, because problems: [PrefsError]
    ) -> Set<String> {
        let names = layers.intersection(saved.layers.keys)
        guard !names.isEmpty, turn.begin(within: Self.turnTimeout) else { return [] }
        let inForce = committedSnapshot
        let newest = committing.withLock { $0.composition.last }.state.parts
        let restored = inForce.with { state in
            state.parts = PrefsSnapshot.Parts(
                groups: state.parts.groups.map { group in
                    guard let layer = group.parts.first?.layer, names.contains(layer),
                        let accepted = saved.layers[layer]
                    else { return group }
                    let lowest = group.parts.map(\.height).min() ?? 0
                    return PrefsSnapshot.Parts.Group(
                        accepted.files.map { file in
                            let name = RefusedVersions.Name(layer: layer, file: file.path)
                            return PrefsSnapshot.Part(
                                source: source(of: file, accepted.keys, replacing: newest[name]),
                                layer: layer,
                                height: lowest + file.height)
                        })
                })
            state.lockWhatIsInForce()
        }
        var refusals: [RefusedVersions.Name: RefusedVersions.Refusal] = [:]
        for parts in [inForce.state.parts, restored.state.parts] {
            for part in parts where part.layer.map(names.contains) == true {
                let name = RefusedVersions.Name(part)
                var refusal = RefusedVersions.Refusal(version: newest[name])
                refusal.isSinceStart = true
                for var problem in problems
                where problem.origin?.layer == nil || problem.origin?.layer == name.layer {
                    // What is wrong with the whole is no file's problem.
                    problem.origin = problem.origin ?? PrefsOrigin(layer: name.layer ?? "")
                    refusal.add(problem)
                }
                refusals[name] = refusal
            }
        }
        putInForce(restored, refusing: refusals)
        return names
    }

    /// Returns a source with the contents of a saved file. What was left out of it, because it is secret or was not
    /// declared, is taken from the present file, if that has it.
    private func source(
        of file: AcceptedFiles.File, _ keys: Set<String>, replacing present: PrefsSource?
    ) -> PrefsSource {
        guard let present else { return PrefsSource(file.content, file: file.path) }
        var content = PrefsValue.dictionary(file.content)
        let names = committing.withLock { $0.composition.known.names }
        for name in names where name.isSecret || !keys.contains(name.name) {
            for path in name.paths where content.value(at: path.components[...]) == nil {
                guard let found = present.tree.value(at: path), !found.isRejected else { continue }
                content.insert(found.value, at: path.components[...])
            }
        }
        return PrefsSource(content.dictionary ?? [:], file: file.path)
    }

    /// Returns a check that refuses the files of some layers as long as one of them has never been readable.
    private func unreadableFiles(in names: Set<String>) -> CandidateCheck {
        CandidateCheck { [weak self] _, _, _, isWrite in
            guard let self, !isWrite else { return [] }
            return status.compactMap { source in
                guard let layer = source.layer, names.contains(layer), source.lastGood == nil,
                    let problem = source.problem
                else { return nil }
                let place = CandidateCheck.Problem.Place.value(
                    PrefsPath(components: []), of: PrefsKeyName(""),
                    in: RefusedVersions.Name(layer: layer, file: source.file), hasAccepted: true)
                return CandidateCheck.Problem(place: place, error: problem)
            }
        }
    }
}

extension PrefsTree {
    /// Returns the values of some keys, by key path.
    fileprivate func values(of keys: [PrefsKeyName]) -> PrefsValue {
        var values = PrefsValue.dictionary([:])
        for path in keys.lazy.flatMap(\.paths) {
            guard let found = value(at: path), !found.isRejected else { continue }
            values.insert(found.value, at: path.components[...])
        }
        return values
    }
}
