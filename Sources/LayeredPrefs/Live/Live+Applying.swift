import PrefsDocuments
import PrefsFiles

extension Live {
    /// Registers a handler: a closure that applies each change of a part of the configuration, or throws to reject it.
    ///
    /// ```swift
    /// let listening = relay.apply(\.listen) { old, new in try await server.rebind(new) }
    /// ```
    ///
    /// Nothing reads the new value until every handler has accepted it. If a handler throws, the handlers that have
    /// accepted are called again in reverse order, with the old and new values exchanged. The edit is then rejected
    /// with the reason. A rejected edit is offered again when the part changes, and on ``PrefsStack/reload()``. The
    /// handler is not called for the first value.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - body: A closure that gets the old and the new value of the part. Handlers are called in the order of
    ///     registration, one at a time. Within the handler, ``update(_:)`` and ``applied()`` throw, and
    ///     ``PrefsStack/reload()`` only reports an error. A handler that runs for ten seconds is reported.
    /// - Returns: The registration, which ends when it is cancelled or released.
    public func apply<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        _ body: @escaping @Sendable (_ old: Part, _ new: Part) async throws -> Void
    ) -> PrefsObservation {
        register(ApplyHandler(of: { $0[keyPath: part] }) { try await body($0 ?? $1, $1) })
    }

    /// Registers a handler that prepares for a change of a part before the change takes effect, and switches
    /// afterwards.
    ///
    /// Use a two-phase handler for a resource that a rejected edit must not touch, such as a socket:
    ///
    /// ```swift
    /// let listening = relay.apply(\.listen) { old, new in
    ///     try await server.open(new)          // the old socket goes on accepting
    /// } commit: { socket in
    ///     await server.use(socket)            // now it is closed
    /// } abort: { socket in
    ///     await server.close(socket)
    /// }
    /// ```
    ///
    /// The handlers of all configurations of a stack decide together. First, all `prepare` closures are called. Then,
    /// the handlers of ``apply(_:_:)`` are called. Each group is called in the order of registration. If all handlers
    /// accept, the change takes effect, and then the `commit` closures are called, in order. If one throws, the
    /// `abort` closures are called in reverse order, and the change is rejected with the reason.
    ///
    /// Each result of `prepare` gets exactly one `commit` or `abort`. It also gets an `abort` in these cases: a newer
    /// edit comes before the change has taken effect, ``update(_:)`` cannot write, or the registration or the
    /// configuration ends in the meantime. ``applied()``, ``update(_:)`` and the next change wait for the `commit` or
    /// `abort`.
    ///
    /// Some changes cannot be rejected, such as a lock. They are prepared and committed after they have taken effect.
    /// If `prepare` throws then, ``isInconsistent`` becomes `true`.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - prepare: Prepares for the new value, or throws to reject it. It gets the part before and after the change.
    ///     It must not change anything that the program uses. All three closures are called one at a time, on any
    ///     thread. Within them, ``update(_:)`` and ``applied()`` throw.
    ///   - commit: Switches to the result of `prepare`.
    ///   - abort: Discards the result of `prepare`.
    /// - Returns: The registration, which ends when it is cancelled or released.
    public func apply<Part: Encodable & Sendable, Prepared: Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        prepare: @escaping @Sendable (_ old: Part?, _ new: Part) async throws -> Prepared,
        commit: @escaping @Sendable (Prepared) async -> Void,
        abort: @escaping @Sendable (Prepared) async -> Void
    ) -> PrefsObservation {
        register(
            ApplyHandler(of: { $0[keyPath: part] }, prepare: prepare, commit: commit, abort: abort))
    }

    /// Calls a closure with the current value of a part, and then for every change, as ``apply(_:_:)`` does.
    ///
    /// ```swift
    /// let listening = try await relay.applyNow(\.listen) { try await server.listen(on: $0) }
    /// ```
    ///
    /// If an edit changes the part in the meantime, it waits until the closure has returned, and is offered then.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - body: A closure that gets the value to apply. If a later handler has rejected that value, it is called
    ///     again with the previous one.
    /// - Returns: The registration, which ends when it is cancelled or released.
    /// - Throws: ``PrefsError`` with file, line and key if the handler throws for the current value. The handler is
    ///   not registered then. `CancellationError` if the task is cancelled while another value is being applied, or if
    ///   the handler throws this error. ``PrefsError`` with the code `unsupported` within another handler.
    public func applyNow<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable, _ body: @escaping @Sendable (Part) async throws -> Void
    ) async throws -> PrefsObservation {
        try await registerNow(ApplyHandler(of: { $0[keyPath: part] }) { try await body($1) })
    }

    /// Prepares and commits the current value of a part, and then every change, as ``apply(_:prepare:commit:abort:)``
    /// does.
    ///
    /// ```swift
    /// let listening = try await relay.applyNow(\.listen) { old, new in
    ///     try await server.open(new, replacing: old)
    /// } commit: {
    ///     await server.use($0)
    /// } abort: {
    ///     await server.close($0)
    /// }
    /// ```
    ///
    /// If an edit changes the part in the meantime, it waits until the current value has been committed.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - prepare: Prepares for the new value, or throws to reject it. It gets the part before and after the change.
    ///     For the current value, the old part is `nil`.
    ///   - commit: Switches to the result of `prepare`.
    ///   - abort: Discards the result of `prepare`.
    /// - Returns: The registration, which ends when it is cancelled or released.
    /// - Throws: ``PrefsError`` with file, line and key if `prepare` throws for the current value. The handler is not
    ///   registered then. `CancellationError` if the task is cancelled while another value is being applied, or if
    ///   `prepare` throws this error. ``PrefsError`` with the code `unsupported` within another handler.
    public func applyNow<Part: Encodable & Sendable, Prepared: Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        prepare: @escaping @Sendable (_ old: Part?, _ new: Part) async throws -> Prepared,
        commit: @escaping @Sendable (Prepared) async -> Void,
        abort: @escaping @Sendable (Prepared) async -> Void
    ) async throws -> PrefsObservation {
        try await registerNow(
            ApplyHandler(of: { $0[keyPath: part] }, prepare: prepare, commit: commit, abort: abort))
    }

    private func register(_ handler: ApplyHandler<Value>) -> PrefsObservation {
        PrefsObservation(content.add(handler))
    }

    private func registerNow(_ handler: ApplyHandler<Value>) async throws -> PrefsObservation {
        PrefsObservation(try await content.addNow(handler))
    }

    /// Waits until every ``apply(_:_:)`` handler has accepted or rejected the contents that the stack has read.
    ///
    /// The handlers of all configurations of the stack are included, and so is the delivery of the resulting changes.
    /// If the task is cancelled, the wait ends early.
    ///
    /// - Throws: ``PrefsError`` with the code `unsupported` within such a handler, which would wait for itself.
    public func applied() async throws {
        if ApplyCall.isUnderWay {
            throw PrefsError(
                .unsupported,
                reason: """
                    `applied()` waits until all `apply` handlers have returned, so it cannot be called within one; \
                    call it after the handler has returned
                    """)
        }
        await storage.applied()
    }

    /// A Boolean value that indicates whether a handler has failed to apply the active value.
    ///
    /// The program may then use other settings. A handler can fail when it is called again because a later handler has
    /// rejected a change. It can also fail for a change that nothing can reject, such as a lock. The value is `false`
    /// again once the handler has applied a later value, or its registration has ended.
    ///
    /// Such a failure is also reported as an error.
    public var isInconsistent: Bool { content.isInconsistent }

    /// Updates the configuration: checks the new value, calls the ``apply(_:_:)`` handlers with it, and writes the
    /// changes.
    ///
    /// ```swift
    /// try await relay.update { $0.connections += 1 }
    /// ```
    ///
    /// The file is locked from the last call of `change` until the fields are written, and `change` gets the values
    /// that the file has then. So no change is lost, however many processes update one file. If another process has
    /// made an edit that an ``apply(_:_:)`` handler must accept first, the update waits for the decision. If that edit
    /// was rejected, the update is rejected, too, and the error names the file, unless the update fixes the problem.
    ///
    /// If a higher layer sets a field, such as a variable, the field is written but keeps its value. If a field
    /// becomes `nil`, it is removed, and takes the value of a lower layer, or else its default. The handlers are asked
    /// about the value that will be active. Once they are being called, cancelling the task has no effect.
    ///
    /// - Parameter change: A closure that changes a copy of ``current``. It may be called more than once, and only the
    ///   last call counts. It may read any storage, but a write within it throws.
    /// - Returns: `shadowed(by:)` if a field has the value of another layer, or if it has its default instead of
    ///   `nil`. In the second case, the layer of the origin is `default`. Otherwise, `effective`.
    /// - Throws: ``PrefsError`` if the value is invalid, the program rejects it, or it cannot be written. Nothing is
    ///   changed then, with one exception: if the code is `notDurable`, the new value is active, but a crash may undo
    ///   the write. The code is `busy` if other processes keep changing values that a handler must accept.
    ///   `CancellationError` if the task is cancelled while another value is being applied. Any error that `change`
    ///   throws.
    @discardableResult
    public func update(_ change: (inout Value) throws -> Void) async throws -> PrefsWriteOutcome {
        try await content.update(change)
    }
}

