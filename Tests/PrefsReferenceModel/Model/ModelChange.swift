/// An observer of changes.
enum ModelObserver: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// An observer of all keys.
    case leaf(String)
    case raw(String)
    case typed(String)

    var description: String {
        switch self {
        case .leaf(let path): "leaf \(path)"
        case .raw(let path): "raw \(path)"
        case .typed(let key): "typed \(key)"
        }
    }
}

/// A notification of one observer: its own old and new value, derived from the two generations.
struct ModelEvent: Sendable, Hashable, Codable, CustomStringConvertible {
    let observer: ModelObserver
    let old: ModelValue?
    let new: ModelValue?
    let oldOrigin: ModelOrigin?
    let newOrigin: ModelOrigin?

    var description: String {
        func text(_ value: ModelValue?, _ origin: ModelOrigin?) -> String {
            "\(value.map(\.description) ?? "nil") from \(origin.map(\.description) ?? "nowhere")"
        }
        return "\(observer): \(text(old, oldOrigin)) -> \(text(new, newOrigin))"
    }
}

/// A candidate or lock that changed in some layer, effective or not.
struct ModelAudit: Sendable, Hashable, Codable, Comparable {
    let path: ModelPath
    let layer: String
    /// `nil` for a lock.
    let source: String?
    let old: ModelValue?
    let new: ModelValue?

    static func < (lhs: ModelAudit, rhs: ModelAudit) -> Bool {
        (lhs.path.description, lhs.layer, lhs.source ?? "") < (
            rhs.path.description, rhs.layer, rhs.source ?? ""
        )
    }
}

/// The changes of one generation.
struct ModelChangeSet: Sendable, Hashable {
    let generation: Int
    var events: [ModelEvent]
    /// The keys that changed in some layer without a change of their effective value.
    var shadowed: [String] = []
}

/// A problem, reported once per bad revision, or its recovery, reported once.
enum ModelDiagnostic: Sendable, Hashable {
    case brokenFile(ModelPlace)
    case brokenLocks(ModelPlace)
    case locksRecovered(ModelPlace)
    case fileRecovered(ModelPlace)
    case ignored(key: String, ModelOrigin, ModelRejection)
    case recovered(key: String, ModelOrigin)
    /// The keys of a constraint that the active values violate.
    case violated(keys: String)
    /// The keys of a constraint that the active values satisfy again.
    case satisfied(keys: String)
    /// A problem that rejects a whole revision, or only the value of the key.
    case rejected(key: String, ModelOrigin, ModelRejection, isVersion: Bool)
    /// The layer and source whose problems no longer reject a revision.
    case versionRecovered([String])
}

/// All answers at one generation.
struct ModelAnswers: Sendable, Hashable {
    let typed: [String: ModelResolution]
    let raw: [String: ModelRawResolution]

    init(_ snapshot: ModelSnapshot, rawPaths: [ModelPath]) {
        typed = snapshot.resolutions
        raw = Dictionary(uniqueKeysWithValues: rawPaths.map { ($0.description, snapshot.raw($0)) })
    }

    /// Returns the notifications between two generations. A typed or raw observer is notified only if its
    /// value differs; the same value from another origin is no event.
    func events(since old: ModelAnswers, tally: ModelTally) -> [ModelEvent] {
        var events: [ModelEvent] = []
        for (name, after) in typed {
            guard let before = old.typed[name] else { continue }
            if before.value != after.value {
                events.append(
                    ModelEvent(
                        observer: .typed(name), old: before.value, new: after.value,
                        oldOrigin: before.origin, newOrigin: after.origin))
                tally.hit(.typedEvent)
            } else if before.origin != after.origin {
                tally.hit(.sameValueOtherOriginIsNoEvent)
            }
        }
        for (path, after) in raw {
            guard let before = old.raw[path], before.value != after.value else { continue }
            events.append(
                ModelEvent(
                    observer: .raw(path), old: before.value, new: after.value,
                    oldOrigin: before.origin, newOrigin: after.origin))
            tally.hit(.rawEvent)
        }
        return events.sorted { $0.observer < $1.observer }
    }

