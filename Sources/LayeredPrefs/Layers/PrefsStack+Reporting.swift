import FileWatching
import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// The reports about a stack's contents so far. Used only by the thread that is reporting, except for
/// declarations.
final class ReportedContents: Sendable {
    let rejections = Lock(RejectionLog())
    let unknownKeys = Lock(UnknownKeyReporter())
    /// The time from which on the stack exists.
    let start = Date()
    /// True while a repetition of what stays refused is to come.
    let repeatsRefusals = Lock(false)
    /// The schemas that have declared their keys when they were created.
    let schemas = Lock<Set<ObjectIdentifier>>([])
    /// What is to be declared of them before anything is checked.
    let toDeclare = Lock<[@Sendable (PrefsStack) -> Void]>([])
}

extension PrefsStack {
    /// Declares a key: checks its values now and at every change, and reports the rejected ones.
    ///
    /// Each rejected version in any layer is reported once, and so is its recovery.
    ///
    /// You need not declare a key that you observe, or a key of a schema: both are declared automatically.
    public func declare<Value>(_ key: PersistentKey<Value>) {
        let name = key.name
        note([name])
        if key.traits.needsRestart {
            committing.withLock { $0.composition.known.markNeedsRestart(name) }
        }
        check(key)
    }

    /// Checks a key of which a read has met a rejected value, unless its present value has been checked. The key
    /// is not declared, so it claims no variable.
    func noteRejection(of key: PersistentKey<some Sendable>) {
        let generation = committedSnapshot.generation
        if !reported.rejections.withLock({ $0.isChecked(key.id, at: generation) }) { check(key) }
    }

    /// Has the values of a key that is read checked at every change, as those of a declared key are. The key claims no
    /// variable.
    func noteUse(of key: PersistentKey<some Sendable>) {
        if let declared = key.declared, !declared.isFirstUse(in: number) { return }
        let checked = RejectionLog.Checked(name: key.name) { $0.rejections(of: key) }
        let isNew = reported.rejections.withLock { $0.noteRead(checked) }
        if isNew { committing.withLock { $0.hasReports = true } }
    }

    /// Checks a key's candidates now and at every change.
    private func check(_ key: PersistentKey<some Sendable>) {
        let checked = RejectionLog.Checked(name: key.name) { $0.rejections(of: key) }
        committing.withLock { state in
            state.hasReports = true
            let snapshot = committedSnapshot
            let isChecked = reported.rejections.withLock { rejections in
                rejections.declare(checked)
                return rejections.isChecked(key.id, at: snapshot.generation)
            }
            if isChecked { return }
            reports.add { [weak self] in self?.report([checked], in: snapshot) }
        }
        reports.drain()
    }

    /// Reports what a commit changed. Called in the order of the commits, with no mutex held: checks run
    /// validators, codings and defaults.
    func report(_ transition: PrefsTransition) {
        report(reported.rejections.withLock { $0.checks(touchedBy: transition.dirty) }, in: transition.new)
        send(transition.lostFiles)
        let known = committing.withLock { $0.composition.known }
        send(reported.unknownKeys.withLock { $0.checkAgain(transition.new, against: known) })
    }

    private func report(_ checks: [RejectionLog.Checked], in snapshot: PrefsSnapshot) {
        let news = checks.flatMap { checked in
            let key = checked.name.name
            reported.rejections.withLock { $0.noteCheck(of: key, at: snapshot.generation) }
            let rejections = checked.check(snapshot)
            return reported.rejections.withLock { $0.update(key, with: rejections) }
        }
        send(news)
    }

    private func send(_ diagnostics: [PrefsDiagnostic]) {
        for diagnostic in diagnostics { self.diagnostics.report(diagnostic.severity, diagnostic.error) }
    }

    private func send(_ unknownKeys: [PrefsError]) {
        for error in unknownKeys { diagnostics.report(.warning, error) }
    }
}

extension PrefsStack {
    /// Posts the reports about what a commit has refused, and has what stays refused reported once a day.
    func reportRefusals(_ news: [PrefsDiagnostic]) {
        if news.isEmpty { return }
        reports.add { [weak self] in
            self?.send(news)
            self?.repeatRefusalsLater()
        }
    }

    private func repeatRefusalsLater() {
        let isComing = reported.repeatsRefusals.withLock { isComing in
            defer { isComing = true }
            return isComing
        }
        if isComing { return }
        let start = Date()
        scheduler.run(after: .seconds(86400)) { [weak self] in
            self?.reports.post { [weak self] in self?.repeatRefusals(since: start) }
        }
    }

