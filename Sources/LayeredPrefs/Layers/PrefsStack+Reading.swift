public import PrefsDocuments

extension PrefsSnapshot {
    /// Returns a key's effective value in this snapshot.
    public func get<Value>(_ key: PersistentKey<Value>) -> Value {
        key.resolve(candidates: candidates(for: key.name, typed: key.typing)).value
    }

    /// Returns a key's effective value in this snapshot with its origin, lock and other candidates.
    public func resolution<Value>(for key: PersistentKey<Value>) -> PrefsResolution<Value> {
        let name = key.name
        return key.resolution(
            among: candidates(for: name, typed: key.typing), lock: lock(on: name), generation: generation)
    }

    /// Returns a key's rejected values with their errors: values that count, and values below an acceptable one.
    ///
    /// The errors describe the values as their sources store them, because the stored value identifies a problem.
    /// Key locks on parts of a value only decide whether the value is rejected. If a non-dictionary blocks the
    /// key's path, the key has no value there. Then the entry has no value, either, and only its reason identifies
    /// the problem.
    func rejections(of key: PersistentKey<some Sendable>) -> [RejectedValue] {
        // The key ignores stored values, so none of them is rejected.
        guard key.isMutable, !acceptsEachValue(of: key) else { return [] }
        let filter = LockFilter(self, key.name, typed: key.typing)
        let values = values(for: key.name).compactMap { found in
            filter.apply(to: found).map { (found: found, held: $0.candidate) }
        }
        if let merge = key.fieldMerge { return rejections(of: values, merging: merge) }
        // Dictionaries that are merged do not shadow each other.
        let isReplaced = key.traits.merge == .replacing
        var shadow: PrefsOrigin?
        return values.flatMap { found, held -> [RejectedValue] in
            var errors = key.rejections(ofWhole: held)
            if errors.isEmpty {
                if isReplaced, shadow == nil { shadow = held.origin }
                return []
            }
            let stored = found.candidate
            let value = stored.rejection?.code == .wrongType ? nil : stored.value
            let own = key.rejections(ofWhole: stored)
            if own.first?.code == errors[0].code, own.count == errors.count { errors = own }
            return errors.map { RejectedValue(found, value, $0.naming(key.id), below: shadow) }
        }
    }

    /// Returns the rejected fields of a struct: fields that its value lacks because of the rejection, and fields
    /// below an acceptable value.
    private func rejections<Value>(
        of values: [(found: LocatedValue, held: PrefsCandidate)], merging merge: FieldMerge<Value>
    ) -> [RejectedValue] {
        // A single value is not merged, so all its problems count.
        let effective = values.count > 1 ? merge.rejections(among: values.map(\.held)) : nil
        return values.indices.flatMap { index -> [RejectedValue] in
            let (found, held) = values[index]
            let counting = effective?[index].map { $0.naming(merge.key.id) }
            let alone = merge.rejections(of: held, storedAs: found.candidate)
            let fields = alone.isEmpty ? [] : merge.fields(of: held)
            let own = alone.compactMap { part, value, error -> RejectedValue? in
                // A dictionary or array is one field.
                let field = part.isEmpty ? part : fields.first { part.starts(with: $0) } ?? part
                let error = error.naming(merge.key.id)
                let counts = counting?.contains { $0.key == error.key } ?? true
                // Another layer sets the field that this value lacks.
                if !counts, part.isEmpty, error.key != merge.key.id { return nil }
                let above = values[..<index].first { $0.held.value.value(at: field[...]) != nil }
                return RejectedValue(
                    found, field: field, value, error, below: counts ? nil : (above ?? values[0]).held.origin)
            }
            // Problems that the value has only together with other layers.
            let others = counting?.filter { error in !own.contains { $0.error.key == error.key } } ?? []
            return own + others.map { RejectedValue(found, found.candidate.value, $0) }
        }
    }

    /// Returns true if each stored value of a key obviously decodes: the key is plain, and has no key lock.
    ///
    /// A fast path for the check after every change. If it returns false, all values may still be acceptable.
    private func acceptsEachValue(of key: PersistentKey<some Sendable>) -> Bool {
        let (name, path) = (key.name, PrefsPath(key.id))
        guard key.isPlain, !state.rules.locks.concerns(path)
        else { return false }
        return state.parts.indices.allSatisfy { index in
            guard let found = value(for: name, at: path, in: index) else { return true }
            return !found.isRejected && !found.isText && key.coding.decode(found.value) != nil
        }
    }
}

/// A value that its key rejects.
struct RejectedValue: Sendable {
    /// The path of the value in its source, or the path of the non-dictionary that blocks it.
    let path: PrefsPath
    let layer: String?
    let file: String?
    /// The stored value; `nil` if a non-dictionary blocks the key's path.
    let value: PrefsValue?
    let error: PrefsError
    /// The place of the acceptable value above that makes this one irrelevant; `nil` if there is none.
    let shadow: PrefsOrigin?

