import PrefsDocuments
import PrefsSystem

extension CommitEngine {
    /// True if something checks new contents. Otherwise they cannot have a problem.
    var needsCheck: Bool {
        !reporter.rejections.withLock { $0.isIdle } || !checks.withLock { $0.isEmpty }
            || state.withLock { !$0.composition.constraints.isEmpty } || !restoredLayers.isEmpty
    }

    /// Makes the check of candidates, with the checks and rules that the stack has now.
    ///
    /// - Parameters:
    ///   - later: A configuration whose handlers are asked later, and not by this check.
    ///   - keys: Further keys to check, declared or not.
    func makeCheck(
        askingLater later: (any CandidateDecider)? = nil, also keys: [RejectionLog.Checked] = []
    ) -> StackCheck {
        let checks = checks.withLock { $0.all }
        let (constraints, restored) = state.withLock { ($0.composition.constraints, $0.restoredLayers) }
        return StackCheck(
            engine: self, keys: keys, constraints: constraints, configurations: checks,
            unreadable: unreadableFiles(of: restored),
            deciders: checks.compactMap(\.decider).filter { $0 !== later })
    }

    /// The layers that use their last known good files, because their own files have been invalid since the start.
    var restoredLayers: Set<String> { state.withLock { $0.restoredLayers } }

    /// Returns the files of restored layers that cannot be read: files that were never readable, and files in
    /// several formats where only one may exist.
    private func unreadableFiles(of restored: Set<String>) -> [PrefsSourceStatus] {
        if restored.isEmpty { return [] }
        return sourceStatus.filter { source in
            source.layer.map(restored.contains) == true && source.problem != nil
                && (source.lastGood == nil || source.problem?.code == .ambiguous)
        }
    }

    /// Returns true if the newest revision of a file, or of another file in its folder, is rejected or waits for
    /// handlers.
    func isRejected(_ file: RejectedRevisions.Name) -> Bool {
        let (rejected, newest) = state.withLock { ($0.rejected.all, $0.composition.last) }
        guard rejected.contains(where: { $0.layer == file.layer && $1.rejectsRevision }) else { return false }
        let groups = zip(newest.state.parts.groups, active.state.parts.groups)
        let group = groups.first { newest, _ in newest.files?.folder(of: file) != nil }
        guard let new = group?.0.files, let old = group?.1.files, let folder = new.folder(of: file) else {
            return true
        }
        return new.folders(differingFrom: old).contains(folder)
    }

    /// Checks some writes, and returns the contents after them; `nil` if there is nothing to check. The calling
    /// thread holds the commit lock.
    ///
    /// - Parameter proposed: The configuration that asks its handlers about the writes later.
    /// - Throws: The new problems of the contents.
    func check(_ writes: [PreparedWrite], for proposed: ProposedWrites? = nil) throws -> PrefsSnapshot? {
        let keys = writes.flatMap(\.keys)
        guard needsCheck || !keys.isEmpty else { return nil }
        let active = self.active
        var (candidate, written) = (active, Set<String?>())
        for write in writes {
            guard let revision = write.edits.preview else { continue }
            for layer in write.layers {
                // The files of a rejected folder become active together or not at all, so the candidate takes the
                // newest revision of each. The same holds for the folder of a file that is not active yet.
                let file = RejectedRevisions.Name(layer: layer.writtenName, file: layer.writtenFile)
                let isNew = candidate.index(of: layer) == candidate.state.parts.count
                if isNew || isRejected(file) { candidate = candidate.taking(file, from: composeNewest()) }
                let index = candidate.index(of: layer)
                guard index < candidate.state.parts.count else { continue }
                let part = candidate.state.parts[index]
                written.insert(part.layer)
                let contents = revision.keepingUnwritten(of: part.source, butAt: proposed?.paths ?? [])
                // A candidate has no generation.
                candidate = candidate.replacingSource(at: index, with: contents).with { $0.generation = 0 }
            }
        }
        if written.isEmpty { return nil }
        if !candidate.state.rules.unreadableLocks.files.isEmpty {
            // An unreadable locks file locks the written keys, too.
            candidate = candidate.with { $0.lockActiveKeys() }
        }
        let dirty = PrefsTransition.dirtyPaths(from: active, to: candidate)
        if dirty.isEmpty { return candidate }
        // A written value must be acceptable even if another layer overrides it.
        let isOfWrite = { (problem: CandidateCheck.Problem) in
            guard case .value(_, _, let source) = problem.place else { return true }
            return !problem.isShadowed || written.contains(source.layer)
        }
        let check = makeCheck(askingLater: proposed?.decider, also: keys)
        let problems = check.problems(candidate, active, dirty, isWrite: true, unless: isOfWrite)
        if let error = PrefsError(problems.filter(isOfWrite).map(\.error)) { throw error }
        switch check.answer(to: candidate, since: active, dirty) {
        case .accepted: break
        case .rejected(let problems): if let error = PrefsError(problems.map(\.error)) { throw error }
        case .waiting:
            let deciders = checks.withLock { $0.deciders }.filter { $0 !== proposed?.decider }
            let errors = ApplyCoordinator.undecided(dirty, by: deciders, candidate, active)
            if let error = PrefsError(errors) { throw error }
        }
        return candidate
    }
}