extension WholeConfiguration {
    func add(_ handler: ApplyHandler<Value>) -> @Sendable () -> Void {
        let number = addedNumber(of: handler)
        return { [handlers] in handlers.remove(number) }
    }

    func addNow(_ handler: ApplyHandler<Value>) async throws -> @Sendable () -> Void {
        if ApplyCall.isUnderWay {
            throw PrefsError(
                .unsupported,
                reason: """
                    `applyNow` waits until all other handlers have returned, so it cannot be called within one; \
                    call it after the handler has returned
                    """)
        }
        return try await handlers.alone {
            let number = addedNumber(of: handler)
            // A commit that was checked before the handler was registered is active after this one.
            storage.commit()
            do { try await handlers.start(number) } catch {
                handlers.remove(number)
                throw error
            }
            return { [handlers] in handlers.remove(number) }
        }
    }

    /// Adds a handler that uses the active value; returns its number.
    private func addedNumber(of handler: ApplyHandler<Value>) -> Int {
        let generation = changes.generation
        let number = handlers.add(handler, using: handlers.lastValid)
        // A commit that did not know the handler yet may have changed the part in the meantime.
        if changes.generation != generation { storage.engine.scheduleCommit() }
        return number
    }

    func update(_ change: (inout Value) throws -> Void) async throws -> PrefsWriteOutcome {
        if ApplyCall.isUnderWay {
            throw PrefsError(
                .unsupported,
                reason:
                    "an `apply` handler cannot update the configuration; update it after the handler returns")
        }
        let end = ContinuousClock.now + CommitEngine.lockTimeout
        var (attempts, decided) = (0, PrefsSource?.none)
        while true {
            attempts += 1
            let isLast = attempts >= PrefsFileWriter.attempts && ContinuousClock.now > end
            do {
                return try await updateOnce(change, decided)
            } catch let undecided as UndecidedContents {
                if isLast { throw UndecidedContents.busy }
                decided = undecided.contents
            } catch let error as PrefsError where error.problems.contains(where: { $0.code == .undecided }) {
                if isLast { throw UndecidedContents.busy }
            }
            // Includes an edit that the watcher has not seen yet.
            storage.refreshWriteTarget()
            await storage.applied()
        }
    }