    init(
        _ found: LocatedValue, field: [String] = [], _ value: PrefsValue?, _ error: PrefsError,
        below shadow: PrefsOrigin? = nil
    ) {
        path =
            value == nil
            ? PrefsPath(found.spelling) : PrefsPath(components: found.path.components + field)
        (layer, file) = (found.layer, found.file)
        (self.value, self.error, self.shadow) = (value, error, shadow)
    }
}

extension PrefsStack {
    /// Returns a key's effective value with its origin, shadowed and rejected candidates and lock.
    public func resolution<Value>(for key: PersistentKey<Value>) -> PrefsResolution<Value> {
        snapshot.resolution(for: key)
    }

    /// Returns a key's untyped value with its origin, shadowed and rejected candidates and lock.
    public func resolution(forKey key: String) -> PrefsResolution<PrefsValue?> {
        snapshot.resolution(forKey: key)
    }

    /// Returns a key's effective value.
    ///
    /// Reading a plain key costs half as much as a dictionary lookup under a mutex, however many layers there are:
    /// each thread caches the topmost stored value of every name it reads until a change touches it. Other keys
    /// also parse and validate the value. A value that several layers make up, such as a struct, is decoded once
    /// per thread and generation, as long as the same key, or a copy of it, reads it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fileID: The source file of the call, recorded by ``trackReads()``.
    ///   - line: The line of the call.
    @inlinable @inline(__always)
    public func get<Value>(
        _ key: PersistentKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        if key.isPlain, let lookup = key.lookup {
            switch keptValue(of: lookup) {
            case .stored(let stored):
                if let value = key.coding.decode(stored) { return value }
            case .absent: return key.defaultValue
            case .text, .unknown, .involved: break
            }
        } else if let value = key.decodedValue(at: changes.generation) {
            return value
        }
        return value(ofAny: key, fileID, line)
    }

    /// Returns the value of any key. Not inlined, because a program reads plain keys in many places.
    @inlinable @inline(never)
    func value<Value>(
        ofAny key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value {
        if let lookup = key.lookup {
            switch keptValue(of: lookup) {
            case .stored(let stored):
                if let value = key.acceptedValue(of: stored) { return value }
            case .text(let text):
                if let value = value(ofText: text, lookup, key) { return value }
            case .absent: return key.defaultValue
            case .unknown, .involved: break
            }
        }
        return resolve(key, fileID, line)
    }

    /// Returns the value that a key parses from a text. If the thread has cached the parsed stored form, the text
    /// is not parsed again.
    @inlinable
    func value<Value>(
        ofText text: String, _ lookup: ValueLookup, _ key: PersistentKey<Value>
    ) -> Value? {
        guard let parsed = lookup.parsed(by: key.coding) else { return key.value(of: .text(text)) }
        if case .stored(let stored) = keptValue(of: parsed) { return key.acceptedValue(of: stored) }
        return nil
    }

    /// Returns the topmost value that this thread has cached for a lookup.
    @usableFromInline
    func keptValue(of lookup: ValueLookup) -> TopValue {
        published.keptValue(of: lookup, at: changes.generation)
    }

    @inline(never) @usableFromInline
    func resolve<Value>(
        _ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value {
        noteRead(of: key, fileID, line)
        guard key.isMutable else { return key.defaultValue }
        noteUse(of: key)
        // A storage that does not announce its changes, and a scope's overrides, have no generation of their own.
        let mayKeep = isAnnounced && !readsInScope
        let name = key.name
        if mayKeep, let lookup = key.lookup, name.isBoolean == lookup.kind.contains(.boolean),
            let value = key.value(of: topValue(of: key, name, lookup))
        {
            return value
        }
        let snapshot = mayKeep ? published.snapshot : self.snapshot
        let answer = key.resolve(candidates: snapshot.candidates(for: name, typed: key.typing))
        if !answer.rejections.isEmpty { noteRejection(of: key) }
        if mayKeep, let decoded = key.declared?.decoded {
            decoded.keep(answer.value, at: snapshot.generation)
        }
        return answer.value
    }

    /// Looks up the topmost value of a key, and caches it for this thread. If the value is a text, the result is
    /// the stored form that the key parses from it.
    private func topValue<Value>(
        of key: PersistentKey<Value>, _ name: PrefsKeyName, _ lookup: ValueLookup
    ) -> TopValue {
        let paths = name.paths
        let value = published.value(of: lookup, paths) { $0.topValue(of: name, at: paths) }
        guard case .text = value, let parsed = lookup.parsed(by: key.coding) else { return value }
        return published.value(of: parsed, paths) { snapshot in
            let value = snapshot.topValue(of: name, at: paths)
            guard case .text(let text) = value else { return value }
            return key.storedForm(ofText: text).map(TopValue.stored) ?? .involved
        }
    }

    public func _get<Value>(
        _ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value { get(key, fileID: fileID, line: line) }

    /// Reports a key's rejected candidates, now and at every change; see ``declare(_:)``.
    public func _noteRejection<Value>(of key: PersistentKey<Value>) { noteRejection(of: key) }
}
