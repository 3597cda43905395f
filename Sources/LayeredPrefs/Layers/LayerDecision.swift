import PrefsDocuments

/// Decides which of the newest contents become active in a running program.
///
/// The unit is a source: a folder of system files, which are accepted or rejected together, or a whole layer. The
/// decision does not know earlier rejections, so everything is tried again whenever anything changes.
///
/// 1. All new contents are tried together. If they add no problem to the problems of the active contents, they
///    become active.
/// 2. Otherwise the sources are added to the active contents one by one, from the lowest layer to the highest, and
///    again from the lowest until none can be added. A source that adds a problem is rejected, and keeps its
///    active contents.
/// 3. A layer with the scope ``RejectionScope/key`` is never rejected for the value of a key. Before rules 1 and
///    2, each key with a wrong new value keeps its active value, or stays absent. If the active value is wrong,
///    too, the new value counts as absent.
///
///    Rule 2 may still reject such a layer: because of several values together, because of a handler, or because
///    of a wrong value in a lower layer that it no longer overrides. Then the layer is tried once more with the
///    active values of those keys.
/// 4. If handlers have to accept the result, it is proposed to them. Until they answer, rule 2 adds the sources of
///    this result that need no answer.
///
/// For example, the user's file changes `port` to `"x"` and `host` to `"b"`. `port` keeps its value, and `host` is
/// `"b"`. In a file of the system, the same edit changes neither.
///
/// Key locks come first: nothing rejects them, and all problems are found under the locks of the newest contents.
///
/// A decision is made under the commit lock, with no mutex held. It calls validators, codings and rules of the
/// program, which may read but not write.
struct LayerDecision {
    typealias Name = RejectedRevisions.Name
    typealias Problem = CandidateCheck.Problem
    typealias Groups = [PrefsSnapshot.Parts.Group]

    private let newest: PrefsSnapshot
    private let activeContents: PrefsSnapshot
    /// The active contents: one group for each layer, from the highest to the lowest.
    private let base: Groups
    private let check: StackCheck
    private let scope: (String?) -> RejectionScope
    /// The newest contents, with the values that rule 3 keeps.
    private var targets: Groups
    /// The contents that become active if the handlers accept them.
    private var goal: Groups
    private var active: Groups
    /// The values that rule 3 keeps, by source, with the reasons.
    private var kept: [Name: RejectedRevisions.Rejection] = [:]
    /// The part of `kept` that is due to the values of single keys.
    private var keptValues: [Name: RejectedRevisions.Rejection] = [:]
    /// The sources that differ between the active and the newest contents, from the lowest to the highest.
    private var sources: [Source] = []
    /// The rejected sources, with their problems.
    private var rejected: [Source: [Problem]] = [:]
    /// The layers that were accepted at the second try of rule 3.
    private var partial: Set<Source> = []

    /// A unit that is accepted or rejected as a whole.
    private struct Source: Hashable {
        /// The index of the layer.
        let layer: Int
        /// The folder; `nil` for the whole layer.
        var folder: Int?
    }

    /// The contents that become active.
    var contents: PrefsSnapshot {
        let groups = newest.state.parts.groups
        if active.elementsEqual(groups, by: ===) { return newest }
        return snapshot(
            of: zip(active, groups).map { active, newest in active.refreshed(by: newest) })
    }

    /// The changes that handlers must accept first; `nil` if there are none.
    private(set) var proposals: [any ApplyProposal]?

