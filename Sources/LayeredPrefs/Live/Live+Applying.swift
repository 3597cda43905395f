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
    ///     ``update(_:)`` and ``applied()`` throw. One that runs for ten seconds is reported.
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
        if Applying.isUnderWay {
            throw PrefsError(.unsupported, reason: "an `apply` closure cannot wait for another one")
        }
        return try await offers.alone {
            let number = add(part) { _, new in try await body(new) }
            let registration = PrefsObservation { [offers] in offers.remove(number) }
            // A commit that was checked before the closure was registered is in force after this one.
            storage.commit()
            do {
                try await Applying.$isUnderWay.withValue(true) { try await body(current[keyPath: part]) }
            } catch {
                registration.cancel()
                throw error
            }
            return registration
        }
    }

    private func add<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        _ body: @escaping @Sendable (_ old: Part, _ new: Part) async throws -> Void
    ) -> Int {
        offers.add({ (try? PrefsValueEncoder().encode($0[keyPath: part])) ?? nil }) { old, new in
            try await Applying.$isUnderWay.withValue(true) {
                try await body(old[keyPath: part], new[keyPath: part])
            }
        }
    }

    /// Waits until what the stack has read has been accepted or refused by every ``apply(_:_:)`` closure of this and of
    /// its other configurations, and until that has been delivered. Ends early if the task is cancelled.
    ///
    /// - Throws: ``PrefsError`` with the code `unsupported` within such a closure, which would wait for itself.
    public func applied() async throws {
        if Applying.isUnderWay {
            throw PrefsError(.unsupported, reason: "an `apply` closure cannot wait for itself")
        }
        await storage.applied()
    }

    /// True if a closure failed when it was called back, so that the program may use other settings than those in force.
    ///
    /// That is reported as an error, too.
    public var isInconsistent: Bool { offers.isInconsistent }

    /// Changes the configuration: checks the new value, offers it to the ``apply(_:_:)`` closures, writes the fields that
    /// differ, and switches.
    ///
    /// - Parameter change: Changes a copy of ``current``.
    /// - Throws: ``PrefsError`` if the value is wrong, the program refuses it, or it cannot be written; nothing is changed
    ///   then. `CancellationError` if the task is cancelled while another value is being applied. Also what `change` throws.
    public func update(_ change: (inout Value) throws -> Void) async throws {
        if Applying.isUnderWay {
            throw PrefsError(
                .unsupported, reason: "an `apply` closure cannot update the configuration that it applies")
        }
        try await offers.storing {
            let old = current
            // A copy, also of an object.
            var new = try fields.value(of: fields.encoded(old)).get()
            try change(&new)
            if let problem = fields.problem(of: fields.encoded(new), rule) { throw problem }
            return (old, new)
        } _: { old, new in
            let (before, after) = (fields.encoded(old), fields.encoded(new))
            try storage.transaction { transaction in
                let removed = fields.sections.filter { section in
                    before.value(at: section.place[...]) != nil && after.value(at: section.place[...]) == nil
                }
                // Without its table, which would be the section with its defaults.
                for section in removed { transaction.setValue(nil, forKey: section.name.name) }
                for field in fields.fields
                where !removed.contains(where: { field.place.starts(with: $0.place) }) {
                    let value = after.value(at: field.place[...])
                    if value == before.value(at: field.place[...]) { continue }
                    transaction.setValue(value, forKey: field.key.id)
                }
            }
        }
    }
}

/// True if the task is in an `apply` closure.
private enum Applying {
    @TaskLocal static var isUnderWay = false
}

extension ConfigurationFields {
    /// Returns what is wrong with a value as a whole.
    fileprivate func problem(of stored: PrefsValue, _ rule: (Value) throws -> Void) -> PrefsError? {
        do {
            try rule(try value(of: stored).get())
            return nil
        } catch {
            return error as? PrefsError ?? PrefsError(.invalid, reason: "\(error)")
        }
    }
}
