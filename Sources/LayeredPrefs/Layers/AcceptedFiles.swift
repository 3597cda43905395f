import FoundationEssentials
import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// The files of a stack as the program accepted them last, which are saved for its next start.
struct AcceptedFiles: Equatable {
    struct File: Equatable {
        let path: String
        let content: [String: PrefsValue]
    }

    struct Layer: Equatable {
        /// The time at which the files were accepted.
        var time: Int64
        /// The files, the most important one first.
        let files: [File]
    }

    /// The layers by name.
    private(set) var layers: [String: Layer] = [:]

    init() {}

    /// Takes the files from a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The contents in force.
    ///   - names: The layers whose files are accepted or refused as one.
    ///   - hidesSecrets: True to leave out what the snapshot knows to be secret.
    ///   - known: What was accepted before; files that are the same keep their time.
    init(_ snapshot: PrefsSnapshot, of names: Set<String>, hidesSecrets: Bool, after known: AcceptedFiles) {
        for (name, parts) in Dictionary(grouping: snapshot.state.parts, by: { $0.layer ?? "" })
        where names.contains(name) {
            let files = parts.compactMap { part -> File? in
                guard let path = part.source.file else { return nil }
                let value = part.source.root.value
                let shown = hidesSecrets ? snapshot.secrets.removing(from: value, at: nil) : value
                return File(path: path, content: shown?.dictionary ?? [:])
            }
            let time = Int64(Date.now.timeIntervalSince1970)
            layers[name] = Layer(
                time: known.layers[name].flatMap { $0.files == files ? $0.time : nil } ?? time, files: files)
        }
    }
}

extension AcceptedFiles {
    private static func file(in folder: String) -> PrefsCacheFile {
        PrefsCacheFile(
            path: "\(folder)/last-accepted", signature: "LayeredPrefs accepted files 1",
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
                case .array(let files)? = fields["files"]
            else { throw file.damaged }
            layers[name] = Layer(
                time: Int64(clamping: time),
                files: files.compactMap { file in
                    guard case .string(let path)? = file.dictionary?["path"] else { return nil }
                    return File(path: path, content: file.dictionary?["content"]?.dictionary ?? [:])
                })
        }
    }

    func save(in folder: String) throws(PrefsError) {
        let content = layers.mapValues { layer -> PrefsValue in
            let files = layer.files.map { file -> PrefsValue in
                ["path": .string(file.path), "content": .dictionary(file.content)]
            }
            return ["time": .integer(Int128(layer.time)), "files": .array(files)]
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
        AcceptedFiles(snapshot, of: savedLayers, hidesSecrets: hidingSecrets, after: known)
    }

    /// Returns the names of the layers to start with what was accepted last because of some problems. One without a layer
    /// concerns all of them.
    func layersToRestore(because problems: [PrefsError]) -> Set<String> {
        let concerned = problems.compactMap { $0.origin?.layer }
        return concerned.count == problems.count ? savedLayers.intersection(concerned) : savedLayers
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
        guard !names.isEmpty, turn.begin(within: Self.turnTimeout) else { return [] }
        let inForce = committedSnapshot
        let restored = inForce.with { state in
            state.parts = PrefsSnapshot.Parts(
                groups: state.parts.groups.map { group in
                    guard let part = group.parts.first, let layer = part.layer, names.contains(layer),
                        let files = saved.layers[layer]?.files
                    else { return group }
                    return PrefsSnapshot.Parts.Group(
                        files.map { file in
                            PrefsSnapshot.Part(
                                source: source(of: file, replacing: group, inForce), layer: layer,
                                height: part.height)
                        })
                })
        }
        var refusals: [RefusedVersions.Name: RefusedVersions.Refusal] = [:]
        for parts in [inForce.state.parts, restored.state.parts] {
            for part in parts where part.layer.map(names.contains) == true {
                let name = RefusedVersions.Name(part)
                var refusal = RefusedVersions.Refusal(version: inForce.state.parts[name])
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
        _ = checks.withLock { $0.add(unreadableFiles(in: names)) }
        putInForce(restored, refusing: refusals)
        return names
    }

    /// Returns a source with the contents of a saved file. What was left out of it because it is secret is taken from the
    /// present file, if that has it.
    private func source(
        of file: AcceptedFiles.File, replacing group: PrefsSnapshot.Parts.Group, _ snapshot: PrefsSnapshot
    ) -> PrefsSource {
        guard let present = group.parts.first(where: { $0.source.file == file.path })?.source else {
            return PrefsSource(file.content, file: file.path)
        }
        var content = PrefsValue.dictionary(file.content)
        let names = committing.withLock { $0.composition.known.names }
        for name in names where name.isSecret {
            for path in name.paths where content.value(at: path.components[...]) == nil {
                guard let secret = present.tree.value(at: path)?.value else { continue }
                content.insert(secret, at: path.components[...])
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