    /// - Parameters:
    ///   - newest: The newest contents of all layers.
    ///   - active: The active contents.
    ///   - scope: Returns the scope of a layer, by its name.
    init(
        on newest: PrefsSnapshot, over active: PrefsSnapshot, by check: StackCheck,
        scope: @escaping (String?) -> RejectionScope
    ) {
        (self.newest, activeContents, self.check, self.scope) = (newest, active, check, scope)
        (base, targets) = (active.state.parts.groups, newest.state.parts.groups)
        (goal, self.active) = (targets, targets)
        // Usually both snapshots have the same key locks already, and need not be composed again.
        let isLockedAlike =
            active.state.rules.locks === newest.state.rules.locks && !newest.hasUnreadableLocks
        let all =
            isLockedAlike
            ? Step(from: active, to: newest) : Step(from: snapshot(of: base), to: snapshot(of: targets))
        let found = problems(of: all)
        if !found.isEmpty {
            // Each layer alone, because a new value in another layer may hide a wrong one now, and be rejected
            // later.
            for index in targets.indices.reversed() where hasKeyScope(index) { mend(index) }
            keptValues = kept
            goal = chosen()
        }
        var answer = found.isEmpty ? self.answer(to: all) : self.answer(to: goal)
        if case .rejected = answer {
            goal = chosen()
            answer = self.answer(to: goal)
        }
        self.active = goal
        if case .waiting(let waiting) = answer {
            proposals = waiting
            self.active = chosenMeanwhile()
        }
    }

    /// Returns the layers that rules 1 to 3 choose.
    private mutating func chosen() -> Groups {
        if reasons(in: targets, since: base).isEmpty { return targets }
        sources = changedSources()
        var (state, isAdding) = (base, true)
        (rejected, partial, kept) = ([:], [], keptValues)
        var left = sources
        while isAdding {
            isAdding = false
            left = left.filter { source in
                guard let added = addition(of: source, to: state) else { return true }
                (state, isAdding) = (added, true)
                return partial.contains(source)
            }
        }
        return state
    }

    /// Returns `state` with a source added, or with the part of it that adds no problem; `nil` if the source is
    /// rejected.
    private mutating func addition(of source: Source, to state: Groups) -> Groups? {
        let tried = taking(source, from: targets, in: state)
        let found = reasons(in: tried, since: state)
        if found.isEmpty {
            rejected[source] = nil
            partial.remove(source)
            for part in targets[source.layer].parts { kept[Name(part)] = keptValues[Name(part)] }
            return tried
        }
        if partial.contains(source) { return nil }
        rejected[source] = found
        guard scope(layer(source.layer)) == .key else { return nil }
        var rest = state
        let (part, rejections) = keepingValues(of: found, at: source.layer)
        rest[source.layer] = part
        guard reasons(in: rest, since: state).isEmpty else { return nil }
        (kept, rejected[source]) = (rejections, nil)
        partial.insert(source)
        return rest
    }

    /// Returns the layers that become active while the handlers are being asked.
    private func chosenMeanwhile() -> Groups {
        var (state, isAdding, left) = (base, true, changedSources())
        while isAdding {
            isAdding = false
            left = left.filter { source in
                let tried = taking(source, from: goal, in: state)
                guard reasons(in: tried, since: state).isEmpty, case .accepted = answer(to: tried) else {
                    return true
                }
                (state, isAdding) = (tried, true)
                return false
            }
        }
        return state
    }

    // MARK: Sources

    private func changedSources() -> [Source] {
        targets.indices.reversed().filter { targets[$0] !== base[$0] }.flatMap { layer in
            guard scope(self.layer(layer)) == .source, let new = targets[layer].files,
                let old = base[layer].files
            else { return [Source(layer: layer)] }
            return new.folders(differingFrom: old).map { Source(layer: layer, folder: $0) }
        }
    }

    /// Returns `state` with one source replaced by its revision in `others`.
    private func taking(_ source: Source, from others: Groups, in state: Groups) -> Groups {
        var (next, layer) = (state, source.layer)
        next[layer] = others[layer]
        if let folder = source.folder, let old = state[layer].files, let new = others[layer].files {
            let files = old.taking(folder, from: new)
            if !files.folders(differingFrom: new).isEmpty { next[layer] = PrefsSnapshot.Parts.Group(files) }
        }
        return next
    }

    // MARK: Problems

    /// Returns the problems that `groups` adds to `state`, if they are reasons to reject a source.
    private func reasons(in groups: Groups, since state: Groups) -> [Problem] {
        let found = problems(in: groups, since: state).filter(isReason)
        guard found.isEmpty, case .rejected(let problems) = answer(to: groups) else { return found }
        return problems
    }

