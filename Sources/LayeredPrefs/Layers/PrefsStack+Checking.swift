import PrefsDocuments
import PrefsSystem

extension PrefsStack {
    /// True if anything may be wrong with new contents.
    var needsCheck: Bool {
        !reported.rejections.withLock { $0.isIdle } || !checks.withLock { $0.isEmpty }
            || committing.withLock { !$0.composition.constraints.isEmpty } || !restoredLayers.isEmpty
    }

    /// The check of candidates: the values of the declared keys, then the rules over several keys, then the program.
    ///
    /// - Parameter later: What is to ask the program later.
    func check(askingLater later: (any CandidateDecider)? = nil) -> StackCheck {
        let checks = checks.withLock { $0.all }
        let (constraints, restored) = committing.withLock { ($0.composition.constraints, $0.restoredLayers) }
        let unreadable = unreadableFiles(of: restored)
        return StackCheck { [self] candidate, inForce, dirty, isWrite in
            let declared = reported.rejections.withLock { $0.checks(touchedBy: dirty) }
            // Locks take effect at once, so what they uncover in the contents in force is not new.
            let base = inForce.locked(like: candidate)
            var problems: [CandidateCheck.Problem] = []
            if !declared.isEmpty {
                // Without a timer, which would have a process that watches nothing start a thread at each write.
                problems = turn.call("the validation of new values") {
                    declared.flatMap { $0.problems(in: candidate, since: base) }
                }
            }
            for constraint in constraints where dirty.touches(constraint.paths) {
                let problem = callInTurn(constraint.name) {
                    constraint.problem(in: candidate, since: base)
                }
                if let problem { problems.append(problem) }
            }
            problems += unreadable.problems(in: candidate, since: inForce, isWrite: isWrite)
            return problems
        } whole: { candidate, inForce, dirty, isWrite, wrong in
            let base = inForce.locked(like: candidate)
            return checks.filter { $0.isIndependent(of: wrong) }
                .flatMap { $0.problems(candidate, base, dirty, isWrite) }
        } program: { [self] candidate, inForce, dirty, isWrite in
            let deciders = checks.compactMap(\.decider).filter { $0 !== later }
            if deciders.isEmpty { return [] }
            return coordinator.problems(
                of: candidate, since: inForce, dirty, isWrite: isWrite, by: deciders, of: self)
        }
    }

    /// Returns the files with values of declared keys that are rejected, but not in the contents in force.
    func filesWithNewProblems(
        in candidate: PrefsSnapshot, since inForce: PrefsSnapshot
    ) -> Set<RefusedVersions.Name> {
        let declared = reported.rejections.withLock { $0.checks(touchedBy: [PrefsPath(components: [])]) }
        let base = inForce.withoutConstraintRejections.locked(like: candidate)
        let problems = turn.call("the validation of new values") {
            declared.flatMap { $0.problems(in: candidate, since: base) }
        }
        return Set(
            problems.flatMap { problem -> [RefusedVersions.Name] in
                guard case .value(_, _, let source, _) = problem.place else { return [] }
                return [source]
                    + [problem.error.located(in: source).origin].compactMap(\.self).map {
                        RefusedVersions.Name(layer: $0.layer, file: $0.file)
                    }
            })
    }

    /// The layers that are as they were accepted last, because of what their files hold since the start.
    var restoredLayers: Set<String> { committing.withLock { $0.restoredLayers } }

    /// Returns the files of restored layers that cannot be read: one that never could be, or one of several formats of
    /// which only one may exist.
    private func unreadableFiles(of restored: Set<String>) -> [PrefsSourceStatus] {
        if restored.isEmpty { return [] }
        return sourceStatus.filter { source in
            source.layer.map(restored.contains) == true && source.problem != nil
                && (source.lastGood == nil || source.problem?.code == .ambiguous)
        }
    }

    /// Has the newest contents checked again at the next look, although they have not changed; returns the number of that
    /// composition.
    func composeAgain() -> UInt64 {
        committing.withLock { state in
            state.composition.composeAgain()
            return state.composition.count + 1
        }
    }