    /// Reports again what has been refused since a time or longer.
    private func repeatRefusals(since time: Date) {
        reported.repeatsRefusals.withLock { $0 = false }
        let refused = committing.withLock { $0.refused }
        send(refused.repetitions(since: time))
        if !refused.all.isEmpty { repeatRefusalsLater() }
    }
}

extension PrefsTransition {
    /// A warning for each file that was removed or emptied and thereby lost active values, unless this program has done it:
    /// with the keys, and without their values.
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

    /// Returns the warning for a file whose version is gone; `nil` if it has lost no active values.
    private func lostFile(
        _ part: PrefsSnapshot.Part, _ before: [PrefsSource], _ after: [PrefsSource]
    ) -> PrefsError? {
        let file = part.source.file ?? ""
        let next = after.first { $0.file == file }
        if let next, next.hasEntries || next.cause == .write { return nil }
        let size = FileSignature(path: file)?.size
        // One that another file hides is still there.
        if next == nil, let size, size > 0 { return nil }
        let (known, folder) = (Set(before.compactMap(\.file)), Self.folder(of: file))
        let others = after.filter { source in
            source.file.map { !known.contains($0) && Self.folder(of: $0) == folder } ?? false
        }
        let keys = lostKeys(of: part.source, replacedBy: others)
        if keys.isEmpty { return nil }
        let (verb, more) = (size == nil ? "removed" : "emptied", keys.count - PrefsLimits.reports)
        let shown = keys.prefix(PrefsLimits.reports).joined(separator: ", ")
        return PrefsError(
            .missing, origin: PrefsOrigin(layer: part.layer, file: file),
            reason: "the file was \(verb); these keys fall back to lower layers, or to their defaults: "
                + (more > 0 ? "\(shown) and \(more) more" : shown))
    }

    /// Returns the keys of a file that have other values than before, sorted.
    ///
    /// - Parameter others: New files beside it, such as the same file in another format: their keys are not lost.
    private func lostKeys(of source: PrefsSource, replacedBy others: [PrefsSource]) -> [String] {
        var leaves = PathList()
        source.root.addLeaves(at: PrefsPath(components: []), to: &leaves)
        return leaves.filter { leaf in
            old.untypedValue(at: leaf) != new.untypedValue(at: leaf)
                && !others.contains { $0.tree.value(at: leaf) != nil }
        }.map(\.name).sorted()
    }

    /// Returns the folder of a file; that of drop-ins without the extension of their format.
    private static func folder(of file: String) -> String {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
        guard folder.hasSuffix(".d") else { return folder }
        return PrefsFileFormat.stem(of: String(folder.dropLast(2))) ?? folder
    }
}

extension PrefsSource {
    fileprivate var hasEntries: Bool { root.count > 0 }
}

extension PrefsStack {
    /// Declares keys by name, so that keys that no schema declares can be reported as unknown.
    ///
    /// Any number of schemas may share the stack: a key is unknown if none of them declares it. The first
    /// check runs one second after the last declaration, later ones at every commit. ``reportUnknownKeys()``
    /// checks at once.
    package func declare(_ names: [PrefsKeyName]) {
        note(names)
        let declaration = reported.unknownKeys.withLock { $0.noteDeclaration() }
        scheduler.run(after: .seconds(1)) { [weak self] in
            let isLast = self?.reported.unknownKeys.withLock { $0.declarations == declaration }
            if isLast == true { self?.reportUnknownKeys() }
        }
    }

    /// Reports each key and each variable that is not declared, or that is a former name.
    ///
    /// Each report gives the location and the most similar declared key. A key is reported once, and again only if it
    /// disappears and comes back.
    ///
    /// You need not call this method. The check runs at every change, and one second after a schema or a configuration
    /// was created. If the configuration at the root is released before that second is over, the check runs then.
    public func reportUnknownKeys() {
        finishDeclaring()
        committing.withLock { state in
            state.hasReports = true
            let snapshot = committedSnapshot
            reports.add { [weak self] in self?.reportUnknownKeys(in: snapshot) }
        }
        reports.drain()
    }

    /// Reports what is to be reported soon, for a program that reads its configuration once.
    func reportPendingUnknownKeys() {
        if reported.unknownKeys.withLock({ $0.isPending }) { reportUnknownKeys() }
    }

    /// Declares the rest of what schemas have declared by name.
    func finishDeclaring() {
        let rest = reported.toDeclare.withLock { rest in
            defer { rest = [] }
            return rest
        }
        for declare in rest { declare(self) }
    }

    private func reportUnknownKeys(in snapshot: PrefsSnapshot) {
        let known = committing.withLock { $0.composition.known }
        send(reported.unknownKeys.withLock { $0.check(snapshot, against: known) })
    }
}