    private func isReason(_ problem: Problem) -> Bool {
        guard case .value(_, _, let name) = problem.place else { return true }
        if problem.isShadowed { return false }
        if scope(name.layer) == .source { return true }
        // A value that was wrong before counts as absent. So does a value that is not part of the storage's
        // contents.
        return newest.state.parts[name] != nil && !problem.replacesWrong
    }

    private func problems(in groups: Groups, since state: Groups) -> [Problem] {
        problems(of: Step(from: snapshot(of: state), to: snapshot(of: groups)))
    }

    private func problems(of step: Step) -> [Problem] {
        if step.dirty.isEmpty { return [] }
        return check.problems(step.new, step.old, step.dirty, isWrite: false, unless: isReason)
    }

    /// Returns the handlers' answer to some contents.
    private func answer(to groups: Groups) -> ApplyAnswer {
        if !check.asksProgram { return .accepted }
        return answer(to: Step(from: snapshot(of: base), to: snapshot(of: groups)))
    }

    private func answer(to step: Step) -> ApplyAnswer {
        check.answer(to: step.new, since: step.old, step.dirty)
    }

    /// The difference between two contents.
    private struct Step {
        let old: PrefsSnapshot
        let new: PrefsSnapshot
        let dirty: PathList

        init(from old: PrefsSnapshot, to new: PrefsSnapshot) {
            (self.old, self.new) = (old, new)
            dirty = PrefsTransition.dirtyPaths(from: old, to: new)
        }
    }

    // MARK: Rule 3

    private func hasKeyScope(_ index: Int) -> Bool {
        targets[index] !== base[index] && scope(layer(index)) == .key
    }

    private func isValue(_ problem: Problem, at index: Int) -> Bool {
        guard case .value(_, _, let name) = problem.place else { return false }
        return [targets[index], base[index]].contains { $0.parts.contains { Name($0) == name } }
    }

    /// In one layer, keeps the active value of each key whose new value is wrong.
    private mutating func mend(_ index: Int) {
        var isNew = true
        while isNew {
            isNew = false
            var tried = base
            tried[index] = targets[index]
            let before = kept
            for problem in problems(in: tried, since: base) where isValue(problem, at: index) {
                if keep(problem, unlessIn: before) { isNew = true }
            }
            targets[index] = mended(
                newest.state.parts.groups[index], at: index, kept.compactMapValues(\.values))
        }
    }

    /// Keeps the active value instead of a wrong one, under all names of the key. Returns false if nothing was
    /// kept: the values are equal, the active value is wrong, too, or it is kept already.
    ///
    /// - Parameter before: The values that are kept already. A problem of one of them is not a problem of the
    ///   newest value.
    private mutating func keep(_ problem: Problem, unlessIn before: [Name: RejectedRevisions.Rejection])
        -> Bool
    {
        guard case .value(let path, let key, let name) = problem.place, !problem.replacesWrong,
            before[name]?.isRejected(path) != true
        else { return false }
        let places = key.places(sharing: path).filter { changes($0, of: key, in: name) }
        if places.isEmpty { return false }
        let wrong =
            key.paths.contains { $0.contains(path) } ? value(at: path, of: key, in: name, newest) : nil
        var rejection =
            kept[name] ?? RejectedRevisions.Rejection(revision: newest.state.parts[name], values: [])
        for place in places {
            if rejection.isRejected(place) {
                rejection.add(problem.error, of: wrong?.value)
                continue
            }
            let old = value(at: place, of: key, in: name, activeContents)
            rejection.keep(KeptValue(path: place, content: old?.content), problem.error, of: wrong?.value)
        }
        kept[name] = rejection
        return true
    }

