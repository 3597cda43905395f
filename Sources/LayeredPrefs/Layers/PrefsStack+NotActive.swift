import FileWatching
package import FoundationEssentials
package import PrefsDocuments
import PrefsSystem

/// The newest revision of a source that is not active, in whole or in part, and the reason.
package struct InactiveRevision: Sendable {
    /// The part of the revision that is not active.
    package enum Extent: Sendable {
        /// The whole revision, because it cannot be read. The last good contents stay active, if there are any.
        case unreadable
        /// The whole revision, or the values that the problems name. The previous ones stay active.
        case rejected
        /// The removal of the file. Its last contents stay active.
        case removal
        /// Wrong values that count as absent. They are from before the start, or have replaced such a value.
        case values
        /// The values, in all layers, that a ``Live`` does not use, because a change that nothing can reject, such
        /// as a key lock, has made it invalid.
        case configuration
        /// The whole revision, while the program is being asked about it.
        case waiting
    }

    package let extent: Extent
    package fileprivate(set) var layer: String?
    package let file: String?
    /// The time when this began. It stays the same while one rejected revision of the source follows another. For
    /// a file that cannot be read, it is the time of the file's last change.
    package let since: Date
    /// The problems, each with file, line and key as far as they are known.
    package let problems: [PrefsError]
    /// Both revisions, if nothing that differs between them is active.
    private var difference: (active: PrefsSource, newest: PrefsSource)?
    /// The paths of single values that are not active.
    private var singlePaths: [PrefsPath] = []

    /// The paths of the values that are not active. The array is empty for a revision that cannot be read.
    package var paths: [PrefsPath] {
        difference.map { Array(PrefsSource.differences($0.active, $0.newest)) } ?? singlePaths
    }
}

extension PrefsStack {
    /// The newest revisions that are not active, the oldest first: the difference between the newest contents and
    /// the contents that the program uses.
    ///
    /// ``status``, ``rejections``, explanations, the metrics, the inspection and the reports of a fleet all derive
    /// from this list, so they never disagree. Revisions that the program is still being asked about are not
    /// included.
    package var notActive: [InactiveRevision] { notActive(among: sourceStatus) }

    /// The newest revisions that are not active, including revisions that the program is still being asked about.
    package var inactiveRevisions: [InactiveRevision] { inactiveRevisions(among: sourceStatus) }

    fileprivate func notActive(among sources: [PrefsSourceStatus]) -> [InactiveRevision] {
        inactiveRevisions(among: sources).filter { $0.extent != .waiting }
    }

    private func inactiveRevisions(among sources: [PrefsSourceStatus]) -> [InactiveRevision] {
        let (rejections, active) = engine.state.withLock { ($0.rejected.all, committedSnapshot.state.parts) }
        let rejected = engine.reporter.rejections.withLock { $0.rejected }
        var revisions = sources.compactMap { InactiveRevision(unreadable: $0, of: self) }
        revisions += rejections.flatMap {
            InactiveRevision.all($0, $1, inPlaceOf: active[$0], among: rejections)
        }
        revisions += Dictionary(grouping: rejected) { RejectedRevisions.Name(layer: $0.layer, file: $0.file) }
            .map { InactiveRevision($0, $1) }
        revisions += engine.checks.withLock { $0.deciders }.compactMap(\.invalidity).map {
            InactiveRevision($0)
        }
        for layer in layers { revisions += layer.inactiveRevisions }
        return revisions.sorted {
            ($0.since, $0.layer ?? "", $0.file ?? "") < ($1.since, $1.layer ?? "", $1.file ?? "")
        }
    }

