import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// A write that has been prepared.
struct PreparedWrite {
    /// The layers that are stored in the written file.
    let layers: [PrefsLayer]
    let edits: any PreparedEdits
    /// The written keys whose values are merged from several layers. They are checked even if not declared.
    var keys: [RejectionLog.Checked] = []

    /// Returns the same write, prepared again from the present contents.
    fileprivate func preparedAgain() throws -> PreparedWrite {
        PreparedWrite(layers: layers, edits: try edits.preparedAgain(), keys: keys)
    }
}

extension CommitEngine {
    /// Makes prepared writes active as one generation, and notifies the observers of the layers.
    ///
    /// Writes to stacks, and to other modules' storages, are checked together with the other writes. They are not
    /// part of the same commit, because such storages commit on their own. These storages are written first, then
    /// files, then memory. If a file cannot be written, the storages keep their new values, and memory stays
    /// unchanged.
    ///
    /// - Throws: The error of the first write that fails. Files that were written before it are committed, and the
    ///   error lists them. The code is `notDurable` if everything is committed, but perhaps not on disk yet. If a
    ///   value is stored but not active because of another file, the error is the problem of that file.
    func commit(_ writes: [PreparedWrite]) throws {
        if CommitLock.isHeldByThisThread { throw CommitLock.writesInCommit }
        var written = WrittenEdits()
        do {
            try commit(writes, &written)
        } catch {
            // The error of the failed write is thrown, even if another file cannot be synchronized.
            try? written.finish()
            throw written.listingFiles(in: error)
        }
        try written.finish()
        try requireActive(writes)
    }

    /// Throws if a written file is rejected after all, because another file has become invalid since the check.
    private func requireActive(_ writes: [PreparedWrite]) throws(PrefsError) {
        let rejected = state.withLock { $0.rejected.all }
        if rejected.isEmpty { return }
        for layer in writes.flatMap(\.layers) {
            let name = RejectedRevisions.Name(layer: layer.writtenName, file: layer.writtenFile)
            guard let rejection = rejected[name], rejection.rejectsRevision, !rejection.isProposed,
                var error = rejection.errors.first?.located(in: name)
            else { continue }
            error.reason =
                "\(layer.writtenFile ?? "the value") is stored, but not active until this is fixed: \(error.reason)"
            throw error
        }
    }

    private func commit(_ writes: [PreparedWrite], _ written: inout WrittenEdits) throws {
        let foreign = writes.filter { $0.layers[0].contents == nil }
        if foreign.isEmpty { return try commitTogether(writes, &written) }
        try checkBefore(writes)
        let layers = foreign.map(\.layers[0])
        let numbers = state.withLock { state in layers.map { state.foreignWrites.begin(in: $0.name) } }
        defer {
            state.withLock { state in layers.forEach { state.foreignWrites.end(in: $0.name) } }
        }
        var claims: [(layer: PrefsLayer, edits: [PathEdit], number: Int?)] = []
        for (write, number) in zip(foreign, numbers) {
            claims.append((write.layers[0], try written.commit(write)?.claimed ?? [], number))
        }
        try commitTogether(writes.filter { $0.layers[0].contents != nil }, &written)
        let newest = state.withLock { state in
            claims.removeAll { !state.foreignWrites.isOnly($0.number, in: $0.layer.name) }
            return state.composition.last
        }
        for claim in claims { try claim.layer.checkHolds(claim.edits, in: newest) }
    }

    /// Makes the writes to our own storages, and commits.
    private func commitTogether(_ writes: [PreparedWrite], _ written: inout WrittenEdits) throws {
        var left = writes.filter { $0.edits.file != nil } + writes.filter { $0.edits.file == nil }
        for attempt in 1...PrefsFileWriter.attempts {
            // A process that ignores the file lock has changed the file. The write is prepared again without the
            // commit lock.
            if attempt > 1 { left = try left.map { try $0.preparedAgain() } }
            left = try commitOnce(left, &written)
            if left.isEmpty { return }
        }
        throw PrefsFileWriter.keepsChanging(left[0].edits.file ?? "")
    }

    /// Throws the problems of the contents after some writes, before any of them is made.
    private func checkBefore(_ writes: [PreparedWrite]) throws {
        commitInnerStacks()
        guard lock.acquire(within: Self.lockTimeout) else { throw lock.busy(after: Self.lockTimeout) }
        defer { commitAndRelease() }
        _ = try check(writes)
    }

    /// Returns the contents after a write, and discards the write.
    ///
    /// - Parameters:
    ///   - decider: The configuration that asks its handlers about the contents.
    ///   - prepare: Returns the write, and the paths that it changes.
    /// - Throws: ``PrefsError`` if the contents have another problem.
    func contents(
        proposedBy decider: any CandidateDecider, _ prepare: () throws -> (PreparedWrite, paths: [PrefsPath])
    ) throws -> PrefsSnapshot {
        let (write, paths) = try prepare()
        commitInnerStacks()
        guard lock.acquire(within: Self.lockTimeout) else { throw lock.busy(after: Self.lockTimeout) }
        defer { commitAndRelease() }
        // No observer is called while a file is locked.
        defer { write.edits.discard() }
        let proposed = ProposedWrites(decider: decider, paths: paths)
        return try check([write], for: proposed) ?? active
    }