    /// Notifies those who ask the program of what the stack has decided on. The calling thread has the turn.
    ///
    /// - Parameters:
    ///   - newest: The newest contents; `nil` if there was nothing new to decide on.
    ///   - dirty: The highest paths at which the contents in force differ from those before.
    func noteDecision(on inForce: PrefsSnapshot, of newest: PrefsSnapshot?, _ dirty: PathList) {
        let deciders = checks.withLock { $0.deciders }
        if deciders.isEmpty { return }
        let decision = committing.withLock { state in
            CandidateDecision(
                inForce: inForce, newest: newest ?? inForce, dirty: dirty, count: state.composition.count,
                isNew: newest != nil, isPending: state.refused.all.values.contains(where: \.isOffered))
        }
        coordinator.note(decision, to: deciders, of: self)
    }

    /// True if a closure of a ``Live`` configuration has failed to apply what is in force; see ``Live/isInconsistent``.
    package var isInconsistent: Bool { checks.withLock { $0.deciders }.contains(where: \.isInconsistent) }

    /// True within a handler of ``Live/apply(_:_:)`` over this stack, which cannot wait for what it decides.
    package var isWithinApply: Bool { ApplyCall.isUnderWay(in: ObjectIdentifier(self)) }

    /// True while handlers of ``Live/apply(_:_:)`` are being called, or are about to be.
    package var isDeciding: Bool { coordinator.isBusy }

    /// Waits until the program has accepted or rejected everything that has been read.
    ///
    /// The ``Live/apply(_:_:)`` handlers of all configurations decide. The wait includes the `commit` or `abort` of
    /// everything that they have prepared, and the delivery of the resulting changes to observers. If the task is
    /// cancelled, the wait ends early.
    ///
    /// An `apply` handler must not call this method, because it would wait for itself. Such a call returns at once and
    /// reports an error. ``Live/applied()`` throws instead.
    public func applied() async {
        if isWithinApply {
            return diagnostics.report(
                .error,
                PrefsError(
                    .unsupported,
                    reason: "an `apply` handler cannot wait for the decision that it is part of; return first"
                ))
        }
        repeat {
            await settled()
            await coordinator.decided()
            await settled()
        } while coordinator.isBusy && !Task.isCancelled
    }

    /// Ends the calls of handlers, for a program that is about to end: what is being prepared is cancelled, and what has been
    /// prepared gets its `commit` if it is active, and otherwise its `abort`.
    ///
    /// - Parameter limit: The time for which to wait for handlers.
    package func stopApplying(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.coordinator.stop(self) }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Has handlers called again after ``stopApplying(within:)``.
    package func resumeApplying() { coordinator.resume(self) }

    /// Throws what is wrong with the contents that some writes lead to, but for what is wrong already; returns the versions
    /// that it has found right. The calling thread has the turn.
    ///
    /// - Parameter offer: What is to ask the program about the writes later.
    func check(_ writes: [PreparedWrite], for offer: OfferedWrites? = nil) throws -> CheckedVersions {
        guard needsCheck else { return CheckedVersions() }
        let inForce = committedSnapshot.withoutConstraintRejections
        var (candidate, checked) = (inForce, CheckedVersions())
        for write in writes {
            guard let written = write.edits.preview else { continue }
            for layer in write.layers {
                var index = candidate.index(of: layer)
                if index == candidate.state.parts.count {
                    // A file that is written and not in force yet is new; it may have been refused itself.
                    let refused = committing.withLock { $0.refused.all }
                    for refusals in [refused, [:]] where index == candidate.state.parts.count {
                        candidate = candidate.taking(
                            layer.writtenName, from: newestContents.refusing(refusals, inForce: inForce))
                        index = candidate.index(of: layer)
                    }
                }
                guard index < candidate.state.parts.count else { continue }
                let part = candidate.state.parts[index]
                let name = RefusedVersions.Name(part)
                checked.versions[name] = written
                candidate = candidate.replacingSource(at: index, with: written).with {
                    // A candidate has no generation.
                    $0.generation = 0
                    $0.rules.kept.remove(of: name, writing: written, over: part.source)
                    if let offer { $0.rules.kept.remove(of: name, at: offer.paths) }
                }
            }
        }
        if checked.versions.isEmpty { return checked }
        if !candidate.state.rules.unreadableLocks.files.isEmpty {
            // Then what is written is locked as well.
            candidate = candidate.with { $0.lockWhatIsInForce() }
        }
        let dirty = PrefsTransition.dirtyPaths(from: inForce, to: candidate)
        // What the write uncovers in another layer, by removing a lock for instance, was wrong before.
        let layers = Set(checked.versions.keys.map(\.layer))
        let isOfWrite = { (problem: CandidateCheck.Problem) in
            guard case .value(_, _, let source, _) = problem.place else { return true }
            return layers.contains(source.layer)
        }
        let check = check(askingLater: offer?.decider)
        let problems =
            dirty.isEmpty
            ? []
            : check.problems(candidate, inForce, dirty, isWrite: true, unless: isOfWrite).filter(isOfWrite)
        if let error = PrefsError(problems.map(\.error)) { throw error }
        if offer != nil {
            let constraints = committing.withLock { $0.composition.constraints }
            checked.contents = candidate.applying(constraints) { callInTurn($0, $1) }
        }
        return checked
    }
}

