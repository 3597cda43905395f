import PrefsDocuments

/// A change in place of a property, such as `prefs.window.width = 5` or `prefs.features["x"] = true`.
///
/// The access knows the value before and after the change, so it stores only the difference. Between its read and
/// its write, another process may have changed another field or entry. That change must not be lost:
///
///     this access read    {"width": 800, "height": 600}
///     and changed it to   {"width": 900, "height": 600}
///     the file has        {"width": 800, "height": 700}     another process has set the height
///     the file gets       {"width": 900, "height": 700}
///
/// The edits are computed from the file's contents under the file lock. If a field of a struct gets the same value
/// as in the layers below, it is removed, as in ``FieldWriting``.
struct ChangeInPlace<Value: Sendable> {
    let key: PersistentKey<Value>
    let difference: ValueDifference
    /// The stored form of the value after the change.
    private let after: PrefsValue

    /// Creates the change of a key that merges. Returns `nil` if the value has to be stored as a whole.
    ///
    /// - Parameter after: The stored form of the value after the change; `nil` removes the key.
    init?(of key: PersistentKey<Value>, from before: Value, to after: PrefsValue?) {
        self.init(of: key, from: (try? key.coding.encode(before)) ?? nil, to: after)
    }

    /// Creates the change from both stored forms. Returns `nil` if the value has to be stored as a whole.
    init?(of key: PersistentKey<Value>, from stored: PrefsValue?, to after: PrefsValue?) {
        guard !key.isPlain, key.traits.mergesDeeply, let after, after.dictionary != nil else { return nil }
        let before: PrefsValue
        var wholes: Set<[String]> = []
        if let merge = key.fieldMerge {
            // A struct that was `nil` has no fields to compare with.
            guard let stored else { return nil }
            before = stored
            wholes = merge.decode(before).wholes.union(merge.decode(after).wholes)
        } else {
            before = stored ?? .dictionary([:])
        }
        guard before.dictionary != nil, !wholes.contains([]) else { return nil }
        self.key = key
        self.after = after
        difference = ValueDifference(from: before, to: after, wholes: wholes)
    }

    private var path: PrefsPath { PrefsPath(key.id) }

    /// Returns true if an edit belongs to the change.
    private func includes(_ edit: PathEdit) -> Bool {
        difference.concerns(edit.path.components.dropFirst(path.components.count))
    }
}

extension PrefsStorage {
    /// Stores the change that an access to a property has made in place. Does nothing if the key is not mutable.
    ///
    /// Another module's storage outside a stack gets the whole value. So does a key that does not merge.
    ///
    /// - Throws: ``PrefsError``; nothing is changed then.
    func change<Value>(_ key: PersistentKey<Value>, from before: Value, to after: Value) throws {
        let capabilities = _capabilities
        if let stack = capabilities.storage as? PrefsStack {
            return try stack.change(key, from: before, to: after, in: nil)
        }
        guard key.isMutable else { return }
        let change = try ChangeInPlace(of: key, from: before, to: key.storedForm(of: after))
        switch (change, capabilities.storage) {
        case (let change?, let dictionary as DictionaryPrefsStorage): try dictionary.store(change)
        case (let change?, let file as FilePrefsStorage): try file.store(change)
        default: try set(key, to: after)
        }
    }
}

// MARK: - In a stack

extension PrefsStack {
    /// Stores the change that an access to a property has made in place, in one layer.
    ///
    /// - Parameter layer: The layer's name. The default is the same as in ``setValue(_:forKey:in:)``.
    /// - Throws: ``PrefsError``; nothing is changed then.
    func change<Value>(
        _ key: PersistentKey<Value>, from before: Value, to after: Value, in layer: PrefsLayer.Name?
    ) throws {
        guard key.isMutable else { return }
        let change = try ChangeInPlace(of: key, from: before, to: key.storedForm(of: after))
        guard let change else {
            try set(key, to: after, in: layer)
            return
        }
        try makeDeferredWrites()
        let target = try target(layer, forKey: key.id)
        func edits(of contents: PrefsSource) throws -> [PathEdit] {
            try change.edits(of: contents, in: target, of: self)
        }
        // Checks the edits before the write takes the file lock, because that may create a folder.
        _ = try edits(of: target.writtenContents)
        let marked = markingSecrets(in: .following(edits), of: key.name, target)
        try commit([PreparedWrite(layers: [target], edits: try target.prepare(marked))])
    }

