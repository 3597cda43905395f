import PrefsDocuments

extension Live {
    /// Asks a closure before a change of a part of the configuration takes effect: it takes the new value, or throws to
    /// refuse it.
    ///
    /// ```swift
    /// let listening = relay.apply(\.listen) { old, new in try await server.rebind(new) }
    /// ```
    ///
    /// Until every closure has accepted, nothing reads the new value. If one throws, those that had accepted are called
    /// back in reverse order, with the values exchanged, and the edit is refused with the reason. A refused edit is offered
    /// again when the part changes, and on ``LayeredPrefsStorage/reload()``. The closure is not called for the first value.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - body: Is called with the old and the new value of the part, in order of registration, one at a time. Within it,
    ///     ``update(_:)`` and ``applied()`` throw, and ``LayeredPrefsStorage/reload()`` only reports an error. One that runs for ten seconds is reported.
    /// - Returns: The registration, which ends when it is cancelled or released.
    public func apply<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        _ body: @escaping @Sendable (_ old: Part, _ new: Part) async throws -> Void
    ) -> PrefsObservation {
        let number = add(part, body)
        return PrefsObservation { [offers] in offers.remove(number) }
    }

    /// Calls a closure with the present value of a part, and from then on for every change, as ``apply(_:_:)`` does.
    ///
    /// ```swift
    /// let listening = try await relay.applyNow(\.listen) { try await server.listen(on: $0) }
    /// ```
    ///
    /// An edit of the part that comes meanwhile waits until the closure has returned, and is offered then.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - body: Is called with the value to apply, or, if a later closure has refused that, with the one before.
    /// - Returns: The registration, which ends when it is cancelled or released.
    /// - Throws: What the closure throws for the present value; it is not registered then. `CancellationError` if the task
    ///   is cancelled while another value is being applied. ``PrefsError`` with the code `unsupported` within another
    ///   closure.
    public func applyNow<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable, _ body: @escaping @Sendable (Part) async throws -> Void
    ) async throws -> PrefsObservation {
        if ApplyCall.isUnderWay {
            throw PrefsError(.unsupported, reason: "an `apply` closure cannot wait for another one")
        }
        return try await offers.alone {
            let number = add(part) { _, new in try await body(new) }
            let registration = PrefsObservation { [offers] in offers.remove(number) }
            // A commit that was checked before the closure was registered is in force after this one.
            storage.commit()
            let value = offers.lastValid
            do {
                try await ApplyCall.run(in: ObjectIdentifier(storage)) {
                    try await body(value[keyPath: part])
                }
            } catch {
                registration.cancel()
                throw error
            }
            offers.note(value, appliedBy: number)
            return registration
        }
    }

    private func add<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        _ body: @escaping @Sendable (_ old: Part, _ new: Part) async throws -> Void
    ) -> Int {
        let generation = changes.generation
        let value = offers.lastValid
        let stack = ObjectIdentifier(storage)
        let number = offers.add(using: value) {
            (try? PrefsValueEncoder().encode($0[keyPath: part])) ?? nil
        } _: { old, new in
            try await ApplyCall.run(in: stack) { try await body(old[keyPath: part], new[keyPath: part]) }
        }
        // A commit that knew nothing of the closure may have changed the part meanwhile.
        if changes.generation != generation { storage.postLook() }
        return number
    }

    /// Waits until what the stack has read has been accepted or refused by every ``apply(_:_:)`` closure of this and of
    /// its other configurations, and until that has been delivered. Ends early if the task is cancelled.
    ///
    /// - Throws: ``PrefsError`` with the code `unsupported` within such a closure, which would wait for itself.
    public func applied() async throws {
        if ApplyCall.isUnderWay {
            throw PrefsError(.unsupported, reason: "an `apply` closure cannot wait for itself")
        }
        await storage.applied()
    }

    /// True if a closure has failed to apply what is in force, so that the program may use other settings: one that was
    /// called back, or that was called for a change which nothing can refuse, such as that of a lock. False again once
    /// that closure has applied a later value, or its registration has ended.
    ///
    /// That is reported as an error, too.
    public var isInconsistent: Bool { offers.isInconsistent }

    /// Changes the configuration: checks the new value, offers it to the ``apply(_:_:)`` closures, writes the fields that
    /// differ, and switches.
    ///
    /// A field that a higher layer sets, such as a variable, is written, but keeps its value. One that becomes `nil` is
    /// removed, and takes the value of a lower layer, or else its default. The closures are asked about what will be in force.
    /// Once they are being called, cancelling the task has no effect.
    ///
    /// - Parameter change: Changes a copy of ``current``. If the configuration is edited meanwhile, it is called again with
    ///   what is in force then.
    /// - Returns: `shadowed(by:)` if a field has the value of another layer, or its default in place of `nil` (the origin's
    ///   layer is `default` then), else `effective`.
    /// - Throws: ``PrefsError`` if the value is wrong, the program refuses it, or it cannot be written; nothing is changed
    ///   then. `CancellationError` if the task is cancelled while another value is being applied. Also what `change` throws.
    @discardableResult
    public func update(_ change: (inout Value) throws -> Void) async throws -> PrefsWriteOutcome {
        if ApplyCall.isUnderWay {
            throw PrefsError(
                .unsupported, reason: "an `apply` closure cannot update the configuration that it applies")
        }
        var (before, decisions) = (PrefsValue.dictionary([:]), 0)
        var write = PrefsTransaction()
        var outcome = PrefsWriteOutcome.effective
        return try await offers.storing {
            let old: Value
            (old, decisions) = offers.lastDecided
            before = fields.encoded(old)
            // A copy, also of an object.
            var new = try fields.value(of: before).get()
            try change(&new)
            let after = fields.encoded(new)
            _ = try fields.value(of: after).flatMap(fields.obeyingRule).get()
            let target = try storage.target(nil, forKey: nil)
            write = fields.transaction(from: before, to: after, in: target.writtenContents.tree)
            var written = try storage.contents(after: write, offeredBy: offers)
            let empty = fields.emptySections(of: after, without: written)
            if !empty.isEmpty {
                for section in empty { write.setValue(.dictionary([:]), forKey: section.name.name) }
                written = try storage.contents(after: write, offeredBy: offers)
            }
            let origin = fields.origin(shadowingChangesOf: before, to: after, in: written, target)
            outcome = origin.map { .shadowed(by: $0) } ?? .effective
            return (old, try fields.value(in: written).get())
        } unless: {
            // Also an edit that the watcher has not seen yet.
            storage.refreshWriteTarget()
            let (now, count) = offers.lastDecided
            return count != decisions && fields.encoded(now) != before
        } _: {
            // A file may have a value already that was refused: it is decided on again.
            _ = storage.composeAgain()
            try storage.transaction { $0 = write }
            return outcome
        }
    }
}