extension [PrefsSourceStatus] {
    /// Returns the problems of files that cannot be read, of the layers of which a candidate has something new.
    ///
    /// - Parameter isWrite: True if the candidate is what a write leads to, which would not be active until the files are
    ///   fixed.
    fileprivate func problems(in candidate: PrefsSnapshot, since inForce: PrefsSnapshot, isWrite: Bool)
        -> [CandidateCheck.Problem]
    {
        if isEmpty { return [] }
        let layers = Set(inForce.state.parts.names(differingIn: candidate.state.parts).map(\.layer))
        return filter { layers.contains($0.layer) }.compactMap { source in
            guard var error = source.problem else { return nil }
            if isWrite { error.reason += "; until the file is fixed, nothing can be written to this layer" }
            let place = CandidateCheck.Problem.Place.value(
                PrefsPath(components: []), of: PrefsKeyName(""),
                in: RefusedVersions.Name(layer: source.layer, file: source.file), hasAccepted: true)
            return CandidateCheck.Problem(place: place, error: error)
        }
    }
}

/// Writes that are checked before the program is asked about them.
struct OfferedWrites {
    let decider: any CandidateDecider
    /// The paths that are written. A value that a file has already, but that was refused, is checked again.
    let paths: [PrefsPath]
}

/// The versions of sources that a write leads to, in which nothing is wrong.
struct CheckedVersions {
    var versions: [RefusedVersions.Name: PrefsSource] = [:]
    /// The contents with these versions, if the program is to be asked about them; `nil` if they are those in force.
    var contents: PrefsSnapshot?

    /// Returns true if nothing else differs between two states of the same layers.
    func areAll(between inForce: PrefsSnapshot, and newest: PrefsSnapshot) -> Bool {
        let (old, new) = (inForce.state, newest.state)
        guard !versions.isEmpty, old.rules == new.rules,
            let groups = PrefsSnapshot.Parts.changedGroups(from: old.parts, to: new.parts)
        else { return false }
        return groups.allSatisfy { before, after in
            before.parts.count == after.parts.count
                && zip(before.parts, after.parts).allSatisfy { old, new in
                    let name = RefusedVersions.Name(new)
                    if RefusedVersions.Name(old) != name { return false }
                    return old.source === new.source || versions[name]?.isSameStep(as: new.source) == true
                }
        }
    }
}

extension PrefsSnapshot {
    /// Returns the same contents with the files that a layer has in another snapshot.
    fileprivate func taking(_ layer: String, from newest: PrefsSnapshot) -> PrefsSnapshot {
        with { state in
            state.parts = Parts(
                groups: zip(state.parts.groups, newest.state.parts.groups).map { own, newest in
                    newest.parts.contains { $0.layer == layer } ? newest : own
                })
        }
    }
}

extension PrefsSource {
    /// Returns true if both follow the same version, with the same values at the paths that changed.
    fileprivate func isSameStep(as other: PrefsSource) -> Bool {
        guard let step, let next = other.step, step.start == next.start,
            step.paths.elementsEqual(next.paths)
        else {
            return false
        }
        return step.paths.allSatisfy { tree.value(at: $0)?.value == other.tree.value(at: $0)?.value }
    }
}

