/// A write by the program.
struct ModelWrite: Sendable, Hashable, Codable {
    var path: ModelPath
    /// The new value; `nil` removes the key.
    var value: ModelValue?
    /// The target layer; `nil` selects the topmost persistent writable one.
    var layer: String?
    /// True if the write goes through the typed key rather than the raw one.
    var isTyped = false
}

/// The outcome of a write.
enum ModelWriteOutcome: Sendable, Hashable, Codable {
    case effective
    /// The write is stored, but a higher value shadows it.
    case shadowed(by: ModelOrigin)
    /// The write throws because its target lies above the locking layer, which is named.
    case rejectedByLock(layer: String)
    /// No layer takes the write: none is writable and persistent, or the named one is not writable.
    case rejectedNotWritable
    /// The file is broken, and a write does not overwrite contents that it cannot read.
    case rejectedBroken
    /// The write throws because it would make the values of these keys wrong, or because a non-dictionary
    /// blocks the key's path.
    case rejected([String])
    /// Another write of the transaction failed, so this one was not made either.
    case abandoned

    var isRejection: Bool {
        switch self {
        case .effective, .shadowed: false
        default: true
        }
    }
}

extension ModelStack {
    /// Performs writes in order and returns the outcome of each, as seen in the state after the last.
    ///
    /// A transaction is one generation in memory and one atomic write per file. If one write fails, none is
    /// stored, unless the caller asked to store the others.
    mutating func write(_ writes: [ModelWrite], writesOthers: Bool) -> [ModelWriteOutcome] {
        let before = self
        var blocked: [Int: ModelPath] = [:]
        var constraintRejections = store(writes, writesOthers: writesOthers, without: &blocked)
        while constraintRejections == nil {
            self = before
            constraintRejections = store(writes, writesOthers: writesOthers, without: &blocked)
        }
        return finish(writes, constraintRejections ?? [], since: before, writesOthers: writesOthers)
    }

    /// Stores writes in order. Returns an outcome for each write that is not stored, or `nil` if a write is
    /// blocked that `blocked` did not contain yet: then all of them start again.
    ///
    /// If a write is blocked, all writes of its key to the same layer fail. Unless the caller asked to store
    /// the others, each layer fails for its first blocked write alone.
    private mutating func store(
        _ writes: [ModelWrite], writesOthers: Bool, without blocked: inout [Int: ModelPath]
    ) -> [ModelWriteOutcome?]? {
        let before = self
        var rejections: [ModelWriteOutcome?] = []
        for (index, write) in writes.enumerated() {
            if let path = blocked[index] {
                rejections.append(.rejected([path.description]))
                continue
            }
            let edits = before.withNewestVersion(takingThe: write).fieldEdits(of: write, among: writes)
            let rejection = rejection(of: write, edits)
            rejections.append(rejection)
            if rejection != nil { continue }
            let target = target(of: write)
            let hasFailed = blocked.keys.contains { self.target(of: writes[$0]) == target }
            if writesOthers || !hasFailed, let path = blockedPath(of: write, edits) {
                tally.hit(.blockedWriteThrows)
                blocked[index] = path
                for (index, other) in writes.enumerated()
                where self.target(of: other) == target && names(of: other).contains(path) {
                    blocked[index] = path
                }
                return nil
            }
            store(write, edits)
        }
        return rejections
    }

    /// Returns the first path that a write sets below a non-dictionary.
    private func blockedPath(of write: ModelWrite, _ edits: [FieldEdit]?) -> ModelPath? {
        guard let target = target(of: write), !mutations.contains(.blockedWriteIsStored) else { return nil }
        let source = ModelSource(
            layer: 0, layerName: "", name: "", entries: entries(of: target), isText: false)
        let paths = edits?.filter { $0.value != nil }.map(\.path) ?? (write.value == nil ? [] : [write.path])
        return paths.first { source.block(above: $0) != nil }
    }