    /// Returns the stored form of a key's value from a layer and the layers below it, if that is a dictionary.
    ///
    /// - Parameter contents: The layer's contents, which may be newer than the snapshot.
    fileprivate func storedForm(
        of key: PersistentKey<some Sendable>, upTo target: PrefsLayer, with contents: PrefsSource
    ) -> PrefsValue? {
        let written = snapshot.index(of: contents, in: target)
        let snapshot = snapshot.replacingSource(at: written, with: contents)
        let below = Set(layers.prefix { $0.name != target.name }.map(\.name.description))
        let filter = LockFilter(snapshot, key.name, typed: key.typing)
        let candidates = snapshot.values(for: key.name).compactMap { found -> PrefsCandidate? in
            let isNew = written == snapshot.state.parts.count
            let isAbove =
                isNew ? !below.contains(found.layer ?? "") : snapshot.index(of: found.origin) < written
            return isAbove ? nil : filter.apply(to: found)?.candidate
        }
        return key.storedDictionary(of: key.resolve(candidates: candidates).value)
    }
}

extension PersistentKey {
    /// Returns the stored form of a value, if that is a dictionary.
    fileprivate func storedDictionary(of value: Value) -> PrefsValue? {
        guard let stored = try? coding.encode(value), stored.dictionary != nil else { return nil }
        return stored
    }
}

extension ChangeInPlace {
    /// Returns the edits that make the change in one layer of a stack.
    ///
    /// - Parameter contents: The layer's contents at the moment of the write.
    /// - Throws: ``PrefsError`` if a lock forbids an edit, or if the layer lacks an entry that is to be removed.
    func edits(
        of contents: PrefsSource, in target: PrefsLayer, of stack: PrefsStack
    ) throws -> [PathEdit] {
        if key.fieldMerge != nil { return try fieldEdits(of: contents, in: target, stack) }
        let own = ownDictionary(in: contents)
        try checkRemovals(from: own, in: contents, target, stack)
        let before = own?.value ?? .dictionary([:])
        let edits = edits(
            from: before, to: difference.applied(to: before), asOne: own?.path != path || target.holdsNames)
        for edit in edits { try checkLocks(on: edit, in: target, stack) }
        guard target.paths == nil, path.isNested else { return edits }
        return edits.joined(into: path, in: contents.spelled)
    }

    /// Returns the value under the first of the key's names that some contents have.
    private func ownValue(in contents: PrefsSource) -> LocatedValue? {
        key.name.paths.lazy.compactMap { path -> LocatedValue? in
            let found = contents.value(for: key.name, at: path, claims: VariableClaims())
            guard let found, !found.isRejected, !key.name.isSection(found.value, at: path) else { return nil }
            return found
        }.first
    }

    private func ownDictionary(in contents: PrefsSource) -> LocatedValue? {
        ownValue(in: contents).flatMap { $0.value.dictionary == nil ? nil : $0 }
    }

    private func checkLocks(
        on edit: PathEdit, in target: PrefsLayer, _ stack: PrefsStack
    ) throws(PrefsError) {
        // A removal does no harm, because a locked-out value is ineffective anyway.
        guard edit.value != nil else { return }
        try stack.checkLocks(on: key.name.field(at: edit.path), for: edit.value, in: target)
    }

    /// Returns the edits of the fields of a struct.
    private func fieldEdits(
        of contents: PrefsSource, in target: PrefsLayer, _ stack: PrefsStack
    ) throws -> [PathEdit] {
        let base = stack.storedForm(of: key, upTo: target, with: contents)
        let value = base.map(difference.applied) ?? after
        let own = ownValue(in: contents)
        let isStruct = own == nil || own?.value.dictionary != nil
        // Once the present name exists, fields under a former name are no longer read, so they are moved, too.
        let includesAll = base == nil || own != nil && own?.path != path
        func check(_ edit: PathEdit) throws {
            if includesAll || includes(edit) { try checkLocks(on: edit, in: target, stack) }
        }
        let edits =
            try isStruct
            ? stack.fieldEdits(storing: value, for: key, in: target, replacing: contents, check: check) : nil
        if let edits { return includesAll ? edits : edits.filter(includes) }
        let whole = PathEdit(key.name, value)
        try checkLocks(on: whole, in: target, stack)
        return [whole]
    }

    /// Throws if the change removes an entry that only another layer, or the default, has.
    private func checkRemovals(
        from own: LocatedValue?, in contents: PrefsSource, _ target: PrefsLayer, _ stack: PrefsStack
    ) throws(PrefsError) {
        let missing = removals(missingIn: own?.value)
        if missing.isEmpty { return }
        let snapshot = stack.snapshot
        let written = snapshot.index(of: contents, in: target)
        let others = snapshot.values(for: key.name).map(\.candidate)
            .filter { snapshot.index(of: $0.origin) != written }
        let place = target.writtenFile ?? "the layer “\(target.name)”"
        for removal in missing {
            let other = others.first { key.storedForm(in: $0)?.value(at: removal.path[...]) != nil }
            if let other {
                throw error(
                    removal, at: other.origin(ofPartAt: removal.path.map { .key($0) }),
                    "it is not in \(place), which this change is written to")
            }
            try checkDefault(lacks: removal)
        }
    }