    /// - Parameter decided: The contents of the file that the stack has decided on.
    private func updateOnce(
        _ change: (inout Value) throws -> Void, _ decided: PrefsSource?
    ) async throws -> PrefsWriteOutcome {
        var proposed: (contents: PrefsSnapshot, edits: [PathEdit])?
        return try await handlers.storing {
            if handlers.registrations.isEmpty { return nil }
            let target = try storage.target(nil, forKey: nil)
            return try withEdits(change, decided, in: target) { edits, last in
                try storage.makeDeferredWrites()
                let written = try storage.engine.contents(proposedBy: handlers) {
                    let write = PreparedWrite(layers: [target], edits: try target.prepare(edits))
                    return (write, paths: last()?.edits.map(\.path) ?? [])
                }
                proposed = last().map { (written, $0.edits) }
                return try last().map { ($0.old, try fields.value(in: written).get()) }
            }
        } locating: { error in
            // The update did not change this value, so the file already contained the wrong value.
            guard let proposed, let path = error.key.map({ PrefsPath($0) }),
                !proposed.edits.contains(where: { $0.path.contains(path) || path.contains($0.path) })
            else { return error }
            return fields.locatedInFile(error, in: proposed.contents)
        } _: {
            // The file may already contain a value that was rejected, so the stack has to decide on it again.
            _ = storage.engine.composeAgain()
            try storage.makeDeferredWrites()
            let target = try storage.target(nil, forKey: nil)
            return try withEdits(change, decided, in: target) { edits, last in
                try storage.commit([PreparedWrite(layers: [target], edits: try target.prepare(edits))])
                let origin = last().flatMap { update in
                    fields.origin(
                        shadowingChangesOf: update.before, to: update.after, in: storage.committedSnapshot,
                        target)
                }
                return origin.map { .shadowed(by: $0) } ?? .effective
            }
        }
    }