extension PrefsOrigin {
    /// The origin of a key's default.
    fileprivate static let keyDefault = PrefsOrigin(layer: "default")
}

extension ConfigurationFields {
    /// Returns the writes that make one value of another. A section is absent without its table, which would be the section
    /// with its defaults; so of one that is removed, no field is written.
    ///
    /// - Parameter contents: What the layer that is written has now.
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

    /// Returns a new value of a field that is an array, with its unchanged elements as a layer has them, which may leave out
    /// what has its default; `nil` if the layer's array is not the one that the field has.
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

    /// Returns the sections that a value has, although none of its fields has a value, and some contents have not.
    fileprivate func emptySections(of value: PrefsValue, without contents: PrefsSnapshot) -> [AbsentSection] {
        sections.filter { value.value(at: $0.place[...]) == .dictionary([:]) && !isPresent($0, in: contents) }
    }

    /// Returns the place of a value that some contents have in place of one that was written to a layer; `nil` if they have
    /// all of them.
    fileprivate func origin(
        shadowingChangesOf before: PrefsValue, to after: PrefsValue, in snapshot: PrefsSnapshot,
        _ target: PrefsLayer
    ) -> PrefsOrigin? {
        guard case .success(let value) = value(of: stored(in: snapshot)) else { return nil }
        let present = encoded(value)
        let shadowed = changed(from: before, to: after).filter {
            present.value(at: $0.place[...]) != after.value(at: $0.place[...])
        }
        let origins =
            shadowed.map { snapshot.resolution(for: $0.key).origin ?? .keyDefault }
            + removedSections(from: before, to: after).map { snapshot.candidates(for: $0.name).first?.origin }
        // A file may round what it stores.
        let own = snapshot.index(of: target)
        return origins.lazy.compactMap(\.self).first { $0 == .keyDefault || snapshot.index(of: $0) != own }
    }

    /// Returns the sections that one value has and another has not.
    private func removedSections(from before: PrefsValue, to after: PrefsValue) -> [AbsentSection] {
        sections.filter { section in
            before.value(at: section.place[...]) != nil && after.value(at: section.place[...]) == nil
        }
    }
}

extension PrefsValue {
    /// Returns this value after the change that makes one value of another, which says the same as this one before.
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
