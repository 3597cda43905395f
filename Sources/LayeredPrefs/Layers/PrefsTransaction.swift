public import PrefsDocuments

/// Several writes that come into force together.
///
/// Collects what ``LayeredPrefsStorage/transaction(writingOthers:_:)`` is to write; nothing is written while it
/// collects, and reading the storage shows what was in force before.
public struct PrefsTransaction {
    struct Edit {
        let key: String
        let value: PrefsValue?
        let layer: PrefsLayer.Name?
        /// Why the key itself refuses the value.
        var refusal: PrefsError?
        /// What the write came to, once it is made.
        let outcome: (LayeredPrefsStorage, PrefsLayer) -> PrefsWriteOutcome
    }

    private(set) var edits: [Edit] = []

    /// Stores a value in a layer, or with `nil` removes it; by default in the layer that writes go to.
    public mutating func setPrefsValue(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name? = nil
    ) {
        edits.append(
            Edit(key: key, value: value, layer: layer) { $0.outcome(of: PrefsPath(key), in: $1) })
    }

    /// Stores a typed value; one that the key refuses is a refused write, as one above a lock is.
    public mutating func set<Key: PersistentKeyProtocol>(
        _ key: Key, to value: Key.Value, in layer: PrefsLayer.Name? = nil
    ) {
        guard key.isMutable else { return }
        do throws(PrefsError) {
            guard let stored = try key.storedForm(of: value) else { return reset(key, in: layer) }
            edits.append(edit(of: key, value: stored, layer: layer))
        } catch {
            edits.append(edit(of: key, value: nil, layer: layer, refusal: error))
        }
    }

    private func edit(
        of key: some PersistentKeyProtocol, value: PrefsValue?, layer: PrefsLayer.Name?,
        refusal: PrefsError? = nil
    ) -> Edit {
        Edit(key: key.id, value: value, layer: layer, refusal: refusal) {
            $0.outcome(of: key, in: $1, removing: value == nil)
        }
    }

    /// Removes a key, under all of its names, from a layer.
    public mutating func reset(_ key: some PersistentKeyProtocol, in layer: PrefsLayer.Name? = nil) {
        guard key.isMutable else { return }
        for name in key.traits.formerNames { setPrefsValue(nil, forKey: name, in: layer) }
        edits.append(edit(of: key, value: nil, layer: layer))
    }
}

/// What the writes of a transaction came to.
public struct PrefsTransactionReport: Sendable {
    /// What became of each write, in the order in which they were asked for.
    public var results: [Result<PrefsWriteOutcome, PrefsError>] = []

    /// The writes that were refused, where the others were asked for all the same.
    public var refusals: [PrefsError] {
        results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }
}

extension LayeredPrefsStorage {
    /// Makes several writes one generation in memory, and one atomic write in each file.
    ///
    /// Every file is prepared — locked, merged, written beside and synced — before the first is renamed, so
    /// that a failure leaves all of them as they were. Should one fail between the renames, the error says
    /// which files are new already.
    ///
    /// - Parameter writingOthers: Whether to make the other writes where some are refused — by a lock, a
    ///   read-only layer, a broken file; otherwise a refusal throws and nothing is written.
    /// - Throws: ``PrefsError``, whose ``PrefsError/related`` names every refused key; or what `body` throws.
    @discardableResult
    public func transaction(
        writingOthers: Bool = false, _ body: (inout PrefsTransaction) throws -> Void
    ) throws -> PrefsTransactionReport {
        var transaction = PrefsTransaction()
        try body(&transaction)
        var plan = TransactionPlan(transaction.edits) { edit in
            let layer = try target(edit.layer, forKey: edit.key)
            if let refusal = edit.refusal { throw refusal }
            try checkLocks(on: PrefsPath(edit.key), for: edit.value, in: layer)
            return layer
        }
        try gathering {
            try plan.prepare(refusing: writingOthers)
            try plan.commit()
        }
        return PrefsTransactionReport(results: plan.results(in: self))
    }
}

/// The way of a transaction's writes: accepted, prepared, in force.
private struct TransactionPlan {
    private struct Group {
        let layer: PrefsLayer
        var indices: [Int]
        var prepared: (any PreparedEdits)?
    }

    private let edits: [PrefsTransaction.Edit]
    private var groups: [Group] = []
    private var refusals: [Int: PrefsError] = [:]

    /// - Parameter layer: Finds the layer that an edit goes to, or throws why none takes it.
    init(_ edits: [PrefsTransaction.Edit], layer: (PrefsTransaction.Edit) throws -> PrefsLayer) {
        self.edits = edits
        for (index, edit) in edits.enumerated() {
            do {
                add(index, to: try layer(edit))
            } catch {
                refuse([index], PrefsFailure.error(error, key: edit.key))
            }
        }
        // In the order of paths, so that two transactions never wait for each other's files.
        groups.sort { ($0.layer.writtenFile ?? "") < ($1.layer.writtenFile ?? "") }
    }

    private mutating func add(_ index: Int, to layer: PrefsLayer) {
        if let group = groups.firstIndex(where: { $0.layer.name == layer.name }) {
            groups[group].indices.append(index)
        } else {
            groups.append(Group(layer: layer, indices: [index]))
        }
    }

    private mutating func refuse(_ indices: [Int], _ error: PrefsError) {
        for index in indices { refusals[index] = error.naming(edits[index].key) }
    }

    /// Prepares every layer's writes.
    ///
    /// - Parameter refuses: Whether a layer that cannot take its writes leaves the others to be made.
    mutating func prepare(refusing refuses: Bool) throws {
        for index in groups.indices {
            let group = groups[index]
            let changes = group.indices.map {
                PathEdit(path: PrefsPath(edits[$0].key), value: edits[$0].value)
            }
            do {
                groups[index].prepared = try group.layer.prepare(changes)
            } catch {
                refuse(group.indices, PrefsFailure.error(error, key: nil))
            }
        }
        guard !refuses, let first = refusals.min(by: { $0.key < $1.key }) else { return }
        var error = first.value
        error.related = refusals.sorted { $0.key < $1.key }.map(\.value)
        throw error
    }

    /// Puts what is prepared in force, file after file.
    func commit() throws {
        var renamed: [String] = []
        for write in groups.compactMap(\.prepared) {
            do {
                try write.commit()
                renamed += [write.file].compactMap(\.self)
            } catch var error as PrefsError where !renamed.isEmpty {
                error.reason += "; new already: \(renamed.joined(separator: ", "))"
                throw error
            }
        }
    }

    /// What became of each edit.
    func results(in storage: LayeredPrefsStorage) -> [Result<PrefsWriteOutcome, PrefsError>] {
        edits.indices.map { index in
            if let error = refusals[index] { return .failure(error) }
            guard let layer = groups.first(where: { $0.indices.contains(index) })?.layer else {
                return .success(.effective)
            }
            return .success(edits[index].outcome(storage, layer))
        }
    }
}

extension PrefsLayer {
    /// The file that writes to this layer go to, where there is one.
    var writtenFile: String? { paths?.writtenFile }

    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits {
        if let paths { return try paths.prepare(edits) }
        return ImmediateEdits { [storage] in
            for edit in edits { try storage.setPrefsValue(edit.value, forKey: edit.path.name) }
        }
    }
}
