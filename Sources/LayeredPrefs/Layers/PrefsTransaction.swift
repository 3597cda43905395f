import PrefsFiles
import PrefsSystem
public import PrefsDocuments

/// Several writes that take effect together.
///
/// ``PrefsStack/transaction(writingOthers:_:)`` gives you a transaction, which collects the writes. Nothing is
/// written while it collects, so the storage still returns the previous values.
public struct PrefsTransaction {
    struct Edit {
        let name: PrefsKeyName
        let value: PrefsValue?
        let layer: PrefsLayer.Name?
        /// True if the write is to a debug key or to the debug layer, and this build stores neither.
        var isLeftOut = false
        /// The error if the key itself rejects the value.
        var rejection: PrefsError?

        var key: String { name.name }

        /// The key, if this is the removal of one of its names.
        var removed: PrefsKeyName?

        /// Returns the edits that store a struct; `nil` for other values. Throws if a lock forbids one.
        var fields: ((PrefsStack, PrefsLayer) throws -> PathEdits)?
        /// The key, if other layers may make the value invalid.
        var checked: RejectionLog.Checked?

        /// Returns the outcome of the write, once it is committed.
        let outcome: (PrefsStack, PrefsLayer) -> PrefsWriteOutcome
    }

    private(set) var edits: [Edit] = []

    /// Stores a value in a layer, or removes the layer's value.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove the layer's value.
    ///   - key: The key's name or dotted path.
    ///   - layer: The layer's name. The default is the same as in ``PrefsStack/setValue(_:forKey:in:)``.
    public mutating func setValue(
        _ value: PrefsValue?, forKey key: String, in layer: PrefsLayer.Name? = nil
    ) {
        if PrefsLayer.isLeftOut(layer) { return leaveOut(PrefsKeyName(key), in: layer) }
        edits.append(
            Edit(name: PrefsKeyName(key), value: value, layer: layer) {
                $0.outcome(of: PrefsPath(key), in: $1)
            })
    }

    /// Removes the value that a layer has for a key.
    public mutating func removeValue(forKey key: String, in layer: PrefsLayer.Name? = nil) {
        setValue(nil, forKey: key, in: layer)
    }

    /// Stores a typed value in a layer. A value that the key rejects fails, as a write to a locked key does.
    public mutating func set<Value>(
        _ key: PersistentKey<Value>, to value: Value, in layer: PrefsLayer.Name? = nil
    ) {
        guard key.isMutable, !PrefsLayer.isLeftOut(layer) else { return leaveOut(key.name, in: layer) }
        do throws(PrefsError) {
            guard let stored = try key.storedForm(of: value) else { return remove(key, in: layer) }
            edits.append(edit(of: key, value: stored, layer: layer))
        } catch {
            edits.append(edit(of: key, value: nil, layer: layer, rejection: error))
        }
    }

    private mutating func leaveOut(_ key: PrefsKeyName, in layer: PrefsLayer.Name?) {
        edits.append(Edit(name: key, value: nil, layer: layer, isLeftOut: true) { _, _ in .notStored })
    }

    private func edit(
        of key: PersistentKey<some Sendable>, value: PrefsValue?, layer: PrefsLayer.Name?,
        rejection: PrefsError? = nil
    ) -> Edit {
        var edit = Edit(name: key.name, value: value, layer: layer, rejection: rejection) {
            $0.outcome(of: key, in: $1, storing: value)
        }
        if let value, key.fieldMerge != nil {
            edit.fields = { try $0.fieldEdits(storing: value, for: key, in: $1) }
            edit.checked = key.checked
        }
        return edit
    }

    /// Removes a key from a layer, under its present and former names.
    ///
    /// If there is a dictionary with other keys under one of these names, the dictionary stays.
    public mutating func remove(_ key: PersistentKey<some Sendable>, in layer: PrefsLayer.Name? = nil) {
        guard key.isMutable, !PrefsLayer.isLeftOut(layer) else { return leaveOut(key.name, in: layer) }
        let first = edits.count
        for name in key.traits.formerNames { removeValue(forKey: name, in: layer) }
        edits.append(edit(of: key, value: nil, layer: layer))
        for index in first..<edits.count { edits[index].removed = key.name }
    }
}

/// The results of the writes in a transaction.
public struct PrefsTransactionReport: Sendable {
    /// The outcome or the error of each write, in the order of the calls.
    public var results: [Result<PrefsWriteOutcome, PrefsError>] = []

    /// The errors of the writes that failed. The list is empty unless you have passed `writingOthers: true`.
    public var failures: [PrefsError] {
        results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }
}

