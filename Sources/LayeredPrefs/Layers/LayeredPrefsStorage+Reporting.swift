import PrefsDocuments
import PrefsSystem

/// The reports about a stack's contents so far. Used only by the thread that is reporting, except for
/// declarations.
final class ReportedContents: Sendable {
    let rejections = Lock(RejectionLog())
    let unknownKeys = Lock(UnknownKeyReporter())
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
            committing.withLock { $0.composition.known.metadata.markNeedsRestart(name) }
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
        let isNew = reported.rejections.withLock { $0.noteRead(key.name) { $0.rejections(of: key) } }
        if isNew { committing.withLock { $0.hasReports = true } }
    }

    /// Checks a key's candidates now and at every change.
    private func check(_ key: PersistentKey<some Sendable>) {
        let name = key.name
        committing.withLock { state in
            state.hasReports = true
            let snapshot = committedSnapshot
            let check: RejectionLog.Check = { $0.rejections(of: key) }
            let isChecked = reported.rejections.withLock { rejections in
                rejections.declare(name, check)
                return rejections.isChecked(name.name, at: snapshot.generation)
            }
            if isChecked { return }
            let checked = RejectionLog.Checked(name: name, check: check)
            reports.add { [weak self] in self?.report([checked], in: snapshot) }
        }
        reports.drain()
    }

    /// Reports what a commit changed. Called in the order of the commits, with no mutex held: checks run
    /// validators, codings and defaults.
    func report(_ transition: PrefsTransition) {
        report(reported.rejections.withLock { $0.checks(touchedBy: transition.dirty) }, in: transition.new)
        let known = committing.withLock { $0.composition.known }
        send(reported.unknownKeys.withLock { $0.checkAgain(transition.new, against: known) })
    }

    private func report(_ checks: [RejectionLog.Checked], in snapshot: PrefsSnapshot) {
        var report = RejectionLog.Report()
        for checked in checks {
            let key = checked.name.name
            reported.rejections.withLock { $0.noteCheck(of: key, at: snapshot.generation) }
            let rejections = checked.check(snapshot).map { ($0.value, $0.error) }
            report.append(
                reported.rejections.withLock { $0.update(key, with: rejections, at: scheduler.now) })
        }
        send(report)
    }

    private func send(_ report: RejectionLog.Report) {
        for error in report.recovered { diagnostics.report(.recovered, error) }
        for error in report.rejected { diagnostics.report(.error, error) }
        guard let delay = report.wait else { return }
        scheduler.run(after: delay) { [weak self] in
            self?.reports.post { [weak self] in self?.sendHeldBack() }
        }
    }

    /// Reports the versions that were held back because there were too many.
    private func sendHeldBack() { send(reported.rejections.withLock { $0.wake(at: scheduler.now) }) }

    private func send(_ unknownKeys: [PrefsError]) {
        for error in unknownKeys { diagnostics.report(.warning, error) }
    }
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