    /// The status of every layer's sources, from the lowest layer to the highest.
    ///
    /// Each entry lists the parts of the source's newest revision that are not active. Files that are gone have an
    /// entry, too, as long as their contents are still active.
    ///
    /// A change that nothing can reject, such as a key lock, may make a ``Live`` configuration invalid. An entry
    /// without a layer then reports this, and lists the values that the configuration does not use.
    public var status: [PrefsSourceStatus] {
        var sources = sourceStatus
        for revision in notActive(among: sources) where revision.extent != .unreadable {
            let rejection = PrefsSourceStatus.Rejection(revision)
            let index = sources.firstIndex { $0.layer == revision.layer && $0.file == revision.file }
            if let index {
                let earlier = sources[index].rejection
                sources[index].rejection =
                    earlier?.adding(rejection, isRemoval: earlier?.isRemoval == true || rejection.isRemoval)
                    ?? rejection
            } else {
                var gone = PrefsSourceStatus(layer: revision.layer, file: revision.file)
                gone.rejection = rejection
                let last = sources.lastIndex { $0.layer == revision.layer }
                sources.insert(gone, at: last.map { $0 + 1 } ?? sources.endIndex)
            }
        }
        return sources
    }

    /// The newest revisions, or single values of them, that the program does not use. The oldest rejection comes
    /// first.
    ///
    /// An entry is a revision that cannot be read, a revision that is rejected as a whole, a rejected removal of a
    /// file, or a list of rejected values. The program keeps the previous version instead. If the layer had no
    /// previous value, it still has none.
    ///
    /// If several revisions are rejected because of the same problems, they are one entry, which names all their
    /// files. An entry may name a file without a problem, because the files of a layer are accepted or rejected
    /// together.
    ///
    /// The list is empty if everything new is active, or waits for ``Live/apply(_:_:)`` handlers. So you can use
    /// it for a health check:
    ///
    /// ```swift
    /// let isHealthy = storage.rejections.isEmpty && !relay.isInconsistent
    /// ```
    public var rejections: [PrefsSourceStatus.Rejection] {
        notActive.map { PrefsSourceStatus.Rejection($0) }.reduce(into: []) { rejections, rejection in
            let problems = Set(rejection.problems)
            let index = rejections.firstIndex {
                problems.isSubset(of: $0.problems) || problems.isSuperset(of: $0.problems)
            }
            guard let index else { return rejections.append(rejection) }
            let isRemoval = rejections[index].isRemoval && rejection.isRemoval
            rejections[index] = rejections[index].adding(rejection, isRemoval: isRemoval)
        }
    }