    private func names(of write: ModelWrite) -> [ModelPath] {
        let key = keys.first { $0.path == write.path }
        return write.isTyped && write.value == nil ? key?.names ?? [write.path] : [write.path]
    }

    /// Decides whether stored writes become active.
    private mutating func finish(
        _ writes: [ModelWrite], _ constraintRejections: [ModelWriteOutcome?], since before: ModelStack,
        writesOthers: Bool
    ) -> [ModelWriteOutcome] {
        let someRejected = constraintRejections.contains { $0 != nil }
        if someRejected, writes.count > 1 {
            tally.hit(writesOthers ? .transactionWritesOthers : .transactionIsRejectedWhole)
        }
        if someRejected, !writesOthers, !mutations.contains(.transactionIsPartial) {
            self = before
            return constraintRejections.map { $0 ?? .abandoned }
        }
        read()
        let accepted = zip(writes, constraintRejections).filter { $1 == nil }.compactMap { target(of: $0.0) }
        let written = written(to: Set(accepted), since: before)
        let problems = problems(ofWritesTo: Set(accepted), leadingTo: written, since: before)
        if !problems.isEmpty, !mutations.contains(.wrongValueIsWritten) {
            tally.hit(.wrongWriteThrows)
            self = before
            return writes.map { _ in .rejected(problems) }
        }
        if writes.count > 1 { tally.hit(.transactionIsOneCommit) }
        news += decide(over: written)
        let after = snapshot
        return zip(writes, constraintRejections).map { write, rejection in
            rejection ?? outcome(of: write, in: after)
        }
    }

    /// Returns the index of the layer that takes a write: the named one or, by default, the topmost
    /// persistent writable one. `nil` if there is none; then the write throws.
    func target(of write: ModelWrite) -> Int? {
        if let name = write.layer { return index(ofLayer: name).flatMap { layers[$0].isWritable ? $0 : nil } }
        return layers.indices.last { layers[$0].isWritable && layers[$0].isPersistent }
    }

    private func rejection(of write: ModelWrite, _ edits: [FieldEdit]?) -> ModelWriteOutcome? {
        guard let target = target(of: write) else {
            tally.hit(.writeToReadOnlyIsRejected)
            return .rejectedNotWritable
        }
        if write.isTyped, let value = write.value, let key = keys.first(where: { $0.path == write.path }),
            let validator = key.validator, !validator.accepts(value)
        {
            tally.hit(.invalidTypedWriteIsRejected)
            return .rejected([key.name])
        }
        if let lock = lock(violatedBy: write, edits, into: target), !mutations.contains(.lockedWriteIsTaken) {
            tally.hit(.writeIsRejectedByLock)
            return .rejectedByLock(layer: lock.layerName)
        }
        if case .broken = file(of: target)?.disk, !mutations.contains(.brokenIsOverwritten) {
            tally.hit(.writeToBrokenIsRejected)
            return .rejectedBroken
        }
        return nil
    }

    /// Returns the lock that a write, or the edit of a field, would violate.
    private func lock(violatedBy write: ModelWrite, _ edits: [FieldEdit]?, into target: Int) -> ModelLock? {
        let key = write.isTyped ? keys.first { $0.path == write.path } : nil
        let names = key?.names ?? [write.path]
        guard let edits else { return lock(violatedBy: write.value, at: write.path, names, into: target) }
        return edits.lazy.filter { $0.value != nil }.compactMap { edit in
            let names = names.map { $0.appending(write.path.rest(of: edit.path)) }
            return lock(violatedBy: edit.value, at: edit.path, names, into: target)
        }
        .first
    }

