import FileWatching

/// Several writes that come into force together.
///
/// Collects what ``LayeredPrefsStorage/transaction(writingOthers:_:)`` is to write; nothing is written while it
/// collects, and reading the storage shows what was in force before.
public struct PrefsTransaction {
    struct Edit {
        let key: String
        let value: PrefsValue?
        let layer: PrefsLayer.Name?
    }

    private(set) var edits: [Edit] = []

    /// Stores a value in a layer, or with `nil` removes it; by default in the layer that writes go to.
    public mutating func setPrefsValue(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name? = nil
    ) {
        edits.append(Edit(key: key, value: value, layer: layer))
    }

    /// Stores a typed value.
    ///
    /// - Throws: ``PrefsError`` where the value fails the key's validation or has no stored form.
    public mutating func set<Key: PersistentKeyProtocol>(
        _ key: Key, to value: Key.Value, in layer: PrefsLayer.Name? = nil
    ) throws {
        guard key.isMutable else { return }
        guard let stored = try key.storedForm(of: value) else { return reset(key, in: layer) }
        setPrefsValue(stored, forKey: key.id, in: layer)
    }

    /// Removes a key, under all of its names, from a layer.
    public mutating func reset(_ key: some PersistentKeyProtocol, in layer: PrefsLayer.Name? = nil) {
        guard key.isMutable else { return }
        for name in [key.id] + key.traits.formerNames { setPrefsValue(nil, forKey: name, in: layer) }
    }
}

/// What the writes of a transaction came to.
public struct PrefsTransactionReport: Sendable, Hashable {
    /// The outcome of each write that was made, by key.
    public var outcomes: [String: PrefsWriteOutcome] = [:]
    /// The writes that were refused, where the others were asked for all the same.
    public var refusals: [PrefsError] = []
}

extension LayeredPrefsStorage {
    /// Makes several writes one generation in memory, and one atomic write in each file.
    ///
    /// Every file is prepared — locked, merged, written beside and synced — before the first is renamed, so
    /// that a failure leaves all of them as they were. Should one fail between the renames, the error says
    /// which files are new already.
    ///
    /// - Parameter writingOthers: Whether to make the other writes where some are refused; otherwise a
    ///   refusal throws and nothing is written.
    /// - Throws: ``PrefsError``, whose ``PrefsError/related`` names every refused key; or what `body` throws.
    @discardableResult
    public func transaction(
        writingOthers: Bool = false, _ body: (inout PrefsTransaction) throws -> Void
    ) throws -> PrefsTransactionReport {
        var transaction = PrefsTransaction()
        try body(&transaction)
        var report = PrefsTransactionReport()
        var accepted: [(edit: PrefsTransaction.Edit, layer: PrefsLayer)] = []
        for edit in transaction.edits {
            do {
                accepted.append((edit, try acceptingLayer(for: edit)))
            } catch let error as PrefsError {
                report.refusals.append(error)
            }
        }
        if !writingOthers, var error = report.refusals.first {
            error.related = report.refusals
            throw error
        }
        try writing.withLock { _ in try write(accepted) }
        for (edit, layer) in accepted {
            report.outcomes[edit.key] = outcome(of: PrefsPath(edit.key), in: layer)
        }
        return report
    }

    private func acceptingLayer(for edit: PrefsTransaction.Edit) throws -> PrefsLayer {
        let layer = try target(edit.layer, forKey: edit.key)
        try checkLocks(on: PrefsPath(edit.key), for: edit.value, in: layer)
        return layer
    }

    private func write(_ edits: [(edit: PrefsTransaction.Edit, layer: PrefsLayer)]) throws {
        var groups: [(layer: PrefsLayer, edits: [PathEdit])] = []
        for (edit, layer) in edits {
            let pathEdit = PathEdit(path: PrefsPath(edit.key), value: edit.value)
            if let index = groups.firstIndex(where: { $0.layer.name == layer.name }) {
                groups[index].edits.append(pathEdit)
            } else {
                groups.append((layer, [pathEdit]))
            }
        }
        // In the order of paths, so that two transactions never wait for each other's files.
        groups.sort { ($0.layer.writtenFile ?? "") < ($1.layer.writtenFile ?? "") }
        committing.withLock { $0.suspensions += 1 }
        defer {
            committing.withLock { $0.suspensions -= 1 }
            commit()
        }
        let prepared = try groups.map { try $0.layer.prepare($0.edits) }
        var renamed: [String] = []
        for write in prepared {
            do {
                try write.commit()
                renamed += [write.file].compactMap(\.self)
            } catch var error as PrefsError where !renamed.isEmpty {
                error.reason += "; new already: \(renamed.joined(separator: ", "))"
                throw error
            }
        }
    }
}

extension PrefsLayer {
    /// The file that writes to this layer go to, where there is one.
    var writtenFile: String? { (storage as? any PathWritablePrefsStorage)?.writtenFile }

    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits {
        if let paths = storage as? any PathWritablePrefsStorage { return try paths.prepare(edits) }
        return ImmediateEdits { [storage] in
            for edit in edits { try storage.setPrefsValue(edit.value, forKey: edit.path.name) }
        }
    }
}