    /// Returns the removals of entries that a dictionary does not have.
    private func removals(missingIn own: PrefsValue?) -> [ValueDifference.Change] {
        difference.changes.filter { $0.value == nil && own?.value(at: $0.path[...]) == nil }
    }

    private func checkDefault(lacks removal: ValueDifference.Change) throws(PrefsError) {
        guard key.storedDefault?.value(at: removal.path[...]) != nil else { return }
        throw error(removal, "it is in the program's default value")
    }

    private func error(
        _ removal: ValueDifference.Change, at origin: PrefsOrigin? = nil, _ reason: String
    ) -> PrefsError {
        PrefsError(
            .unsupported, key: PrefsPath(components: path.components + removal.path).name, origin: origin,
            reason: "this entry cannot be removed, because \(reason); set another value for it")
    }

    /// Returns the edits that turn one dictionary of the key into another one.
    ///
    /// A removal in a file also removes the dictionaries that it empties. If such a dictionary is a value of its
    /// own, an empty dictionary is stored instead. For example, `prefs.nested["x"]?["a"] = nil` may leave an empty
    /// `x`.
    ///
    /// - Parameter isOne: True for one edit of the whole key.
    private func edits(from before: PrefsValue, to after: PrefsValue, asOne isOne: Bool) -> [PathEdit] {
        if before == after { return [] }
        if isOne { return [PathEdit(key.name, after)] }
        var edits: [PathEdit] = []
        for change in ValueDifference(from: before, to: after).changes {
            var (place, value) = (change.path[...], change.value)
            let outer = place.dropLast()
            // Without a default, an empty dictionary differs from no value.
            let isValue = !outer.isEmpty || key.storedDefault == nil
            if value == nil, isValue, after.value(at: outer) == .dictionary([:]) {
                (place, value) = (outer, .dictionary([:]))
            }
            let edit = PathEdit(path: PrefsPath(components: path.components + place), value: value)
            if edits.last?.path != edit.path { edits.append(edit) }
        }
        // Removals come last, because a dictionary that loses all its entries loses its spelling, too.
        return edits.filter { $0.value != nil } + edits.filter { $0.value == nil }
    }
}

// MARK: - In a storage of its own

extension FilePrefsStorage {
    fileprivate func store(_ change: ChangeInPlace<some Sendable>) throws {
        try prepare(.following { try change.edits(of: $0) }).commitAlone()
    }
}

extension DictionaryPrefsStorage {
    /// Used on its own, the storage takes keys literally.
    fileprivate func store(_ change: ChangeInPlace<some Sendable>) throws {
        let names = change.key.name.paths.map(\.literalKey)
        try update { values in
            let name = names.first { values[$0] != nil }
            let own = name.flatMap { values[$0]?.dictionary == nil ? nil : values[$0] }
            values[names[0]] = try change.value(changing: own, isPresent: name == names[0])
        }
    }
}

extension ChangeInPlace {
    /// Returns the edits that make the change in a file that is not part of a stack.
    fileprivate func edits(of contents: PrefsSource) throws -> [PathEdit] {
        let own = ownDictionary(in: contents)
        let isPresent = own?.path == path
        let after = try value(changing: own?.value, isPresent: isPresent)
        return edits(from: own?.value ?? .dictionary([:]), to: after, asOne: !isPresent)
    }

    /// Returns the value of a storage without layers after the change.
    ///
    /// - Parameters:
    ///   - own: The storage's value before the change.
    ///   - isPresent: False if that value is stored under a former name.
    fileprivate func value(changing own: PrefsValue?, isPresent: Bool) throws -> PrefsValue {
        let before = own ?? .dictionary([:])
        let result: PrefsValue
        if let merge = key.fieldMerge {
            result = fields(changing: own, isPresent, merge)
        } else {
            for removal in removals(missingIn: own) { try checkDefault(lacks: removal) }
            result = difference.applied(to: before)
        }
        if let error = rejections(of: result).first, rejections(of: before).isEmpty { throw error }
        return result
    }

    private func rejections(of stored: PrefsValue) -> [PrefsError] {
        key.resolve(candidates: [PrefsCandidate(stored)]).rejections
    }

    /// Returns the fields that differ from the default. Without layers, only the default is below the storage.
    private func fields(changing own: PrefsValue?, _ isPresent: Bool, _ merge: FieldMerge<Value>)
        -> PrefsValue
    {
        let candidates = own.map { [PrefsCandidate($0)] } ?? []
        guard let base = key.storedDictionary(of: merge.resolve(candidates).value) else { return after }
        let present = isPresent ? own : nil
        let value = difference.applied(to: base)
        let edits = FieldWriting(
            value, over: key.storedDefault, replacing: present, known: base, at: path,
            wholes: merge.decode(value).wholes
        ).edits
        return edits.filter { own == nil || !isPresent || includes($0) }
            .reduce(into: present ?? .dictionary([:])) { result, edit in
                result.put(edit.value, at: edit.path.components.dropFirst(path.components.count))
            }
    }
}