extension PrefsStack {
    /// Makes several writes as one generation in memory and one atomic write per file.
    ///
    /// Every file is prepared before the first one is renamed. To prepare a file means to lock it, merge the
    /// changes, write a temporary file beside it, and sync that file. So if any file cannot be prepared, all files
    /// stay unchanged. If a rename fails after others have succeeded, the error lists the files that have already
    /// been replaced.
    ///
    /// - Parameters:
    ///   - writingOthers: Whether the remaining writes are made if some fail because of a lock, a read-only layer
    ///     or a broken file. By default, such a failure throws, and nothing is written.
    ///   - body: A closure that collects the writes.
    /// - Returns: The outcome of every write.
    /// - Throws: Any error that `body` throws, and ``PrefsError``. Its ``PrefsError/related`` errors contain one
    ///   for every key that failed. If the code is `notDurable`, all writes are effective, but a crash may undo
    ///   them.
    @discardableResult
    public func transaction(
        writingOthers: Bool = false, _ body: (inout PrefsTransaction) throws -> Void
    ) throws -> PrefsTransactionReport {
        try makeDeferredWrites()
        let (report, notDurable) = try make(writingOthers: writingOthers, body)
        if let notDurable { throw notDurable }
        return report
    }

    /// Makes several writes. Returns the error if they are stored, but perhaps not on disk.
    func make(
        writingOthers: Bool, _ body: (inout PrefsTransaction) throws -> Void
    ) throws -> (report: PrefsTransactionReport, notDurable: PrefsError?) {
        var transaction = PrefsTransaction()
        try body(&transaction)
        let plan = try plan(transaction.edits, writingOthers: writingOthers)
        var notDurable: PrefsError?
        do {
            try commit(plan.prepared)
        } catch let error as PrefsError where error.code == .notDurable {
            notDurable = error
        }
        return (PrefsTransactionReport(results: plan.results(in: self)), notDurable)
    }

    /// Returns the plan of several writes. Every file is prepared.
    private func plan(_ edits: [PrefsTransaction.Edit], writingOthers: Bool) throws -> TransactionPlan {
        var plan = TransactionPlan(edits) { index in
            if edits[index].isLeftOut { return nil }
            let layer = try target(edits[index].layer, forKey: edits[index].key)
            return (layer, try changes(of: index, among: edits, in: layer))
        }
        try plan.prepare(skippingRejected: writingOthers)
        return plan
    }

    /// Returns the edits that one of several writes makes in a layer. Throws if a lock forbids one of them.
    private func changes(
        of index: Int, among edits: [PrefsTransaction.Edit], in layer: PrefsLayer
    ) throws -> PathEdits {
        let edit = edits[index]
        if let rejection = edit.rejection { throw rejection }
        if let fields = edit.fields, edits.isAlone(index) { return try fields(self, layer) }
        try checkLocks(on: edit.name, for: edit.value, in: layer)
        if let removed = edit.removed { return removal(of: removed, at: PrefsPath(edit.key)) }
        let change = PathEdits.fixed([PathEdit(edit.name, edit.value)])
        return markingSecrets(in: change, of: edit.name, layer)
    }

    /// Returns the edits that several writes make in a layer with the given contents. Throws all lock errors.
    func edits(
        of transaction: PrefsTransaction, in layer: PrefsLayer, replacing contents: PrefsSource
    ) throws -> [PathEdit] {
        let writes = transaction.edits
        var (edits, failures): ([PathEdit], [PrefsError]) = ([], [])
        for index in writes.indices where !writes[index].isLeftOut {
            do {
                edits += try changes(of: index, among: writes, in: layer).edits(of: contents)
            } catch {
                failures.append(PrefsError(error, key: writes[index].key).naming(writes[index].key))
            }
        }
        if let error = PrefsError(failures) { throw error }
        return edits
    }
}

extension PrefsStack {
    /// Returns the edits that remove a key under one of its names. A dictionary with other keys stays.
    private func removal(of key: PrefsKeyName, at path: PrefsPath) -> PathEdits {
        let edit = PathEdit(path: path, value: nil)
        guard key.isAboveOtherName(path) else { return .fixed([edit]) }
        let declared = engine.state.withLock { $0.composition.known.names }
        return .following { contents in
            contents.tree.holdsOthers(than: key, at: path, among: declared) ? [] : [edit]
        }
    }
}