    /// The result of an update for the contents of a file.
    private struct Update {
        let old: Value
        /// The stored forms of the value before and after.
        let before: PrefsValue
        let after: PrefsValue
        let edits: [PathEdit]
    }

    /// Calls `body` with the edits of a change, and with a function that returns the last update that the change
    /// has made. The edits follow from the contents that the file has when it is locked.
    private func withEdits<Result>(
        _ change: (inout Value) throws -> Void, _ decided: PrefsSource?, in target: PrefsLayer,
        _ body: (PathEdits, _ last: () -> Update?) throws -> Result
    ) throws -> Result {
        try withoutActuallyEscaping(change) { change in
            var last: Update?
            let edits = PathEdits.following { [self] contents in
                let update = try update(contents, of: target, decided, change)
                last = update
                return update.edits
            }
            return try body(edits) { last }
        }
    }

    private func update(
        _ contents: PrefsSource, of target: PrefsLayer, _ decided: PrefsSource?,
        _ change: (inout Value) throws -> Void
    ) throws -> Update {
        let (old, snapshot) = try present(contents, of: target, decided)
        let before = fields.encoded(old)
        // A copy, even if the value is an object.
        var new = try fields.value(of: before) { fields.isSet($0, in: snapshot) }.get()
        try UpdateCall.run { try change(&new) }
        let after = fields.encoded(new)
        let changed = fields.changed(from: before, to: after).map(\.place)
        _ = try fields.obeyingRule(after) { [fields] field in
            changed.contains(field.place)
                ? after.value(at: field.place[...]) != nil : fields.isSet(field, in: snapshot)
        }.get()
        var write = fields.transaction(from: before, to: after, in: contents.tree)
        var edits = try storage.edits(of: write, in: target, replacing: contents)
        let empty = fields.emptySections(of: after) {
            let written = contents.following(.fixed(edits)) ?? contents
            return storage.committedSnapshot.taking(written, in: target).snapshot
        }
        if !empty.isEmpty {
            for section in empty { write.setValue(.dictionary([:]), forKey: section.name.name) }
            edits = try storage.edits(of: write, in: target, replacing: contents)
        }
        return Update(old: old, before: before, after: after, edits: edits)
    }

    /// Returns the present value and the snapshot that gives it. They include changes that another process has
    /// made in the file and that the stack has not read yet.
    ///
    /// - Throws: ``UndecidedContents`` if the stack has to decide on these changes first.
    private func present(
        _ contents: PrefsSource, of target: PrefsLayer, _ decided: PrefsSource?
    ) throws -> (Value, PrefsSnapshot) {
        let active = storage.committedSnapshot
        let present = (try? fields.value(in: active).get()) ?? handlers.lastValid
        let (newest, part) = active.taking(contents, in: target)
        let known = part < active.state.parts.count ? active.state.parts[part].source : .empty
        let isDecided = [known, decided].compactMap(\.self).contains {
            PrefsSource.haveSameContents($0, contents)
        }
        if isDecided { return (present, active) }
        let isRight = fields.problems(in: newest).without(fields.problems(in: active)).isEmpty
        let value = (try? fields.value(in: newest).get()) ?? present
        guard isRight, handlers.registrations.allSatisfy({ $0.part(value) == $0.part(present) }) else {
            throw UndecidedContents(contents: contents)
        }
        return (value, newest)
    }
}

/// The contents of a file, changed by another process, that the stack has not decided on.
private struct UndecidedContents: Error {
    let contents: PrefsSource

    static let busy = PrefsError(
        .busy, reason: "not written because other processes keep changing the file; try again")
}

extension PrefsOrigin {
    /// The origin of a key's default.
    fileprivate static let keyDefault = PrefsOrigin(layer: "default")
}