/// Checks the candidates of one commit.
///
/// First the values of single keys and the rules over several keys are checked, then whole configurations. A
/// configuration with a wrong value is not checked as a whole, because its rule would report the same mistake in
/// other words. All others are checked, so an administrator sees all mistakes at once. The handlers are asked
/// last.
struct StackCheck {
    typealias Problem = CandidateCheck.Problem

    fileprivate let engine: CommitEngine
    /// The keys to check in addition to the declared ones.
    fileprivate let keys: [RejectionLog.Checked]
    fileprivate let constraints: [PrefsConstraint]
    fileprivate let configurations: [CandidateCheck]
    /// The files that cannot be read in layers with last known good contents.
    fileprivate let unreadable: [PrefsSourceStatus]
    /// The configurations whose handlers are asked.
    fileprivate let deciders: [any CandidateDecider]

    /// Returns the problems of a candidate, without asking the handlers.
    ///
    /// - Parameter isReason: Returns true for a problem that rejects something. A configuration with such a value
    ///   is not checked as a whole. Other wrong values count as absent.
    func problems(
        _ candidate: PrefsSnapshot, _ active: PrefsSnapshot, _ dirty: PathList, isWrite: Bool,
        unless isReason: (Problem) -> Bool
    ) -> [Problem] {
        // Key locks take effect at once, so a problem that they uncover in the active contents is not new.
        let base = active.locked(like: candidate)
        var problems = valueProblems(of: candidate, since: base, dirty)
        problems += unreadable.problems(in: candidate, since: active, isWrite: isWrite)
        let wrong = problems.filter(isReason).flatMap(\.place.paths)
        for configuration in configurations where configuration.isIndependent(of: wrong) {
            problems += configuration.problems(candidate, base, dirty, isWrite)
        }
        return problems
    }

    /// Returns the problems of the values of single keys, and of the rules over several keys.
    private func valueProblems(
        of candidate: PrefsSnapshot, since base: PrefsSnapshot, _ dirty: PathList
    ) -> [Problem] {
        var declared = engine.reporter.rejections.withLock { $0.checks(touchedBy: dirty) }
        declared += keys.filter { key in !declared.contains { $0.name == key.name } }
        var problems: [Problem] = []
        if !declared.isEmpty {
            // Without a watchdog: its timer would start a thread in a process that only writes.
            problems = engine.lock.call("the validation of new values") {
                declared.flatMap { $0.problems(in: candidate, since: base) }
            }
        }
        for constraint in constraints where dirty.touches(constraint.paths) {
            let problem = engine.callUserCode(constraint.name) {
                constraint.problem(in: candidate, since: base)
            }
            if let problem { problems.append(problem) }
        }
        return problems
    }

    /// True if there is a configuration whose handlers are asked.
    var asksProgram: Bool { !deciders.isEmpty }

    /// Returns the handlers' answer to a candidate.
    func answer(
        to candidate: PrefsSnapshot, since active: PrefsSnapshot, _ dirty: PathList
    ) -> ApplyAnswer {
        if deciders.isEmpty || dirty.isEmpty { return .accepted }
        return engine.coordinator.answer(to: candidate, since: active, dirty, by: deciders)
    }
}

extension [PrefsSourceStatus] {
    /// Returns the problems of the unreadable files in layers that a candidate changes.
    ///
    /// - Parameter isWrite: True if the candidate is the result of a write, which could not become active until
    ///   the files are fixed.
    fileprivate func problems(in candidate: PrefsSnapshot, since active: PrefsSnapshot, isWrite: Bool)
        -> [CandidateCheck.Problem]
    {
        if isEmpty { return [] }
        let layers = Set(active.state.parts.names(differingIn: candidate.state.parts).map(\.layer))
        return filter { layers.contains($0.layer) }.compactMap { source in
            guard var error = source.problem else { return nil }
            error.origin = error.origin ?? PrefsOrigin(file: source.file)
            error.origin?.layer = source.layer
            if isWrite { error.reason += "; until the file is fixed, nothing can be written to this layer" }
            let place = CandidateCheck.Problem.Place.value(
                PrefsPath(components: []), of: PrefsKeyName(""),
                in: RejectedRevisions.Name(layer: source.layer, file: source.file))
            return CandidateCheck.Problem(place: place, error: error)
        }
    }
}

/// Writes that are checked before the handlers are asked about them.
struct ProposedWrites {
    let decider: any CandidateDecider
    /// The written paths. If the file already has a rejected value there, it is checked again.
    let paths: [PrefsPath]
}