    /// Makes writes active under one commit lock. Returns the writes that have to be prepared again.
    private func commitOnce(
        _ writes: [PreparedWrite], _ written: inout WrittenEdits
    ) throws -> [PreparedWrite] {
        commitInnerStacks()
        guard lock.acquire(within: Self.lockTimeout) else { throw lock.busy(after: Self.lockTimeout) }
        var result: PrefsSnapshot?
        defer { commitAndRelease(result) }
        // No observer is called while a file is locked: if one write fails, the others are still prepared.
        defer { for write in writes { write.edits.discard() } }
        let checked = try check(writes)
        var isWaiting = false
        let left = try writes.filter { write in
            // Memory layers change only after all files have been written.
            if isWaiting, write.edits.file == nil { return true }
            guard try written.commit(write) != nil else {
                isWaiting = true
                return true
            }
            // Other layers with the same file read its new contents.
            for layer in write.layers.dropFirst() { written.add(layer.paths?.refresh(.write)) }
            return false
        }
        if left.isEmpty { result = checked }
        return left
    }
}

/// The writes of a commit that have been made so far.
private struct WrittenEdits {
    private var notifications: [PrefsNotification] = []
    private var synchronizations: [() throws(PrefsError) -> Void] = []
    private var files: [String] = []

    /// Makes a write. Returns `nil` if the write has to be prepared again.
    mutating func commit(_ write: PreparedWrite) throws -> CommittedEdits? {
        guard let commit = try write.edits.commit() else { return nil }
        add(commit.notifyObservers)
        if let synchronize = commit.synchronize { synchronizations.append(synchronize) }
        if let file = write.edits.file { files.append(file) }
        return commit
    }

    /// Returns an error with the files that were replaced before it.
    func listingFiles(in error: any Error) -> any Error {
        guard var error = error as? PrefsError, !files.isEmpty else { return error }
        error.reason += "; these files were already written: \(files.joined(separator: ", "))"
        return error
    }

    /// Notifies the layers' observers, and synchronizes all files with the disk. Then throws the first error.
    func finish() throws(PrefsError) {
        for notifyObservers in notifications { notifyObservers() }
        var failure: PrefsError?
        for synchronize in synchronizations {
            do throws(PrefsError) { try synchronize() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    mutating func add(_ notification: PrefsNotification?) {
        if let notification { notifications.append(notification) }
    }
}

/// The running writes to other modules' storages. They are not part of a commit.
struct ForeignWrites {
    private var layers: [PrefsLayer.Name: (active: Int, count: Int)] = [:]

    /// Begins a write. Returns its number in the layer, or `nil` if another write is running.
    mutating func begin(in layer: PrefsLayer.Name) -> Int? {
        layers[layer, default: (0, 0)].active += 1
        layers[layer, default: (0, 0)].count += 1
        return layers[layer].flatMap { $0.active == 1 ? $0.count : nil }
    }

    mutating func end(in layer: PrefsLayer.Name) { layers[layer]?.active -= 1 }

    /// Returns true if no other write to the layer ran at the same time, so that the layer's contents are the
    /// result of this write.
    func isOnly(_ number: Int?, in layer: PrefsLayer.Name) -> Bool {
        number != nil && layers[layer]?.count == number
    }
}

extension PrefsLayer {
    /// Throws if another module's storage has accepted edits, but has no value where one was set, or still has one
    /// where it was removed. Values are not compared.
    ///
    /// - Parameter newest: The contents of all layers after the write.
    fileprivate func checkHolds(_ edits: [PathEdit], in newest: PrefsSnapshot) throws(PrefsError) {
        let sources = newest.state.parts.filter {
            $0.layer == name.description || $0.layer?.hasPrefix("\(name).") == true
        }.map(\.source)
        for (index, edit) in edits.enumerated() {
            // A later edit of the same write may change the path again.
            let later = edits[(index + 1)...]
            if later.contains(where: { $0.path.contains(edit.path) || edit.path.contains($0.path) }) {
                continue
            }
            let isMissing =
                holdsNames
                ? storage._candidates(forKey: edit.path.literalKey).isEmpty
                : !sources.contains { $0.tree.hasContent(at: edit.path) }
            // Other sources of the layer may have a value, for example in a stack.
            let mayRemain = holdsNames || sources.count > 1
            if edit.value == nil ? isMissing || mayRemain : !isMissing { continue }
            throw PrefsError(
                .unconfirmed, key: edit.path.name, origin: PrefsOrigin(layer: name.description),
                reason: edit.value == nil
                    ? "stored, but the storage still has a value at or below this removed key"
                    : "stored, but the storage has no value of this key")
        }
    }
}
