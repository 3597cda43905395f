/// A difference between the model and a subject, after one operation.
struct ModelDifference: Sendable, Hashable, CustomStringConvertible {
    let aspect: ModelAspect
    let what: String
    let expected: String
    let found: String

    var description: String { "\(aspect) of \(what)\n  expected \(expected)\n  found    \(found)" }
}

/// Compares a subject with the model, in the aspects asked for.
struct ModelComparison {
    let aspects: Set<ModelAspect>
    /// The layers and sources whose active revision is not the revision on disk.
    var rejected: Set<[String]> = []

    /// Returns the first difference between two answers for a key.
    func difference(_ what: String, _ expected: ModelAnswer, _ found: ModelAnswer, isTyped: Bool)
        -> ModelDifference?
    {
        let values: ModelAspect = isTyped ? .typedValues : .rawValues
        let origins: ModelAspect = isTyped ? .typedOrigins : .rawOrigins
        if let difference = differ(values, what, expected.value, found.value) { return difference }
        if let difference = differ(origins, what, spelled(expected.origin), spelled(found.origin)) {
            return difference
        }
        guard isTyped else { return nil }
        return differ(.shadowed, what, expected.shadowed.map(spelled), found.shadowed.map(spelled))
            ?? differ(.rejected, what, rejected(expected), rejected(found))
            ?? differ(.rejectionReasons, what, reasons(expected), reasons(found))
            ?? differ(.locks, what, expected.lockingLayer, found.lockingLayer)
    }

    /// Returns the first difference between the outcomes of writes.
    func difference(_ expected: [ModelWriteOutcome], _ found: [ModelWriteOutcome]) -> ModelDifference? {
        differ(.outcomes, "writes", expected.map(cut), found.map(cut))
    }

    /// Returns the first difference between the notifications. No notification may be missing or spurious. A
    /// burst may have at most two change sets, and they must include its last edit.
    func difference(_ expected: ModelChangeSet?, _ found: [ModelChangeSet], isBurst: Bool) -> ModelDifference?
    {
        let received = found.filter { !$0.events.isEmpty }
        if received.count > (isBurst ? 2 : 1) {
            return differ(.changeSetCounts, "operation", isBurst ? 2 : 1, received.count)
        }
        var (wantedEvents, events) = (expected?.events ?? [], received.flatMap(\.events))
        if isBurst {
            (wantedEvents, events) = (withoutDictionaries(wantedEvents), withoutDictionaries(joined(events)))
        }
        for aspect in [ModelAspect.typedEvents, .rawEvents, .leafEvents] {
            let wanted = comparable(wantedEvents, aspect)
            if let difference = differ(aspect, "operation", wanted, comparable(events, aspect)) {
                return difference
            }
        }
        return isBurst
            ? nil : differ(.audit, "operation", expected?.shadowed ?? [], found.flatMap(\.shadowed).sorted())
    }

    /// Returns the first difference between the diagnostics: one per bad revision and one per recovery.
    func difference(_ expected: [ModelDiagnostic], _ found: [ModelDiagnostic]) -> ModelDifference? {
        guard aspects.contains(.diagnostics) else { return nil }
        let (wanted, received) = (expected.map(cut), found.map(cut))
        return differ(.diagnostics, "operation", wanted.sorted(), received.sorted())
    }

    private func cut(_ diagnostic: ModelDiagnostic) -> String {
        switch diagnostic {
        case .ignored(let key, let origin, let reason):
            "ignored \(key) \(cut(origin, reason)) "
                + (aspects.contains(.rejectionReasons) ? "\(reason)" : "")
        case .rejected(let key, let origin, let reason, let isVersion):
            "rejected \(isVersion ? "the version" : "the value") for \(key) \(cut(origin, reason)) "
                + (aspects.contains(.rejectionReasons) ? "\(reason)" : "")
        case .recovered(let key, let origin):
            "recovered \(key) \(cut(origin, .notADictionary(at: key)))"
        default: "\(diagnostic)"
        }
    }

    /// Joins each observer's events into one, from the first old value to the last new one. A chain with a
    /// gap, or with an event that changes nothing, stays as it is and will differ.
    private func joined(_ events: [ModelEvent]) -> [ModelEvent] {
        Dictionary(grouping: events, by: \.observer).values.flatMap { chain in
            let links = zip(chain, chain.dropFirst())
            guard let first = chain.first, let last = chain.last, chain.count > 1,
                links.allSatisfy({ $0.new == $1.old }), chain.allSatisfy({ $0.old != $0.new })
            else { return chain }
            if first.old == last.new { return [] }
            return [
                ModelEvent(
                    observer: first.observer, old: first.old, new: last.new, oldOrigin: first.oldOrigin,
                    newOrigin: last.newOrigin)
            ]
        }
    }

