import PrefsDocuments
import PrefsSystem

extension PrefsStack {
    /// Declares a key: checks its values now and at every change, and reports the rejected ones.
    ///
    /// Each rejected value, in any layer, is reported once, and so is its recovery.
    ///
    /// You need not declare a key that you observe, or a key of a schema: both are declared automatically.
    public func declare<Value>(_ key: PersistentKey<Value>) {
        let name = key.name
        note([name])
        if key.traits.needsRestart {
            engine.state.withLock { $0.composition.known.markNeedsRestart(name) }
        }
        check(key)
    }

    /// Checks a key after a read has met a rejected value, unless the key's present values have been checked
    /// already. The key is not declared, so it claims no variable.
    func noteRejection(of key: PersistentKey<some Sendable>) {
        let generation = committedSnapshot.generation
        if !engine.reporter.rejections.withLock({ $0.isChecked(key.id, at: generation) }) { check(key) }
    }

    /// Makes every change check the values of a key that is read. The key claims no variable.
    func noteUse(of key: PersistentKey<some Sendable>) {
        if let declared = key.declared, !declared.isFirstUse(in: number) { return }
        let checked = key.checked
        let isNew = engine.reporter.rejections.withLock { $0.noteRead(checked) }
        if isNew { engine.state.withLock { $0.hasReports = true } }
    }

    /// Checks a key's candidates now and at every change.
    private func check(_ key: PersistentKey<some Sendable>) {
        let checked = key.checked
        engine.state.withLock { state in
            state.hasReports = true
            let snapshot = committedSnapshot
            let isChecked = engine.reporter.rejections.withLock { rejections in
                rejections.declare(checked)
                return rejections.isChecked(key.id, at: snapshot.generation)
            }
            if isChecked { return }
            engine.reporter.queue.add { [reporter = engine.reporter] in
                reporter.report([checked], in: snapshot)
            }
        }
        engine.reporter.queue.drain()
    }
}

extension PrefsStack {
    /// Declares keys by name, so that keys that no schema declares can be reported as unknown.
    ///
    /// Any number of schemas may share the stack: a key is unknown if none of them declares it. The first check
    /// runs one second after the last declaration, and later checks run at every commit. ``reportUnknownKeys()``
    /// checks at once.
    package func declare(_ names: [PrefsKeyName]) {
        note(names)
        let declaration = engine.reporter.unknownKeys.withLock { $0.noteDeclaration() }
        scheduler.run(after: .seconds(1)) { [weak self] in
            let isLast = self?.engine.reporter.unknownKeys.withLock { $0.declarations == declaration }
            if isLast == true { self?.reportUnknownKeys() }
        }
    }

    /// Reports each key and each variable that is not declared, or that is a former name.
    ///
    /// Each report gives the location and the most similar declared key. A key is reported once, and again only if
    /// it disappears and comes back.
    ///
    /// You need not call this method. The check runs at every change, and one second after a schema or a
    /// configuration was created. If the configuration at the root is released before that second is over, or the
    /// program ends, the check runs then. A program ends when `main` returns or when it calls `exit`. If it calls
    /// `_exit`, or if a signal kills it, nothing is reported.
    public func reportUnknownKeys() {
        UnknownKeysAtExit.remove(self)
        finishDeclaring()
        engine.state.withLock { state in
            state.hasReports = true
            let snapshot = committedSnapshot
            engine.reporter.queue.add { [weak engine] in
                guard let engine else { return }
                engine.reporter.reportUnknownKeys(in: snapshot, against: engine.declared)
            }
        }
        engine.reporter.queue.drain()
    }

    /// Reports unknown keys now, if their report is pending, for a program that reads its configuration once.
    func reportPendingUnknownKeys() {
        if engine.reporter.unknownKeys.withLock({ $0.isPending }) { reportUnknownKeys() }
    }

    /// Completes the declarations of schemas that have declared their keys only by name.
    func finishDeclaring() {
        let rest = schemas.withLock { schemas in
            defer { schemas.toDeclare = [] }
            return schemas.toDeclare
        }
        for declare in rest { declare(self) }
    }
}

/// The schemas of a stack that declare their keys.
struct DeclaredSchemas {
    /// The schemas that have been created.
    var known: Set<ObjectIdentifier> = []
    /// The declarations to complete before anything is checked.
    var toDeclare: [@Sendable (PrefsStack) -> Void] = []
}
