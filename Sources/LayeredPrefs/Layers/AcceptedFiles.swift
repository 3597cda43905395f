import FoundationEssentials
import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// The last known good files of a stack, saved for the program's next start.
struct AcceptedFiles {
    /// The files that were active, by layer, the most important file first. Absent files are included. Files that
    /// others hid or masked are left out, so they stay inactive after a start with these files.
    var layers: [String: [AcceptedFile]] = [:]
    /// The time when the files were saved.
    private(set) var time = Date.now

    init() {}

    private static func file(in folder: String) -> PrefsCacheFile {
        PrefsCacheFile(
            path: "\(folder)/last-accepted", signature: "LayeredPrefs accepted files 4",
            limit: limits.fileSize, name: "the last accepted settings")
    }

    /// The limits of the saved file, which may contain several large files.
    private static let limits = PrefsLimits(fileSize: PrefsLimits.standard.fileSize * 2)
    /// The times from 1970 to the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// Reads the files that were saved in a folder; `nil` if there are none.
    init?(savedIn folder: String) throws(PrefsError) {
        let file = Self.file(in: folder)
        guard let (payload, seconds) = try file.read() else { return nil }
        guard Self.times.contains(seconds),
            let document = try? PrefsDocument(
                parsing: payload, as: .binaryPropertyList, limits: Self.limits),
            let saved = try? PrefsValueDecoder().decode(
                [String: [AcceptedFile]].self, from: document.root.value)
        else { throw file.damaged }
        (layers, time) = (saved, Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    func save(in folder: String) throws(PrefsError) {
        let content = (try? PrefsValueEncoder().encode(layers))??.dictionary ?? [:]
        let payload = try PrefsFileFormat.binaryPropertyList.serialize(content)
        try Self.file(in: folder).write((payload, Int64(time.timeIntervalSince1970)))
    }

    /// Removes the layers whose saved files do not belong to the stack, because another program has saved them.
    ///
    /// - Throws: ``PrefsError`` if there were such layers, after they have been removed.
    mutating func removeForeign(
        from folder: String, of storage: PrefsStack
    ) throws(PrefsError) {
        let own = storage.savedStorages
        let foreign = layers.filter { name, files in
            own[name].map { Set($0.mainPaths).isDisjoint(with: files.map(\.path)) } ?? false
        }
        for name in foreign.keys { layers[name] = nil }
        guard let file = foreign.values.joined().map(\.path).min() else { return }
        throw PrefsError(
            .ambiguous, origin: PrefsOrigin(file: folder),
            reason: """
                the last accepted settings belong to other files (\(file)), so they are not used; give each program \
                its own folder
                """)
    }
}

/// A storage of files that are saved, because they are accepted or rejected together.
protocol AcceptedFileStorage {
    /// The paths of the main files, whether they exist or not.
    var mainPaths: [String] { get }
    var options: FilePrefsStorage.Options { get }
}

extension FilePrefsStorage: AcceptedFileStorage {}
extension SystemPrefsStorage: AcceptedFileStorage {}

extension PrefsStack {
    /// The storages whose files are saved, by the names of their layers.
    fileprivate var savedStorages: [String: any AcceptedFileStorage] {
        let saved = layers.filter { $0.rejectionScope == .source }.compactMap { layer in
            (layer.storage as? any AcceptedFileStorage).map { (layer.name.description, $0) }
        }
        return Dictionary(saved) { first, _ in first }
    }

    /// Returns true if the files that are saved have the same contents in two snapshots.
    func haveSameSavedFiles(_ old: PrefsSnapshot, _ new: PrefsSnapshot) -> Bool {
        !old.state.parts.names(differingIn: new.state.parts).contains {
            engine.rejectionScope(of: $0.layer) == .source
        }
    }

    /// Returns copies of the active files, and the problems of layers that cannot be saved.
    ///
    /// - Parameter known: The files that were saved before.
    func acceptedFiles(in snapshot: PrefsSnapshot, hidingSecrets: Bool, after known: AcceptedFiles)
        -> (files: AcceptedFiles, problems: [PrefsError])
    {
        let keys = engine.state.withLock { $0.composition.known }
        let search = hidingSecrets ? SecretSearch(secrets: secrets(in: snapshot), known: keys) : nil
        let (saved, restored) = (savedStorages, engine.restoredLayers)
        var (accepted, problems) = (AcceptedFiles(), [] as [PrefsError])
        for group in snapshot.state.parts.groups {
            guard let layer = group.parts.first?.layer, saved[layer] != nil else { continue }
            let (before, lowest) = (known.layers[layer] ?? [], group.lowest)
            do throws(PrefsError) {
                var files: [AcceptedFile] = []
                for part in group.parts {
                    let height = part.height - lowest
                    var file = try AcceptedFile(of: part.source, at: height, without: search)
                    if restored.contains(layer) { file.lackSecrets(of: before) }
                    files.append(file)
                }
                accepted.layers[layer] = files
            } catch {
                var problem = error
                problem.origin?.layer = layer
                problems.append(problem)
            }
        }
        return (accepted, problems)
    }

    /// Returns the names of the keys whose secrets were removed from a layer's saved files, if neither this layer
    /// nor a higher one has an acceptable value now.
    func missingSecrets(of layer: String, in saved: AcceptedFiles) -> [String] {
        let removed = (saved.layers[layer] ?? []).flatMap { $0.removed.map { PrefsPath($0) } }
        if removed.isEmpty { return [] }
        let snapshot = committedSnapshot
        let layers = snapshot.state.parts.map(\.layer)
        let places = Set(layers.prefix((layers.lastIndex(of: layer) ?? -1) + 1))
        let declared = engine.state.withLock { $0.composition.known.names }
        return declared.filter { key in
            key.paths.contains { path in removed.contains { $0.contains(path) || path.contains($0) } }
                && !snapshot.candidates(for: key).contains {
                    $0.rejection == nil && places.contains($0.origin.layer)
                }
        }.map(\.name).sorted()
    }

    /// Makes saved files active instead of the files of layers with problems. The present files are rejected until
    /// their problems are fixed.
    ///
    /// Key locks are read from the present locks files.
    ///
    /// - Parameters:
    ///   - saved: The last known good files.
    ///   - problems: The problems. A problem without a layer concerns all layers.
    ///   - place: Adds the place of its key's value to a problem that belongs to no single layer.
    ///   - isRight: Returns true if the program can start with contents that have saved files in some layers. If
    ///     it returns false, nothing changes. It may run the program's code.
    /// - Returns: The names of the layers with saved files. The set is empty if nothing was changed.
    func start(
        with saved: AcceptedFiles, because problems: [PrefsError],
        locating place: (PrefsError) -> PrefsError = { $0 },
        if isRight: (_ contents: PrefsSnapshot, _ layers: Set<String>) -> Bool
    ) -> Set<String> {
        let (storages, concerned) = (savedStorages, Set(problems.map(\.origin?.layer)))
        guard !saved.layers.isEmpty, engine.lock.acquire(within: CommitEngine.lockTimeout) else { return [] }
        let active = committedSnapshot
        let (newest, rejected) = engine.state.withLock { ($0.composition.last.state.parts, $0.rejected.all) }
        var (groups, names) = (active.state.parts.groups, Set<String>())
        for (index, group) in newest.groups.enumerated() {
            guard let name = (group.parts.first ?? groups[index].parts.first)?.layer,
                concerned.contains(name) || concerned.contains(nil),
                let files = saved.layers[name], let storage = storages[name]
            else { continue }
            do throws(PrefsError) {
                groups[index] = try group.replaced(by: files, in: name, storage.options)
                names.insert(name)
            } catch {
                engine.reporter.queue.add { [diagnostics] in diagnostics.report(.warning, error) }
            }
        }
        let restored = active.with { state in
            // A candidate has no generation.
            (state.generation, state.parts) = (0, PrefsSnapshot.Parts(groups: groups))
            state.lockActiveKeys()
        }
        let versions = Dictionary(newest.map { (RejectedRevisions.Name($0), $0.source) }) { first, _ in first
        }
        // The rejections of other layers stay.
        var rejections = rejected.filter { name, _ in !(name.layer.map(names.contains) ?? false) }
        for parts in [active.state.parts, restored.state.parts] {
            for part in parts where part.layer.map(names.contains) == true {
                let name = RejectedRevisions.Name(part)
                rejections[name] = .sinceStart(name, versions[name], because: problems, locating: place)
            }
        }
        let isActive = engine.activate(restored, rejecting: rejections) {
            !names.isEmpty && isRight($0, names)
        }
        if !isActive { engine.reporter.queue.drain() }
        return isActive ? names : []
    }
}

extension PrefsSnapshot.Parts.Group {
    fileprivate var lowest: Int { parts.map(\.height).min() ?? 0 }

    /// Returns saved files as the sources of the layer.
    ///
    /// - Throws: ``PrefsError`` if the program can no longer read one of them.
    fileprivate func replaced(
        by files: [AcceptedFile], in layer: String, _ options: FilePrefsStorage.Options
    ) throws(PrefsError) -> PrefsSnapshot.Parts.Group {
        let (present, lowest) = (sources, lowest)
        var parts: [PrefsSnapshot.Part] = []
        for file in files {
            let now = present[PrefsSnapshot.Part.Name(layer: layer, file: file.path)]
            let source = try file.source(options, takingSecretsOf: now)
            parts.append(.init(source: source, layer: layer, height: lowest + Int(file.height)))
        }
        return PrefsSnapshot.Parts.Group(parts)
    }
}

extension RejectedRevisions.Rejection {
    /// Returns the rejection of a revision that saved files have replaced at the start.
    fileprivate static func sinceStart(
        _ name: RejectedRevisions.Name, _ revision: PrefsSource?, because problems: [PrefsError],
        locating place: (PrefsError) -> PrefsError
    ) -> Self {
        var rejection = Self(revision: revision)
        rejection.isSinceStart = true
        for problem in problems where problem.origin?.layer == nil || problem.origin?.layer == name.layer {
            var problem = place(problem)
            // A problem of the whole configuration belongs to no file, unless it names a key.
            problem.origin = problem.origin ?? PrefsOrigin(layer: name.layer ?? "")
            rejection.add(problem)
        }
        return rejection
    }
}