    /// Returns a layer that keeps its active values for the keys of some problems, and the layer's rejections.
    private func keepingValues(of problems: [Problem], at index: Int) -> (
        PrefsSnapshot.Parts.Group, [Name: RejectedRevisions.Rejection]
    ) {
        var rejections = kept
        let group = newest.state.parts.groups[index]
        for problem in problems {
            let places = placesToKeep(for: problem, at: index)
            for name in group.parts.map({ Name($0) }) {
                for (key, path) in places where changes(path, of: key, in: name) {
                    var rejection = rejections[name] ?? .init(revision: newest.state.parts[name], values: [])
                    let old = value(at: path, of: key, in: name, activeContents)
                    if rejection.isRejected(path) {
                        rejection.add(error(of: problem, in: [name], of: newest))
                    } else {
                        let value = KeptValue(path: path, content: old?.content)
                        rejection.keep(value, error(of: problem, in: [name], of: newest), of: nil)
                    }
                    rejections[name] = rejection
                }
            }
        }
        return (mended(group, at: index, rejections.compactMapValues(\.values)), rejections)
    }

    /// Returns the places where a layer keeps its active contents because of a problem. If a part of a struct is
    /// wrong, these are the places of that part. A value in another layer that blocks the key is not a part of the
    /// key.
    private func placesToKeep(for problem: Problem, at index: Int) -> [(PrefsKeyName, PrefsPath)] {
        switch problem.place {
        case .values(let keys): return keys.flatMap { key in key.paths.map { (key, $0) } }
        case .value(let path, let key, _):
            let isPart = isValue(problem, at: index) || key.paths.contains { $0.contains(path) }
            return (isPart ? key.places(sharing: path) : key.paths).map { (key, $0) }
        }
    }

    /// Returns a layer with the values to keep instead of the new ones. If a source then equals the active one, it
    /// is the same object.
    private func mended(
        _ group: PrefsSnapshot.Parts.Group, at index: Int, _ values: [Name: [KeptValue]]
    ) -> PrefsSnapshot.Parts.Group {
        let known = base[index]
        let parts = group.parts.map { part in
            guard let kept = values[Name(part)], !kept.isEmpty else { return part }
            var part = part
            let earlier = known.parts.first { Name($0) == Name(part) }?.source
            part.source = part.source.keeping(kept).sameObject(as: earlier)
            return part
        }
        let isSame = known.parts.elementsEqual(parts) { $0.source === $1.source && $0.height == $1.height }
        return isSame ? known : PrefsSnapshot.Parts.Group(parts)
    }

    // MARK: Contents

    private func layer(_ index: Int) -> String? {
        (newest.state.parts.groups[index].parts.first ?? base[index].parts.first)?.layer
    }

    private func snapshot(of groups: Groups) -> PrefsSnapshot {
        newest.with { state in
            // A candidate has no generation.
            state.generation = 0
            state.parts = PrefsSnapshot.Parts(groups: groups)
            state.lockActiveKeys()
        }
    }

    /// Returns true if the newest contents of a source add, change or remove the value at a path. A path that a
    /// key lock keeps the source from setting never counts.
    private func changes(
        _ path: PrefsPath, of key: PrefsKeyName, in name: Name, to candidate: PrefsSnapshot? = nil
    ) -> Bool {
        if isLockedOut(path, of: key, in: name) { return false }
        return value(at: path, of: key, in: name, activeContents)?.value
            != value(at: path, of: key, in: name, candidate ?? newest)?.value
    }

    /// Returns true if a key lock keeps a source from setting a path.
    private func isLockedOut(_ path: PrefsPath, of key: PrefsKeyName, in name: Name) -> Bool {
        guard let lock = newest.lock(on: key) ?? newest.lock(on: path) else { return false }
        let parts = [newest.state.parts, PrefsSnapshot.Parts(groups: base)].lazy
        let part = parts.compactMap { $0.first { Name($0) == name } }.first
        return part.map { $0.height > lock.height } ?? false
    }