    /// Returns the new rejections, and the recoveries from rejections that have ended.
    func diagnostics(since old: ModelAnswers?, tally: ModelTally) -> [ModelDiagnostic] {
        var found: [ModelDiagnostic] = []
        for (name, after) in typed {
            let bad = after.badCandidates
            let wasBad = old?.typed[name]?.badCandidates ?? [:]
            // A shadowed rejection is a warning, and the model has no warnings.
            for (place, version) in bad
            where !version.isShadowed
                && !(version.isSame(as: wasBad[place]) && wasBad[place]?.isShadowed == false)
            {
                let key = ModelPath(name).appending(version.part).description
                found.append(.ignored(key: key, version.origin, version.reason))
            }
            for (place, version) in wasBad where !version.isShadowed && bad[place]?.isShadowed != false {
                tally.hit(.rejectionRecovers)
                let key = ModelPath(name).appending(version.part).description
                found.append(.recovered(key: key, version.origin))
            }
        }
        return found
    }
}

extension ModelResolution {
    struct BadVersion {
        /// The path of the rejected part of a struct.
        var part: [String] = []
        /// The path of the field that the part belongs to.
        var field: [String] = []
        let origin: ModelOrigin
        let stored: ModelValue?
        let reason: ModelRejection
        let barringForm: String?
        /// True if an acceptable value above shadows this one.
        var isShadowed = false

        func isSame(as other: BadVersion?) -> Bool {
            stored == other?.stored && reason == other?.reason && barringForm == other?.barringForm
        }
    }

    /// The rejected candidates by layer and source. Another bad value of the key in the same source, even
    /// under another name, takes the place of the one before.
    var badCandidates: [[String]: BadVersion] {
        var bad: [[String]: BadVersion] = [:]
        for candidate in candidates {
            if let faults = candidate.faults {
                for fault in faults {
                    bad[[candidate.origin.layer, candidate.origin.source] + fault.place] = BadVersion(
                        part: fault.place, field: fault.field, origin: candidate.origin, stored: fault.stored,
                        reason: fault.reason, barringForm: nil, isShadowed: fault.isShadowed)
                }
                continue
            }
            guard case .rejected(let reason) = candidate.fate else { continue }
            bad[[candidate.origin.layer, candidate.origin.source]] = BadVersion(
                origin: candidate.origin, stored: candidate.stored, reason: reason,
                barringForm: candidate.barringForm, isShadowed: candidate.isBelowAcceptable)
        }
        return bad
    }
}

extension ModelSnapshot {
    /// Returns the candidates and locks that changed between two states, in any layer.
    func audit(since old: ModelSnapshot) -> [ModelAudit] {
        let (before, after) = (old.leaves, leaves)
        var audit: [ModelAudit] = []
        for leaf in Set(before.keys).union(after.keys) where before[leaf] != after[leaf] {
            audit.append(
                ModelAudit(
                    path: leaf.path, layer: leaf.layer, source: leaf.source, old: before[leaf],
                    new: after[leaf]))
        }
        for lock in Set(old.locks).symmetricDifference(locks) {
            let isNew = locks.contains(lock)
            audit.append(
                ModelAudit(
                    path: lock.path, layer: lock.layerName, source: nil, old: .bool(!isNew),
                    new: .bool(isNew)))
        }
        return audit.sorted()
    }

    /// Returns the notifications of an observer of all keys: one for every path whose untyped value differs.
    /// A path that has a dictionary before and after is left out if a path below it differs.
    ///
    /// For example, a change from `http = {port: 1}` to `http = {port: 2}` notifies of `http.port` only.
    func leafEvents(since old: ModelSnapshot) -> [ModelEvent] {
        // A former name may map to the variable of the key, and then reads the variable's text.
        let paths =
            Set((Array(old.leaves.keys) + leaves.keys).map(\.path)).flatMap(\.prefixes)
            + keys.flatMap(\.formerNames)
        var events: [ModelEvent] = []
        var received: Set<ModelPath> = []
        for path in Set(paths).sorted(by: { $0.components.count > $1.components.count }) {
            let (before, after) = (old.raw(path), raw(path))
            guard before.value != after.value else { continue }
            let wasNotifiedBelow = received.contains { path.isAncestor(of: $0) }
            received.insert(path)
            let forms = [before.value, after.value].compactMap { $0?.form }
            if wasNotifiedBelow, forms.allSatisfy({ $0 == "dictionary" }) { continue }
            events.append(
                ModelEvent(
                    observer: .leaf(path.description), old: before.value, new: after.value,
                    oldOrigin: before.origin, newOrigin: after.origin))
        }
        return events
    }

    private struct Leaf: Hashable {
        let path: ModelPath
        let layer: String
        let source: String
    }

    private var leaves: [Leaf: ModelValue] {
        var leaves: [Leaf: ModelValue] = [:]
        for source in sources {
            for path in source.pathsSet {
                let leaf = Leaf(path: path, layer: source.layerName, source: source.name)
                leaves[leaf] = source.value(at: path)
            }
        }
        return leaves
    }
}