    /// Returns the lock that a value would violate: a lock that covers the key, or a lock below it whose
    /// value the write would set or hide. A write to the locking layer itself is allowed.
    ///
    /// - Parameter names: The names that the key's locked value may be stored under.
    private func lock(
        violatedBy value: ModelValue?, at path: ModelPath, _ names: [ModelPath], into target: Int
    ) -> ModelLock? {
        let (snapshot, target) = (snapshot, Self.height(of: target))
        if let lock = snapshot.lock(covering: path) {
            if target > lock.layer { return lock }
            if target == lock.layer {
                tally.hit(.writeToLockingLayer)
                if mutations.contains(.lockingLayerCannotBeWritten) { return lock }
            }
        }
        guard let value else { return nil }
        let broken = names.lazy.compactMap { name in
            snapshot.locks(below: name, binding: target).filter { lock in
                let rest = name.rest(of: lock.path)
                if value.at(rest) != nil { return true }
                return value.isBlocked(on: rest) && snapshot.rawValue(lock.path, upTo: lock.layer) != nil
            }
            .min { $0.layer < $1.layer }
        }
        .first
        if broken != nil { tally.hit(.ancestorWriteIsRejectedByLock) }
        return broken
    }

    private func entries(of target: Int) -> [String: ModelValue] {
        guard let file = file(of: target) else { return layers[target].held }
        if case .good(let contents) = file.disk { return contents }
        return [:]
    }

    private func file(of layer: Int) -> ModelFile? {
        guard layers[layer].kind == .files, let name = layers[layer].writeDirectory else { return nil }
        return layers[layer].directories.first { $0.name == name }?.main
    }

    private mutating func store(_ write: ModelWrite, _ edits: [FieldEdit]?) {
        guard let target = target(of: write) else { return }
        var entries = entries(of: target)
        if let edits {
            // Removals come last: a dictionary that gets new fields before it loses its old ones keeps its
            // spelling.
            for edit in edits where edit.value != nil { store(edit, into: &entries) }
            for edit in edits where edit.value == nil { store(edit, into: &entries) }
        } else if let value = write.value {
            put(value, at: write.path, into: &entries)
        } else {
            remove(write.path, from: &entries)
            if write.isTyped, !mutations.contains(.typedRemovalSparesFormerNames) {
                removeFormerNames(of: write.path, from: &entries)
            }
        }
        if layers[target].kind != .files { layers[target].held = entries }
        for index in layers[target].directories.indices
        where layers[target].directories[index].name == layers[target].writeDirectory {
            // No file is created only to be empty.
            if entries.isEmpty, layers[target].directories[index].main.disk == .absent { continue }
            layers[target].directories[index].main.disk = .good(entries)
        }
    }

    /// Stores a field: in the dictionary of its struct if the file spells the struct's key literally, else
    /// like any value. Removes the field in all spellings if the edit has no value.
    private func store(_ edit: FieldEdit, into entries: inout [String: ModelValue]) {
        let structure = literalDictionary(around: edit.path, in: entries)
        if structure != nil { tally.hit(.fieldStaysInLiteralDictionary) }
        guard let value = edit.value else {
            remove(edit.path, from: &entries)
            // If the literal dictionary has lost its last field, the nested one that it hid goes, too.
            if let structure, entries[structure.description] == nil { remove(structure, from: &entries) }
            return
        }
        let before = structure.flatMap { entries[$0.description] } ?? [:]
        // A longer literal key hides the field of the dictionary.
        guard let structure, place(of: edit.path, in: entries)[0] == structure.description
        else { return put(value, at: edit.path, into: &entries) }
        entries[structure.description] = before.putting(value, at: Array(structure.rest(of: edit.path)))
    }

    /// Stores a value in the spelling that the file has, else nested.
    private func put(_ value: ModelValue, at path: ModelPath, into entries: inout [String: ModelValue]) {
        let root = ModelValue.dictionary(entries)
        var place = place(of: path, in: entries)
        let isAmbiguous = path.components.count > 1
        if isAmbiguous { tally.hit(place == path.components ? .writeUsesNested : .writeKeepsLiteral) }
        if mutations.contains(.writeIsAlwaysNested) { place = path.components }
        if mutations.contains(.writeIsAlwaysLiteral), isAmbiguous { place = [path.description] }
        entries = root.putting(value, at: place).entries ?? entries
    }

