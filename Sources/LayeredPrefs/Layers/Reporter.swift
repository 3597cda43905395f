import FileWatching
import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// Reports the problems of a stack's contents: each problem once, and each recovery once.
///
/// The reports are made in the order of the commits, with no mutex held, because they call validators, codings and
/// defaults.
final class Reporter: Sendable {
    /// The pending reports.
    let queue = ObserverQueue()
    let rejections = Lock(RejectionLog())
    let unknownKeys = Lock(UnknownKeyReporter())
    let violations = Lock(ViolatedConstraints())
    /// The time when the stack was created.
    let start = Date()
    private let diagnostics: PrefsDiagnosticHandler
    private let scheduler: any Scheduler
    /// True while a repetition of reports is scheduled.
    private let repeats = Lock(false)

    init(_ diagnostics: PrefsDiagnosticHandler, _ scheduler: any Scheduler) {
        (self.diagnostics, self.scheduler) = (diagnostics, scheduler)
    }

    /// Reports the rejected values of some keys in a snapshot.
    func report(_ checks: [RejectionLog.Checked], in snapshot: PrefsSnapshot) {
        let news = checks.flatMap { checked in
            let key = checked.name.name
            rejections.withLock { $0.noteCheck(of: key, at: snapshot.generation) }
            let rejected = checked.check(snapshot)
            return rejections.withLock { $0.update(key, with: rejected) }
        }
        report(news)
    }

    /// Reports on the changes of a commit: rejected values, lost files and unknown keys.
    ///
    /// - Parameter known: The declared keys.
    func report(_ transition: PrefsTransition, against known: KnownKeys) {
        report(rejections.withLock { $0.checks(touchedBy: transition.dirty) }, in: transition.new)
        warn(transition.lostFiles)
        warn(unknownKeys.withLock { $0.checkAgain(transition.new, against: known) })
    }

    /// Reports the keys and variables of a snapshot that are not declared.
    func reportUnknownKeys(in snapshot: PrefsSnapshot, against known: KnownKeys) {
        warn(unknownKeys.withLock { $0.check(snapshot, against: known) })
    }

    /// Has news about rejected contents reported. Contents that stay rejected are then reported again once a day.
    ///
    /// - Parameter rejected: Returns the contents that are rejected at the time of a repetition.
    func post(_ news: [PrefsDiagnostic], repeating rejected: @escaping @Sendable () -> RejectedRevisions?) {
        queue.add { [weak self] in
            self?.report(news)
            self?.repeatLater(rejected)
        }
    }

    private func repeatLater(_ rejected: @escaping @Sendable () -> RejectedRevisions?) {
        let isComing = repeats.withLock { isComing in
            defer { isComing = true }
            return isComing
        }
        if isComing { return }
        let start = Date()
        scheduler.run(after: .seconds(86400)) { [weak self] in
            self?.queue.post { [weak self] in self?.repeatReports(of: rejected, since: start) }
        }
    }

    /// Reports again the contents that have been rejected since a time or longer.
    private func repeatReports(of rejected: @escaping @Sendable () -> RejectedRevisions?, since time: Date) {
        repeats.withLock { $0 = false }
        guard let versions = rejected() else { return }
        report(versions.repetitions(since: time))
        if !versions.all.isEmpty { repeatLater(rejected) }
    }

    /// Has new violations reported, and violations that have ended.
    func post(_ violations: [ConstraintViolation]) {
        if violations.isEmpty { return }
        queue.add { [weak self] in
            guard let self else { return }
            report(
                violations.compactMap { rule, error in
                    self.violations.withLock { $0.update(rule, with: error) }
                })
        }
    }

    private func report(_ diagnostics: [PrefsDiagnostic]) {
        for diagnostic in diagnostics { self.diagnostics.report(diagnostic.severity, diagnostic.error) }
    }

    private func warn(_ errors: [PrefsError]) { report(errors.map { PrefsDiagnostic(.warning, $0) }) }
}

/// The number of a rule over several keys, and its violation; `nil` if the values satisfy the rule.
typealias ConstraintViolation = (rule: Int, error: PrefsError?)

extension PrefsTransition {
    /// A warning for each file that was removed or emptied, and so lost active values, unless this program did
    /// that. A warning has the keys, but not their values.
    fileprivate var lostFiles: [PrefsError] {
        let groups = PrefsSnapshot.Parts.changedGroups(from: old.state.parts, to: new.state.parts) ?? []
        return groups.flatMap { before, after in
            let kept = Set(after.parts.map { ObjectIdentifier($0.source) })
            let changed = before.parts.filter { part in
                part.source.file != nil && part.source.hasEntries
                    && !kept.contains(ObjectIdentifier(part.source))
            }
            return changed.compactMap { lostFile($0, before.parts.map(\.source), after.parts.map(\.source)) }
        }
    }

    /// Returns the warning for a file whose revision is gone; `nil` if the file has lost no active values.
    private func lostFile(
        _ part: PrefsSnapshot.Part, _ before: [PrefsSource], _ after: [PrefsSource]
    ) -> PrefsError? {
        let file = part.source.file ?? ""
        let next = after.first { $0.file == file }
        if let next, next.hasEntries || next.cause == .write { return nil }
        let size = FileSignature(path: file)?.size
        // A file that another file hides is still there.
        if next == nil, let size, size > 0 { return nil }
        let (known, folder) = (Set(before.compactMap(\.file)), Self.folder(of: file))
        let others = after.filter { source in
            source.file.map { !known.contains($0) && Self.folder(of: $0) == folder } ?? false
        }
        let keys = lostKeys(of: part.source, replacedBy: others)
        if keys.isEmpty { return nil }
        let verb = size == nil ? "removed" : "emptied"
        return PrefsError(
            .missing, origin: PrefsOrigin(layer: part.layer, file: file),
            reason: "the file was \(verb); these keys fall back to lower layers, or to their defaults: "
                + keys.shortened)
    }

    /// Returns the keys of a file whose values have changed, sorted.
    ///
    /// - Parameter others: New files beside it, such as the same file in another format. Their keys are not lost.
    private func lostKeys(of source: PrefsSource, replacedBy others: [PrefsSource]) -> [String] {
        var leaves = PathList()
        source.root.addLeaves(at: PrefsPath(components: []), to: &leaves)
        return leaves.filter { leaf in
            old.untypedValue(at: leaf) != new.untypedValue(at: leaf)
                && !others.contains { $0.tree.value(at: leaf) != nil }
        }.map(\.name).sorted()
    }

    /// Returns the folder of a file. A folder of drop-ins is named without the extension of their format.
    private static func folder(of file: String) -> String {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
        guard folder.hasSuffix(".d") else { return folder }
        return PrefsFileFormat.stem(of: String(folder.dropLast(2))) ?? folder
    }
}

extension [String] {
    /// The first of some names, separated by commas, and the number of the others.
    var shortened: String {
        let (shown, more) = (prefix(PrefsLimits.reports).joined(separator: ", "), count - PrefsLimits.reports)
        return more > 0 ? "\(shown) and \(more) more" : shown
    }
}

extension PrefsSource {
    fileprivate var hasEntries: Bool { root.count > 0 }
}