    /// Returns a source's value of a key under one of its names, before key locks apply; `nil` if there is none,
    /// if it is rejected, or if it is a section.
    private func value(
        at path: PrefsPath, of key: PrefsKeyName, in name: Name, _ snapshot: PrefsSnapshot
    ) -> LocatedValue? {
        guard let index = snapshot.state.parts.firstIndex(where: { Name($0) == name }),
            let found = snapshot.value(for: key, at: path, in: index), !found.isRejected,
            !key.isSection(found.value, at: path)
        else { return nil }
        return found
    }
}

extension LayerDecision {
    /// The files whose newest contents are rejected, or wait for handlers.
    var rejections: [Name: RejectedRevisions.Rejection] {
        var rejections: [Name: RejectedRevisions.Rejection] = [:]
        if rejected.isEmpty, kept.isEmpty, proposals == nil { return rejections }
        let newest = newest.state.parts.groups
        for layer in base.indices {
            for name in newest[layer].names(differingFrom: base[layer]) { rejections[name] = kept[name] }
            if goal[layer] === active[layer] { continue }
            let revisions = newest[layer].sources
            for name in goal[layer].names(differingFrom: active[layer]) {
                var held = RejectedRevisions.Rejection(revision: revisions[name])
                for error in kept[name]?.errors ?? [] { held.add(error) }
                held.isProposed = true
                rejections[name] = held
            }
        }
        for source in sources {
            guard let problems = rejected[source] else { continue }
            let candidate = taking(source, from: newest, in: goal)
            let group = candidate[source.layer]
            let (names, revisions) = (group.names(differingFrom: goal[source.layer]), group.sources)
            let rejection = rejection(because: problems, among: names, of: snapshot(of: candidate))
            for name in names {
                rejections[name] = rejection
                rejections[name]?.revision = revisions[name]
                for error in kept[name]?.errors ?? [] { rejections[name]?.add(error) }
            }
        }
        return rejections
    }

    /// Returns the rejection that all changed files of a source have in common.
    private func rejection(
        because problems: [Problem], among names: [Name], of candidate: PrefsSnapshot
    ) -> RejectedRevisions.Rejection {
        var rejection = RejectedRevisions.Rejection(revision: nil)
        for problem in problems {
            var wrong: PrefsValue?
            if case .value(let path, let key, let source) = problem.place, names.contains(source),
                key.paths.contains(where: { $0.contains(path) })
            {
                wrong = value(at: path, of: key, in: source, candidate)?.value
            }
            rejection.add(error(of: problem, in: names, of: candidate), of: wrong)
        }
        return rejection
    }

    /// Returns the error of a problem. The error of a rule over several keys gets the place of the first value
    /// that some sources change. The error of a whole configuration names no key, and gets no place.
    private func error(of problem: Problem, in names: [Name], of candidate: PrefsSnapshot) -> PrefsError {
        guard case .values(let keys) = problem.place, problem.error.key != nil, problem.error.origin == nil
        else { return problem.error }
        let places = keys.flatMap { key in key.paths.map { (key, $0) } }
        let changed = names.lazy.compactMap { [self] name in
            let changed = places.filter { changes($1, of: $0, in: name, to: candidate) }
            return changed.isEmpty
                ? nil : (name, changed.compactMap { value(at: $1, of: $0, in: name, candidate) })
        }
        guard let (name, values) = changed.first else { return problem.error }
        var error = problem.error
        error.origin = values.first?.origin
        return error.located(in: name)
    }
}

extension PrefsSnapshot {
    fileprivate var hasUnreadableLocks: Bool { !state.rules.unreadableLocks.files.isEmpty }
}

extension PrefsSource {
    /// Returns an earlier revision, instead of this one, if it was made from the same contents with the same
    /// values kept at the same paths.
    fileprivate func sameObject(as earlier: PrefsSource?) -> PrefsSource {
        guard let earlier, earlier.original === original, earlier.keptPaths == keptPaths,
            Self.haveSameContents(earlier, self)
        else { return self }
        return earlier
    }

    private var keptPaths: Set<PrefsPath> { Set(mended?.kept.map(\.path) ?? []) }
}