    /// Returns the place of a key in a file: in the longest literal key that the file has, else nested.
    private func place(of path: ModelPath, in entries: [String: ModelValue]) -> [String] {
        let literal = path.prefixes.last { $0.components.count > 1 && entries[$0.description] != nil }
        return literal.map { [$0.description] + $0.rest(of: path) } ?? path.components
    }

    /// Removes a key in all spellings, and the dictionaries that this empties, because an empty dictionary
    /// would replace lower ones.
    private func remove(_ path: ModelPath, from entries: inout [String: ModelValue]) {
        let literals = path.prefixes.dropFirst().filter { entries[$0.description] != nil }
        let hasNested = ModelValue.dictionary(entries).at(path.components) != nil
        if !literals.isEmpty, hasNested { tally.hit(.removalRemovesBoth) }
        var places = literals.map { [$0.description] + $0.rest(of: path) }
        if literals.isEmpty || !mutations.contains(.removalRemovesOne) { places.append(path.components) }
        for place in places where ModelValue.dictionary(entries).at(place) != nil {
            entries = prune(ModelValue.dictionary(entries).removing(at: place), above: place).entries ?? [:]
        }
    }

    private func prune(_ root: ModelValue, above components: [String]) -> ModelValue {
        var root = root
        var parent = components.dropLast()
        while !parent.isEmpty, root.at(parent) == [:], !mutations.contains(.removalLeavesEmptyDictionaries) {
            tally.hit(.removalPrunes)
            root = root.removing(at: parent)
            parent = parent.dropLast()
        }
        return root
    }

    /// Removes a key's former names. Removing a key shows the value of a lower layer; a former name left in
    /// the same layer would show instead.
    private func removeFormerNames(of path: ModelPath, from entries: inout [String: ModelValue]) {
        for key in keys where key.path == path {
            for former in key.formerNames {
                let before = entries
                remove(former, from: &entries)
                if entries != before { tally.hit(.typedRemovalRemovesFormer) }
            }
        }
    }

    private func outcome(of write: ModelWrite, in after: ModelSnapshot) -> ModelWriteOutcome {
        let target = target(of: write) ?? 0
        var origin = after.raw(write.path).origin
        if write.isTyped, let key = keys.first(where: { $0.path == write.path }) {
            let resolution = after.resolve(key)
            origin = resolution.origin
            if case .structure = key.type, write.value == resolution.value { return .effective }
        }
        let written = writtenSource(of: target)
        let shadow = origin.flatMap { origin in
            isAbove(origin, layer: target, source: written) ? origin : nil
        }
        guard let shadow, !mutations.contains(.shadowedWriteIsEffective) else {
            tally.hit(.writeIsEffective)
            return .effective
        }
        tally.hit(.writeIsShadowed)
        return .shadowed(by: shadow)
    }

    /// The name of the source that takes a layer's writes.
    func writtenSource(of target: Int) -> String {
        file(of: target).map { _ in (layers[target].writeDirectory ?? "") + "/main" } ?? "held"
    }
}

extension ModelStack {
    /// True if an origin lies above a source of a layer, whether that source is effective or not.
    private func isAbove(_ origin: ModelOrigin, layer: Int, source: String) -> Bool {
        guard let above = index(ofLayer: origin.layer) else { return false }
        if above != layer { return above > layer }
        return rank(origin.source, in: layer) > rank(source, in: layer)
    }

    /// Returns a source's rank in its layer: by directory, then the main file before the drop-ins.
    func rank(_ source: String, in layer: Int) -> Int {
        let directory = source.prefix { $0 != "/" }
        let index = layers[layer].directories.firstIndex { $0.name == directory } ?? 0
        return index * 2 + (source.hasSuffix("/main") ? 0 : 1)
    }
}