extension [PrefsTransaction.Edit] {
    /// Returns true if no other edit concerns the key of an edit, above or below it. Then the other edits do not
    /// change the value that the layers give the key.
    fileprivate func isAlone(_ index: Int) -> Bool {
        let paths = self[index].name.paths
        return indices.allSatisfy { other in
            other == index || self[other].isLeftOut
                || self[other].name.paths.allSatisfy { path in
                    !paths.contains { $0.contains(path) || path.contains($0) }
                }
        }
    }
}

/// The writes of a transaction, grouped by layer, from their acceptance through preparation to the commit.
private struct TransactionPlan {
    private struct Group {
        /// The written file. Several layers may share it under different paths.
        let file: PrefsFileIdentity?
        var layers: [PrefsLayer]
        var indices: [Int]
        var prepared: (any PreparedEdits)?
    }

    private let edits: [PrefsTransaction.Edit]
    private var groups: [Group] = []
    /// The layer of each edit and its changes there; `nil` if the edit is left out, or the error if it fails.
    private var accepted: [Result<(layer: PrefsLayer, changes: PathEdits)?, PrefsError>] = []

    /// - Parameter accept: Returns the layer of the edit with an index, and its changes there; `nil` if the edit
    ///   is left out. Throws if no layer accepts the edit.
    init(
        _ edits: [PrefsTransaction.Edit], accept: (Int) throws -> (layer: PrefsLayer, changes: PathEdits)?
    ) {
        self.edits = edits
        for index in edits.indices {
            do {
                let change = try accept(index)
                accepted.append(.success(change))
                if let change { add(index, to: change.layer) }
            } catch {
                accepted.append(rejection(of: index, error))
            }
        }
        // Every transaction locks files in the same order, so that two of them cannot wait for each other.
        groups.sort { left, right in
            guard let right = right.file else { return false }
            return left.file.map { $0 < right } ?? true
        }
    }

    private mutating func add(_ index: Int, to layer: PrefsLayer) {
        if let group = groups.firstIndex(where: { $0.layers.contains { $0.name == layer.name } }) {
            groups[group].indices.append(index)
            return
        }
        let file = layer.writtenFile.map(PrefsFileIdentity.init)
        if let file, let group = groups.firstIndex(where: { $0.file == file }) {
            groups[group].layers.append(layer)
            groups[group].indices.append(index)
        } else {
            groups.append(Group(file: file, layers: [layer], indices: [index]))
        }
    }

    /// Returns the writes of the key that an error names; all of them if it names none of their keys.
    private func writes(among indices: [Int], thatCaused error: any Error) -> [Int] {
        guard let key = (error as? PrefsError)?.key else { return indices }
        let place = PrefsPath(String(key.prefix { $0 != "[" }))
        let same = indices.filter { PrefsPath(edits[$0].key) == place }
        if !same.isEmpty { return same }
        let named = indices.filter { index in
            let path = PrefsPath(edits[index].key)
            return path.contains(place) || place.contains(path)
        }
        return named.isEmpty ? indices : named
    }

    private func rejection<Success>(of index: Int, _ error: any Error) -> Result<Success, PrefsError> {
        .failure(PrefsError(error, key: edits[index].key).naming(edits[index].key))
    }

    /// Prepares every layer's writes.
    ///
    /// If `rejects` is true, a layer that cannot be prepared fails alone. If its error names a key, only the
    /// writes of that key fail. If `rejects` is false, the error is thrown.
    mutating func prepare(skippingRejected rejects: Bool) throws {
        for index in groups.indices {
            var isPrepared = false
            while !isPrepared, !groups[index].indices.isEmpty {
                let group = groups[index]
                let changes = PathEdits.joined(group.indices.compactMap { try? accepted[$0].get()?.changes })
                do {
                    groups[index].prepared = try group.layers[0].prepare(changes)
                    isPrepared = true
                } catch {
                    let failed = writes(among: group.indices, thatCaused: error)
                    for index in failed { accepted[index] = rejection(of: index, error) }
                    groups[index].indices.removeAll(where: failed.contains)
                    if !rejects { break }
                }
            }
        }
        let errors = accepted.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if !rejects, let error = PrefsError(errors) { throw error }
    }

    /// The prepared writes. The layers of one write are stored in the same file.
    var prepared: [PreparedWrite] {
        groups.compactMap { group in
            group.prepared.map {
                PreparedWrite(
                    layers: group.layers, edits: $0, keys: group.indices.compactMap { edits[$0].checked })
            }
        }
    }

    /// Returns the outcome or the error of each edit.
    func results(in storage: PrefsStack) -> [Result<PrefsWriteOutcome, PrefsError>] {
        zip(edits, accepted).map { edit, accepted in
            accepted.map { $0.map { edit.outcome(storage, $0.layer) } ?? .notStored }
        }
    }
}