    /// The values that the program still uses, by field, because a change that nothing can reject has made a
    /// ``Live`` invalid. A field without such a value has `nil`.
    package var heldValues: [String: PrefsValue?] {
        let held = engine.checks.withLock { $0.deciders }.compactMap(\.invalidity).flatMap(\.held)
        return Dictionary(held.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The status of every layer's sources, without rejections.
    var sourceStatus: [PrefsSourceStatus] { engine.sourceStatus }
}

extension InactiveRevision {
    /// Creates the description of a source that cannot be read; `nil` if it can.
    fileprivate init?(unreadable source: PrefsSourceStatus, of stack: PrefsStack) {
        guard var problem = source.problem else { return nil }
        problem.origin = problem.origin ?? PrefsOrigin(file: source.file)
        problem.origin?.layer = source.layer
        // The time was not recorded. A file has been unreadable since its last change at the earliest.
        let changed = source.file.flatMap { FileSignature(path: $0) }.map {
            Date(timeIntervalSince1970: Double($0.changed) / 1e9)
        }
        let lastGood = source.age.map { Date.now.addingTimeInterval(-($0 / .seconds(1))) }
        self.init(
            extent: .unreadable, layer: source.layer, file: source.file,
            since: changed ?? lastGood ?? stack.engine.reporter.start, problems: [problem])
    }

    /// Describes the newest revision of a source: as waiting for handlers, as rejected, or as both. It is both if
    /// an earlier revision, or some of its values, were rejected before.
    ///
    /// - Parameters:
    ///   - active: The active revision.
    ///   - rejections: All rejections, by source.
    fileprivate static func all(
        _ name: RejectedRevisions.Name, _ rejection: RejectedRevisions.Rejection,
        inPlaceOf active: PrefsSource?,
        among rejections: [RejectedRevisions.Name: RejectedRevisions.Rejection]
    ) -> [Self] {
        let difference = (active ?? .empty, rejection.revision ?? .empty)
        var revisions: [Self] = []
        if rejection.isPending || rejection.isProposed {
            var waiting = Self(.waiting, name, since: rejection.since, [])
            waiting.difference = difference
            revisions.append(waiting)
        }
        if rejection.isPending { return revisions }
        let isGone =
            rejection.rejectsRevision && rejection.revision?.isAbsent != false && active?.isAbsent == false
            && active?.root.isLeaf == false
        var rejected = Self(
            isGone ? .removal : .rejected, name, since: rejection.since,
            rejection.errors.map { RejectedRevisions.located($0, of: rejections) })
        if rejection.rejectsRevision && !rejection.isProposed {
            rejected.difference = difference
        } else {
            rejected.singlePaths = rejection.values?.map(\.path) ?? rejection.errors.compactMap(\.path)
        }
        return revisions + [rejected]
    }

    /// Creates the description of the wrong values of a source that count as absent.
    fileprivate init(_ name: RejectedRevisions.Name, _ values: [RejectionLog.Reported]) {
        var problems: [PrefsError] = []
        for error in values.map(\.value.error) where !problems.contains(error) { problems.append(error) }
        self.init(.values, name, since: values.map(\.since).min() ?? .now, problems)
        singlePaths = problems.compactMap(\.path)
    }

    private init(
        _ extent: Extent, _ name: RejectedRevisions.Name, since: Date, _ problems: [PrefsError]
    ) {
        self.init(
            extent: extent, layer: name.layer, file: name.file.map { String(decoding: $0, as: UTF8.self) },
            since: since, problems: problems)
    }

    fileprivate init(_ invalidity: ConfigurationInvalidity) {
        let held = invalidity.held.map { held in
            PrefsError(
                .invalid, key: held.key, origin: held.origin,
                reason:
                    "not used: \(invalidity.error.reason); keeping the previous value"
            )
        }
        self.init(
            extent: .configuration, layer: nil, file: nil, since: invalidity.since,
            problems: held.isEmpty ? [invalidity.error] : held)
        singlePaths = held.compactMap(\.path)
    }

    /// Returns the problems that concern a key with values in some places; `nil` if there are none.
    func concerning(_ key: String, from places: [PrefsOrigin]) -> PrefsSourceStatus.Rejection? {
        let own = problems.filter { problem in
            guard let other = problem.key else {
                // A problem without a key concerns the whole source.
                return extent != .configuration && places.contains { $0.layer == layer && $0.file == file }
            }
            return other.isAt(key) || key.isAt(other)
        }
        return own.isEmpty ? nil : PrefsSourceStatus.Rejection(self, own)
    }
}

extension PrefsError {
    /// The path of the key, or of the array that the key is an element of.
    fileprivate var path: PrefsPath? { key.map { PrefsPath(String($0.prefix { $0 != "[" })) } }
}

extension PrefsLayer {
    /// The inactive revisions of the inner stack that is this layer. Unreadable ones are left out, because the
    /// status of its sources reports them.
    fileprivate var inactiveRevisions: [InactiveRevision] {
        (stack?.inactiveRevisions ?? []).filter { $0.extent != .unreadable }.map { revision in
            var revision = revision
            revision.layer = name.qualifying(revision.layer)
            return revision
        }
    }
}

extension PrefsSourceStatus.Rejection {
    init(_ revision: InactiveRevision, _ problems: [PrefsError]? = nil) {
        self.init(
            since: revision.since, problems: problems ?? revision.problems,
            isRemoval: revision.extent == .removal, files: revision.file.map { [$0] } ?? [])
    }

    fileprivate func adding(_ other: Self, isRemoval: Bool) -> Self {
        Self(
            since: min(since, other.since),
            problems: problems + other.problems.filter { !problems.contains($0) },
            isRemoval: isRemoval, files: Set(files + other.files).sorted())
    }
}

/// The state of a ``Live`` after a change that nothing can reject has made it invalid.
struct ConfigurationInvalidity: Sendable {
    /// A field whose newest value the program does not use.
    struct Held: Sendable {
        let key: String
        /// The value that the program uses instead.
        let value: PrefsValue?
        /// The place of the newest value.
        let origin: PrefsOrigin?
    }

    let error: PrefsError
    let since: Date
    let held: [Held]
}