extension ConfigurationFields {
    /// Returns the writes that change one value into another. A table, even an empty one, means a section with its
    /// defaults. So a removed section is removed as a whole, and none of its fields is written.
    ///
    /// - Parameter contents: The present contents of the written layer.
    fileprivate func transaction(
        from before: PrefsValue, to after: PrefsValue, in contents: PrefsTree
    ) -> PrefsTransaction {
        var transaction = PrefsTransaction()
        let removed = removedSections(from: before, to: after)
        for section in removed { transaction.removeValue(forKey: section.name.name) }
        for field in changed(from: before, to: after)
        where !removed.contains(where: { field.place.starts(with: $0.place) }) {
            if let value = after.value(at: field.place[...]) {
                let own = contents.acceptableValue(at: PrefsPath(field.key.id))
                transaction.setValue(
                    respelled(value, like: own, of: field, in: before) ?? value, forKey: field.key.id)
            } else {
                transaction.remove(field.key)
            }
        }
        return transaction
    }

    /// Returns the new value of an array field. Unchanged elements are spelled as in the layer, which may leave
    /// out defaults. Returns `nil` if the layer's array is not the field's present value.
    private func respelled(
        _ value: PrefsValue, like own: PrefsValue?, of field: Field, in before: PrefsValue
    ) -> PrefsValue? {
        guard value.kind == .array, let own, let old = before.value(at: field.place[...]) else { return nil }
        var stored = before
        stored.insert(own, at: field.place[...])
        guard case .success(let present) = self.value(of: stored),
            encoded(present).value(at: field.place[...]) == old
        else { return nil }
        return own.changed(as: old, to: value)
    }

    /// Returns the sections that are empty in a value, and absent in some contents.
    fileprivate func emptySections(
        of value: PrefsValue, without contents: () -> PrefsSnapshot
    ) -> [AbsentSection] {
        let empty = sections.filter { value.value(at: $0.place[...]) == .dictionary([:]) }
        if empty.isEmpty { return [] }
        let contents = contents()
        return empty.filter { !isPresent($0, in: contents) }
    }

    /// Returns the origin of a value that shadows one of the values written to a layer; `nil` if all of them are
    /// effective.
    fileprivate func origin(
        shadowingChangesOf before: PrefsValue, to after: PrefsValue, in snapshot: PrefsSnapshot,
        _ target: PrefsLayer
    ) -> PrefsOrigin? {
        guard case .success(let value) = newestValue(in: snapshot) else { return nil }
        let present = encoded(value)
        let shadowed = changed(from: before, to: after).filter {
            present.value(at: $0.place[...]) != after.value(at: $0.place[...])
        }
        let origins =
            shadowed.map { snapshot.resolution(for: $0.key).origin ?? .keyDefault }
            + removedSections(from: before, to: after).map { snapshot.candidates(for: $0.name).first?.origin }
        // A file may round a value. So another value in the written layer does not shadow the written one.
        let own = snapshot.index(of: target)
        return origins.lazy.compactMap(\.self).first { $0 == .keyDefault || snapshot.index(of: $0) != own }
    }

    /// Returns the sections that exist in `before`, but not in `after`.
    private func removedSections(from before: PrefsValue, to after: PrefsValue) -> [AbsentSection] {
        sections.filter { section in
            before.value(at: section.place[...]) != nil && after.value(at: section.place[...]) == nil
        }
    }
}

extension PrefsValue {
    /// Returns this value, which is another spelling of `old`, with the changes from `old` to `new`.
    ///
    ///     {"host": "a"}  after the change of  {"host": "a", "weight": 1}  to  {"host": "b", "weight": 1}
    ///     {"host": "b"}
    fileprivate func changed(as old: PrefsValue, to new: PrefsValue) -> PrefsValue {
        if old == new { return self }
        switch (self, old, new) {
        case (.dictionary(var content), .dictionary(let old), .dictionary(let new)):
            for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
                guard let own = content[key], let before = old[key], let after = new[key] else {
                    content[key] = new[key]
                    continue
                }
                content[key] = own.changed(as: before, to: after)
            }
            return .dictionary(content)
        case (.array(let elements), .array(let old), .array(let new)) where elements.count == old.count:
            guard let changes = ArrayChanges(from: old, to: new) else { return .array(new) }
            return .array(changes.applied(to: elements) { elements[$0].changed(as: old[$0], to: $1) })
        default: return new
        }
    }
}