extension RejectionLog.Checked {
    /// Returns the rejected values of a candidate that are not rejected in the contents in force as well.
    fileprivate func problems(
        in candidate: PrefsSnapshot, since inForce: PrefsSnapshot
    ) -> [CandidateCheck.Problem] {
        let rejected = check(candidate)
        if rejected.isEmpty { return [] }
        let known = check(inForce)
        return rejected.compactMap { new in
            let source = candidate.source(of: new)
            let isPart = name.paths.contains { $0.contains(new.path) }
            let places = isPart ? name.places(sharing: new.path) : [new.path]
            let hasAccepted = !known.contains {
                $0.layer == new.layer && $0.file == new.file && places.contains($0.path)
            }
            // A value that is refused stays a new one, even if another file of the layer has it as well.
            let isRefused = hasAccepted && inForce.keeps(at: new.path, in: source)
            if !isRefused, known.contains(where: { $0.isSame(as: new) }) { return nil }
            return CandidateCheck.Problem(
                place: .value(
                    new.path, of: name, in: source, hasAccepted: hasAccepted),
                error: new.error)
        }
    }
}

extension RejectedValue {
    /// Returns true if both are the same fault of the same value in one layer.
    fileprivate func isSame(as other: RejectedValue) -> Bool {
        layer == other.layer && error.key == other.error.key && isSameVersion(as: other)
    }
}

extension PrefsKeyName {
    /// Returns a path at which the key's value or a part of it stands, and the paths of the same part under the key's
    /// other names; a path above it stands for the whole value.
    func places(sharing path: PrefsPath) -> [PrefsPath] {
        let others = formerNames.isEmpty ? [] : paths.filter { !path.contains($0) && !$0.contains(path) }
        let name = others.isEmpty ? nil : paths.first { $0.contains(path) }
        let part = name.map { path.components.dropFirst($0.components.count) } ?? []
        return [path] + others.map { PrefsPath(components: $0.components + part) }
    }
}

extension PrefsSnapshot {
    /// Returns the same contents under the locks of another snapshot.
    fileprivate func locked(like other: PrefsSnapshot) -> PrefsSnapshot {
        let locks = other.state.rules.locks
        // These are no contents of a generation.
        return locks === state.rules.locks ? self : with { ($0.generation, $0.rules.locks) = (0, locks) }
    }

    /// Returns true if a source's newest value at a path is refused.
    fileprivate func keeps(at path: PrefsPath, in source: RefusedVersions.Name) -> Bool {
        state.rules.kept[source].contains { $0.path.contains(path) }
    }

    /// Returns the source that a rejected value belongs to: it may stand in a file of its own, such as a secret.
    fileprivate func source(of value: RejectedValue) -> RefusedVersions.Name {
        let name = RefusedVersions.Name(layer: value.layer, file: value.file)
        let parts = state.parts
        return (parts.first { RefusedVersions.Name($0) == name } ?? parts.first { $0.layer == value.layer })
            .map { RefusedVersions.Name($0) } ?? name
    }
}

extension PrefsConstraint {
    /// Returns the problem of a candidate that violates the rule, if it changes one of the rule's keys.
    fileprivate func problem(
        in candidate: PrefsSnapshot, since inForce: PrefsSnapshot
    ) -> CandidateCheck.Problem? {
        guard let complaint = maskedComplaint(candidate, since: inForce),
            names.contains(where: { candidate.differs(from: inForce, at: $0) })
        else { return nil }
        let key = paths.map(\.name).joined(separator: ", ")
        let error = PrefsError(.invalid, key: key, reason: complaint)
        return CandidateCheck.Problem(place: .values(names), error: error)
    }
}

extension PrefsSnapshot {
    /// Returns true if a key has other values than in another snapshot, in any source.
    fileprivate func differs(from other: PrefsSnapshot, at key: PrefsKeyName) -> Bool {
        let (new, old) = (candidates(for: key), other.candidates(for: key))
        return !new.filter { $0.rejection == nil }.elementsEqual(old.filter { $0.rejection == nil }) {
            $0.value == $1.value && $0.origin.layer == $1.origin.layer && $0.origin.file == $1.origin.file
        }
    }
}
