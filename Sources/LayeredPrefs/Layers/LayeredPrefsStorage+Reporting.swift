import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// The reports about a stack's contents so far. Used only by the thread that is reporting, except for
/// declarations.
final class ReportedContents: Sendable {
    let rejections = Lock(RejectionLog())
    let unknownKeys = Lock(UnknownKeyReporter())
    /// The limit of reports about values and versions that keep changing.
    let limit = Lock(ReportLimit())
    /// True while a repetition of what stays refused is to come.
    let repeatsRefusals = Lock(false)
}

extension LayeredPrefsStorage {
    /// Checks a key's candidates now and at every change, and reports the rejected ones: each bad version in
    /// any layer once, and its recovery once.
    ///
    /// Observing a key declares it, as does a schema that contains it. A value that changes from one rejected
    /// version to another again and again is reported at most 20 times a minute, the last version always.
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
        send(transition.emptiedLayers)
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
        sendWithinLimit(news)
    }

    /// Reports diagnostics now or, if there are too many about one value or file, the last of them later.
    private func sendWithinLimit(_ news: [PrefsDiagnostic]) {
        if !news.isEmpty { send(reported.limit.withLock { $0.add(news, at: scheduler.now) }) }
    }

    private func send(_ due: ReportLimit.Due) {
        for diagnostic in due.diagnostics { diagnostics.report(diagnostic.severity, diagnostic.error) }
        guard let delay = due.wait else { return }
        scheduler.run(after: delay) { [weak self] in
            self?.reports.post { [weak self] in self?.sendHeldBack() }
        }
    }

    /// Reports what was held back because there was too much.
    private func sendHeldBack() { send(reported.limit.withLock { $0.wake(at: scheduler.now) }) }

    private func send(_ unknownKeys: [PrefsError]) {
        for error in unknownKeys { diagnostics.report(.warning, error) }
    }
}

extension LayeredPrefsStorage {
    /// Posts the reports about what a commit has refused, and has what stays refused reported once a day.
    func reportRefusals(_ news: [PrefsDiagnostic]) {
        if news.isEmpty { return }
        reports.add { [weak self] in
            self?.sendWithinLimit(news)
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
        for diagnostic in refused.repetitions(since: time) {
            diagnostics.report(diagnostic.severity, diagnostic.error)
        }
        if !refused.all.isEmpty { repeatRefusalsLater() }
    }
}

extension PrefsTransition {
    /// A warning for each layer whose files had values and have none any more, unless this program has removed them.
    fileprivate var emptiedLayers: [PrefsError] {
        let groups = PrefsSnapshot.Parts.changedGroups(from: old.state.parts, to: new.state.parts) ?? []
        return groups.compactMap { before, after in
            guard let part = before.parts.first(where: { $0.source.file != nil && $0.source.hasEntries }),
                !after.parts.contains(where: { $0.source.hasEntries || $0.source.cause == .write })
            else { return nil }
            return PrefsError(
                .missing, origin: PrefsOrigin(layer: part.layer, file: part.source.file),
                reason: "the file was removed or emptied, and the layer has no values any more")
        }
    }
}

extension PrefsSource {
    fileprivate var hasEntries: Bool { root.count > 0 }
}

extension LayeredPrefsStorage {
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

    /// Reports each key and variable that no schema declares, or that is a former name, with its location and
    /// the most similar declared key.
    ///
    /// Each is reported once, and again only if it disappears and comes back.
    public func reportUnknownKeys() {
        committing.withLock { state in
            state.hasReports = true
            let snapshot = committedSnapshot
            reports.add { [weak self] in self?.reportUnknownKeys(in: snapshot) }
        }
        reports.drain()
    }

    private func reportUnknownKeys(in snapshot: PrefsSnapshot) {
        let known = committing.withLock { $0.composition.known }
        send(reported.unknownKeys.withLock { $0.check(snapshot, against: known) })
    }
}
