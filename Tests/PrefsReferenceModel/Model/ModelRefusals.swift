/// The refused parts of the newest contents, in whose place something earlier stays in force.
struct ModelRefusals: Sendable, Hashable {
    /// The files of directories whose newest versions are refused, by the directory's main file: these stay in force.
    var directories: [ModelPlace: ModelDirectory] = [:]
    /// The files that would be others without a refusal.
    var versions: [ModelPlace: ModelRefusedVersion] = [:]
    /// The values, of layers whose unit is the key, that stay in place of newer ones.
    var kept: [ModelPlace: [ModelKeptValue]] = [:]

    /// The layers and sources of which something is refused.
    var sources: Set<[String]> {
        Set((Array(versions.keys) + kept.keys).map { [$0.layer, $0.source] })
    }

    var isEmpty: Bool { directories.isEmpty && versions.isEmpty && kept.isEmpty }

    /// Returns true if a problem is one of the contents in force as well.
    ///
    /// A value that is refused stays a new one, even if another file of the layer has it as well.
    func isKnown(_ problem: ModelProblem, among known: [ModelProblem]) -> Bool {
        if keepsValue(of: problem), !known.contains(where: { $0.isAtPlace(of: problem) }) { return false }
        // To uncover a wrong value makes it a problem.
        return known.contains { $0.isSame(as: problem) && (!$0.isShadowed || problem.isShadowed) }
    }

    /// Returns true if a file's value is refused.
    private func keepsValue(of problem: ModelProblem) -> Bool {
        kept.contains { place, values in
            place.layer == problem.layer && place.source == problem.source
                && values.contains { $0.path.covers(problem.path) }
        }
    }

    /// Returns the layers with what is in force in place of what is refused.
    func applied(to layers: [ModelLayer]) -> [ModelLayer] {
        if isEmpty { return layers }
        return layers.map { layer in
            var layer = layer
            for index in layer.directories.indices {
                guard let inForce = directories[layer.folder(index)] else { continue }
                (layer.directories[index].main, layer.directories[index].dropIns) = (
                    inForce.main, inForce.dropIns
                )
            }
            for (place, values) in kept where place.layer == layer.name {
                let newest = layer[place]?.lastGood ?? [:]
                // What a kept value has below it is in force with it.
                let values = values.filter { value in
                    !values.contains { $0.path.isAncestor(of: value.path) }
                }
                layer[place]?.lastGood = values.reduce(newest) { $1.patching($0) }
            }
            return layer
        }
    }
}

/// The version of a file that is refused.
struct ModelRefusedVersion: Sendable, Hashable {
    /// The newest contents, by which the version is recognised; `nil` if the file is gone.
    let newest: [String: ModelValue]?
    let problems: [ModelProblem]
}

/// A value that stays in force in place of a newer one of the same file.
struct ModelKeptValue: Sendable, Hashable {
    let path: ModelPath
    /// `nil` if the file had none.
    let inForce: ModelValue?
    /// The problem of the newer one.
    let problem: ModelProblem

    /// Returns the entries of a file with the value in place of what they have at the path, and below it.
    func patching(_ entries: [String: ModelValue]) -> [String: ModelValue] {
        var entries = entries.filter { !path.isAncestor(of: ModelPath($0.key)) || !$0.key.contains(".") }
        let literal = path.prefixes.last { $0.components.count > 1 && entries[$0.description] != nil }
        let place = literal.map { [$0.description] + $0.rest(of: path) } ?? path.components
        if let inForce {
            // Behind something that is no dictionary it is not found.
            let source = ModelSource(
                layer: 0, layerName: "", name: "", entries: entries, isText: false)
            if source.block(above: path) != nil { return entries }
            entries = ModelValue.dictionary(entries).putting(inForce, at: place).entries ?? entries
        } else {
            // What another spelling has there stays hidden.
            let spelled = path.prefixes.filter { entries[$0.description] != nil }
            for prefix in spelled {
                let place = [prefix.description] + prefix.rest(of: path)
                entries = ModelValue.dictionary(entries).pruning(at: place).entries ?? entries
            }
            entries = ModelValue.dictionary(entries).pruning(at: path.components).entries ?? entries
            for prefix in spelled where entries[prefix.description] == nil {
                entries = ModelValue.dictionary(entries).pruning(at: prefix.components).entries ?? entries
            }
            for above in path.prefixes.reversed() {
                if entries[above.description] == [:] {
                    entries[above.description] = nil
                    // What the literal dictionary hid stays hidden, too.
                    entries = ModelValue.dictionary(entries).pruning(at: above.components).entries ?? [:]
                }
                let left = ModelValue.dictionary(entries)
                if left.at(above.components) == [:] {
                    entries = left.pruning(at: above.components).entries ?? [:]
                }
            }
        }
        return entries
    }
}

/// A reason to refuse something new.
struct ModelProblem: Sendable, Hashable {
    /// The key, with the path of the rejected part of a struct; or the keys of a constraint.
    let key: String
    /// The declared key; `nil` for a constraint.
    var declared: String?
    /// The candidate; of a constraint, the layer, and the topmost file that changes one of its keys, if it still exists.
    let origin: ModelOrigin
    /// The path of the value within its source, or of what blocks it.
    var path: ModelPath = "none"
    /// The paths of the same part of the value under the other names of the key.
    var otherPaths: [ModelPath] = []
    var stored: ModelValue?
    let reason: ModelRejection
    var barringForm: String?
    /// True for a value with an acceptable one above it, which has no effect.
    var isShadowed = false