extension PrefsSnapshot {
    /// Returns the same contents, but with a file, and the other files of its folder, from another snapshot.
    fileprivate func taking(_ file: Part.Name, from newest: PrefsSnapshot) -> PrefsSnapshot {
        with { state in
            state.parts = Parts(
                groups: zip(state.parts.groups, newest.state.parts.groups).map { own, newest in
                    guard newest.parts.contains(where: { $0.layer == file.layer }) else { return own }
                    guard let old = own.files, let new = newest.files, let folder = new.folder(of: file)
                    else { return newest }
                    return Parts.Group(old.taking(folder, from: new))
                })
        }
    }
}

extension RejectionLog.Checked {
    /// Returns the rejected values of a candidate that are not rejected in the active contents.
    fileprivate func problems(
        in candidate: PrefsSnapshot, since active: PrefsSnapshot
    ) -> [CandidateCheck.Problem] {
        let rejected = check(candidate)
        if rejected.isEmpty { return [] }
        let known = check(active)
        return rejected.subtracting(known).map { value in
            let isPart = name.paths.contains { $0.contains(value.path) }
            let places = isPart ? name.places(sharing: value.path) : [value.path]
            return CandidateCheck.Problem(
                place: .value(value.path, of: name, in: candidate.source(of: value)), error: value.error,
                isShadowed: value.shadow != nil,
                replacesWrong: known.contains {
                    $0.layer == value.layer && $0.file == value.file && places.contains($0.path)
                        && !$0.isSame(as: value)
                })
        }
    }
}

extension [RejectedValue] {
    /// Returns the values that are not in `others`, counted as often as they occur. A value that has moved to
    /// another file of its layer counts as the same value. A shadowed value that now takes effect counts as a new
    /// one.
    fileprivate func subtracting(_ others: [RejectedValue]) -> [RejectedValue] {
        var others = others
        func isKnown(_ value: RejectedValue, inItsFile: Bool) -> Bool {
            let known = others.firstIndex {
                $0.isSame(as: value) && ($0.shadow == nil || value.shadow != nil)
                    && (!inItsFile || $0.file == value.file)
            }
            return known.map { others.remove(at: $0) } != nil
        }
        if others.isEmpty { return self }
        return filter { !isKnown($0, inItsFile: true) }.filter { !isKnown($0, inItsFile: false) }
    }
}

extension RejectedValue {
    /// Returns true if both are the same problem of the same value in one layer.
    fileprivate func isSame(as other: RejectedValue) -> Bool {
        layer == other.layer && error.key == other.error.key && isSameVersion(as: other)
    }
}

extension PrefsKeyName {
    /// Returns a path of the key's value, or of a part of it, with the paths of the same part under the key's
    /// other names. A path above the key means the whole value.
    func places(sharing path: PrefsPath) -> [PrefsPath] {
        let others = formerNames.isEmpty ? [] : paths.filter { !path.contains($0) && !$0.contains(path) }
        let name = others.isEmpty ? nil : paths.first { $0.contains(path) }
        let part = name.map { path.components.dropFirst($0.components.count) } ?? []
        return [path] + others.map { PrefsPath(components: $0.components + part) }
    }
}

extension PrefsSnapshot {
    /// Returns the same contents under the key locks of another snapshot.
    fileprivate func locked(like other: PrefsSnapshot) -> PrefsSnapshot {
        let locks = other.state.rules.locks
        // The result was never published, so it has no generation.
        return locks === state.rules.locks ? self : with { ($0.generation, $0.rules.locks) = (0, locks) }
    }

    /// Returns the source of a rejected value. A value may have a file of its own, such as a secret.
    fileprivate func source(of value: RejectedValue) -> RejectedRevisions.Name {
        let name = RejectedRevisions.Name(layer: value.layer, file: value.file)
        let parts = state.parts
        return (parts.first { RejectedRevisions.Name($0) == name } ?? parts.first { $0.layer == value.layer })
            .map { RejectedRevisions.Name($0) } ?? name
    }
}

extension PrefsConstraint {
    /// Returns the problem of a candidate that violates the rule, if it changes one of the rule's keys.
    fileprivate func problem(
        in candidate: PrefsSnapshot, since active: PrefsSnapshot
    ) -> CandidateCheck.Problem? {
        guard let complaint = maskedComplaint(candidate, since: active),
            names.contains(where: { candidate.differs(from: active, at: $0) })
        else { return nil }
        let error = PrefsError(.invalid, key: key, reason: complaint)
        return CandidateCheck.Problem(place: .values(names), error: error)
    }
}

extension PrefsSnapshot {
    /// Returns true if any source has another value of a key than in another snapshot.
    fileprivate func differs(from other: PrefsSnapshot, at key: PrefsKeyName) -> Bool {
        let (new, old) = (candidates(for: key), other.candidates(for: key))
        return !new.filter { $0.rejection == nil }.elementsEqual(old.filter { $0.rejection == nil }) {
            $0.value == $1.value && $0.origin.layer == $1.origin.layer && $0.origin.file == $1.origin.file
        }
    }
}