    /// Replaces dictionaries by `nil` in the events of an observer of all keys. Whether a dictionary is
    /// reported depends on the differences below it, and each of a burst's two change sets has its own
    /// differences.
    private func withoutDictionaries(_ events: [ModelEvent]) -> [ModelEvent] {
        events.compactMap { event in
            guard case .leaf = event.observer else { return event }
            let (old, new) = (event.old.flatMap(plain), event.new.flatMap(plain))
            guard old != new else { return nil }
            return ModelEvent(
                observer: event.observer, old: old, new: new, oldOrigin: event.oldOrigin,
                newOrigin: event.newOrigin)
        }
    }

    private func plain(_ value: ModelValue) -> ModelValue? { value.form == "dictionary" ? nil : value }

    private func comparable(_ events: [ModelEvent], _ aspect: ModelAspect) -> [String] {
        events.compactMap { event in
            guard event.observer.aspect == aspect else { return nil }
            let hasOrigins = aspects.contains(aspect == .typedEvents ? .typedOrigins : .rawOrigins)
            // An observer of a subtree remembers the value that it read last, and is not called if only the
            // origin changes.
            let hasOldOrigin = hasOrigins && aspect != .rawEvents
            let cut = ModelEvent(
                observer: event.observer, old: event.old, new: event.new,
                oldOrigin: hasOldOrigin ? self.cut(event.oldOrigin) : nil,
                newOrigin: hasOrigins ? self.cut(event.newOrigin) : nil)
            return cut.description
        }.sorted()
    }

    private func rejected(_ answer: ModelAnswer) -> [String] {
        answer.rejected.map { spelled($0, $1).description }.sorted()
    }

    private func reasons(_ answer: ModelAnswer) -> [String] {
        answer.rejected.map { "\(spelled($0, $1)): \($1)" }.sorted()
    }

    private func cut(_ outcome: ModelWriteOutcome) -> ModelWriteOutcome {
        if case .shadowed(let origin) = outcome { .shadowed(by: cut(origin)) } else { outcome }
    }

    private func cut(_ origin: ModelOrigin?) -> ModelOrigin? { origin.map { cut($0) } }

    /// Reduces an origin to the aspects that are compared. The spelling is compared only in answers, because
    /// a change's old source may be gone.
    private func cut(_ origin: ModelOrigin) -> ModelOrigin {
        let hasName = aspects.contains(.names) && origin.source != "held"
        return ModelOrigin(
            layer: origin.layer, source: origin.source, name: hasName ? origin.name : "", spelling: .literal)
    }

    private func spelled(_ origin: ModelOrigin?) -> ModelOrigin? { origin.map { spelled($0) } }

    private func spelled(_ origin: ModelOrigin) -> ModelOrigin {
        var cut = cut(origin)
        // If the active revision is no longer on disk, neither the spelling nor the field is known.
        let isOnDisk = !rejected.contains([origin.layer, origin.source])
        if aspects.contains(.spellings), origin.source != "held", isOnDisk { cut.spelling = origin.spelling }
        if !isOnDisk { cut.name = "" }
        return cut
    }

    /// Reduces the origin of a rejected candidate. If a candidate is blocked, a subject may name the blocking
    /// value instead, so the name is not compared.
    private func cut(_ origin: ModelOrigin, _ reason: ModelRejection) -> ModelOrigin {
        var origin = cut(origin)
        switch reason {
        case .notADictionary, .group: origin.name = ""
        case .wrongType, .unparsableText, .invalid: break
        }
        return origin
    }

    private func spelled(_ origin: ModelOrigin, _ reason: ModelRejection) -> ModelOrigin {
        if case .notADictionary = reason { cut(origin, reason) } else { spelled(origin) }
    }

    private func differ<Found: Equatable>(
        _ aspect: ModelAspect, _ what: String, _ expected: Found, _ found: Found
    ) -> ModelDifference? {
        guard aspects.contains(aspect), expected != found else { return nil }
        return ModelDifference(aspect: aspect, what: what, expected: "\(expected)", found: "\(found)")
    }
}

extension ModelObserver {
    /// The aspect that this observer's events belong to.
    fileprivate var aspect: ModelAspect {
        switch self {
        case .leaf: .leafEvents
        case .raw: .rawEvents
        case .typed: .typedEvents
        }
    }
}