    /// Returns true if both are the same fault of the same value in one layer.
    func isSame(as other: ModelProblem) -> Bool {
        key == other.key && origin.layer == other.origin.layer && stored == other.stored
            && reason == other.reason
            && barringForm == other.barringForm
    }

    /// Returns true if both are faults of one key, or part of a key, in one source: at one path, or under another name.
    func isAtPlace(of other: ModelProblem) -> Bool {
        let paths = other.isBarred ? [other.path] : other.otherPaths + [other.path]
        return layer == other.layer && source == other.source && paths.contains(path)
            && declared == other.declared
    }

    /// Returns true if both are a value of one key that has the wrong type, or is barred.
    func hasSameKeyAndKind(as other: ModelProblem) -> Bool {
        key == other.key && [self, other].allSatisfy { $0.isBarred || $0.reason == .wrongType }
    }

    /// True if something that is no dictionary stands where the key's path leads.
    var isBarred: Bool { if case .notADictionary = reason { true } else { false } }

    var layer: String { origin.layer }
    var source: String { origin.source }

    func diagnostic(isVersion: Bool) -> ModelDiagnostic {
        .refused(key: key, origin, reason, isVersion: isVersion)
    }
}

extension ModelLayer {
    /// True if the files of the layer that change together are accepted or refused together; otherwise each value is
    /// on its own.
    var isRefusedAsOne: Bool { kind == .files && name != "user" }

    /// The place by which a directory is named.
    func folder(_ index: Int) -> ModelPlace {
        ModelPlace(layer: name, directory: directories[index].name)
    }

    /// The places of the layer's files.
    var places: [ModelPlace] {
        directories.flatMap { directory in
            ([ModelPlace.mainFile] + directory.dropIns.keys.sorted()).map {
                ModelPlace(layer: name, directory: directory.name, file: $0)
            }
        }
    }

    subscript(place: ModelPlace) -> ModelFile? {
        get { directories.first { $0.name == place.directory }?[place.file] }
        set {
            guard let index = directories.firstIndex(where: { $0.name == place.directory }), let newValue
            else { return }
            directories[index][place.file] = newValue
        }
    }
}

extension ModelSnapshot {
    /// Every rejected value of a declared key, shadowed or not, except those that a lock excludes.
    var wrongValues: [ModelProblem] {
        keys.flatMap { key in
            // The highest one first.
            let versions = resolve(key).badCandidates.values.sorted {
                rank(of: $0.origin) > rank(of: $1.origin)
            }
            return versions.map { version in
                var path = ModelPath(version.origin.name).appending(version.field)
                if case .notADictionary(let place) = version.reason, version.part.isEmpty {
                    path = ModelPath(place)
                }
                let others = key.names.filter { !$0.covers(path) && !path.covers($0) }
                let part = key.names.first { $0.covers(path) }.map { $0.rest(of: path) } ?? []
                return ModelProblem(
                    key: key.path.appending(version.part).description, declared: key.name,
                    origin: version.origin, path: path,
                    otherPaths: others.map { $0.appending(part) }, stored: version.stored,
                    reason: version.reason, barringForm: version.barringForm,
                    isShadowed: version.isShadowed && !mutations.contains(.shadowedProblemRefuses))
            }
        }
    }

    private func rank(of origin: ModelOrigin) -> Int {
        sources.lastIndex { $0.layerName == origin.layer && $0.name == origin.source } ?? -1
    }

    /// The constraints that the effective values violate.
    var violatedGroups: [ModelGroup] {
        if mutations.contains(.groupIsIgnored) { return [] }
        return groups.filter { group in !group.accepts(members(of: group).map { resolve($0).value }) }
    }

    /// The constraints that the effective values violate, and one of whose keys has other candidates than in another state.
    func brokenGroups(since old: ModelSnapshot) -> [ModelGroup] {
        violatedGroups.filter { group in
            members(of: group).contains { statements(of: $0) != old.statements(of: $0) }
        }
    }

    /// Returns what to report of the constraints: that one is violated, or no longer.
    func violations(since old: ModelSnapshot?) -> [ModelDiagnostic] {
        let (before, after) = (Set(old?.violatedGroups ?? []), Set(violatedGroups))
        if !after.isSubset(of: before) { tally.hit(.violatedGroupIsReported) }
        return after.subtracting(before).map { .violated(keys: $0.problemName) }
            + before.subtracting(after).map { .satisfied(keys: $0.problemName) }
    }

    private func members(of group: ModelGroup) -> [ModelKey] {
        group.keys.compactMap { name in keys.first { $0.name == name } }
    }

    private func statements(of key: ModelKey) -> [[String]] {
        candidates(for: key).filter { $0.stored != nil && $0.fate != .lockedOut }.map {
            [$0.origin.layer, $0.origin.source, $0.stored?.description ?? ""]
        }
    }

    /// Returns a source's value at a path.
    func value(at path: ModelPath, of place: ModelPlace) -> ModelValue? {
        value(at: path, in: place.layer, source: place.source)
    }

    /// Returns the value at a path of a source of a layer.
    func value(at path: ModelPath, in layer: String, source name: String) -> ModelValue? {
        let source = sources.first { $0.layerName == layer && $0.name == name }
        guard let source, case .found(let value, _) = view(path, in: source) else { return nil }
        return value
    }
}

extension ModelPlace {
    /// The name of the source: `etc/main`.
    var source: String { "\(directory)/\(file)" }
}
