/// A part of a struct that its type rejects.
struct ModelFault: Sendable, Hashable {
    /// The path within the struct; empty if the struct as a whole is rejected.
    let place: [String]
    /// The path of the field that the part belongs to; an array or dictionary is one field.
    let field: [String]
    /// The rejected part as it is stored.
    let stored: ModelValue?
    let reason: ModelRejection
    /// True if an acceptable value above shadows the part.
    var isShadowed = false
}

extension ModelCandidate {
    /// Marks the faults that are shadowed, and adds the faults that arise only together with other layers.
    fileprivate mutating func judge(_ counting: [ModelFault]) {
        guard var faults else { return }
        for index in faults.indices {
            faults[index].isShadowed = !counting.contains { $0.place == faults[index].place }
        }
        // These values are wrong only together with other layers.
        let others = counting.filter { fault in !faults.contains { $0.place == fault.place } }
        self.faults =
            faults
            + others.map { ModelFault(place: $0.place, field: $0.field, stored: stored, reason: $0.reason) }
    }
}

/// The fields that one candidate of a struct sets, without the parts that were rejected.
private struct ModelFieldLayer {
    let index: Int
    var value: ModelValue
}

extension ModelSnapshot {
    /// Resolves a struct. Each field has the value of the highest layer with an acceptable one, or else its
    /// default.
    ///
    /// A dictionary or array is one field and is replaced as a whole. A field that its type rejects counts as
    /// absent, and the other fields of the layer stay. If the validator rejects the struct, the lowest layer
    /// that makes it invalid is rejected.
    ///
    /// For example, with the default `{port: 25, tls: {minimum: 1.2, strict: true}}`, `{tls: {strict: false}}` in
    /// the system layer and `{port: "x", tls: {minimum: 1.3}}` in the user layer, the value is
    /// `{port: 25, tls: {minimum: 1.3, strict: false}}`, and the user's `port` is rejected.
    ///
    /// - Parameter source: The index of a source that is read under the key's present name, whatever it contains.
    func resolveStructure(_ key: ModelKey, presentIn source: Int? = nil) -> ModelResolution {
        var candidates = candidates(for: key, presentIn: source)
        var layers: [ModelFieldLayer] = []
        for index in candidates.indices where candidates[index].fate == .shadowed {
            switch fields(of: candidates[index], key: key) {
            case .failure(let reason): candidates[index].fate = .rejected(reason.rejection)
            case .success(let value):
                layers.append(ModelFieldLayer(index: index, value: value))
                candidates[index].fate = .merged
                candidates[index].faults = faults(of: value, candidates[index], key: key)
            }
        }
        if mutations.contains(.structuresReplace) { layers = Array(layers.prefix(1)) }
        if layers.count > 1 { tally.hit(.fieldsMerge) }
        var faults: [(index: Int, fault: ModelFault)] = []
        let value = merge(&layers, of: key, candidates, &faults)
        for index in candidates.indices {
            candidates[index].judge(faults.filter { $0.index == index }.map(\.fault))
        }
        var parts: [ModelOrigin: ModelRejection] = [:]
        for (index, fault) in faults {
            if fault.place.isEmpty {
                candidates[index].fate = .rejected(fault.reason)
            } else {
                parts[candidates[index].origin.part(fault.place, of: key)] = fault.reason
            }
        }
        if let winner = layers.first?.index { candidates[winner].fate = .effective }
        return ModelResolution(
            value: value, origin: layers.first.map { candidates[$0.index].origin }, candidates: candidates,
            lock: lock(covering: key.path), rejectedParts: parts)
    }

    private struct Unsuitable: Error {
        let rejection: ModelRejection
    }

    /// Returns the dictionary of a candidate, without the parts that locks reserve for lower layers.
    private func fields(
        of candidate: ModelCandidate, key: ModelKey
    ) -> Result<ModelValue, Unsuitable> {
        let source = sources[candidate.sourceIndex]
        var value = candidate.stored
        if source.isText, case .string(let text) = value {
            value = ModelText.parse(text, as: key.type, tally: tally)
        }
        let name = ModelPath(candidate.origin.name)
        guard let value, case let own = stripped(value, of: name, from: source.layer, key: key),
            own.entries != nil
        else { return .failure(Unsuitable(rejection: source.isText ? .unparsableText : .wrongType)) }
        return .success(own)
    }

    /// Returns the faults of one candidate alone, whatever the other layers have.
    private func faults(of value: ModelValue, _ candidate: ModelCandidate, key: ModelKey) -> [ModelFault] {
        var layers = [ModelFieldLayer(index: 0, value: value)]
        var faults: [(index: Int, fault: ModelFault)] = []
        _ = merge(&layers, of: key, [candidate], &faults)
        return faults.map { _, fault in
            let isText = sources[candidate.sourceIndex].isText
            // The stored value is compared as it is in the file: a lock that strips parts of it does not make
            // it another value.
            let stored = isText || fault.place.isEmpty ? candidate.stored : fault.stored
            return ModelFault(
                place: fault.place, field: fault.field, stored: stored, reason: fault.reason)
        }
    }

    /// Merges the fields. Removes rejected parts from the layers until nothing is rejected.
    private func merge(
        _ layers: inout [ModelFieldLayer], of key: ModelKey, _ candidates: [ModelCandidate],
        _ faults: inout [(index: Int, fault: ModelFault)]
    ) -> ModelValue {
        while !layers.isEmpty {
            var wrong: [(layer: Int, place: [String])] = []
            let value = field([], key.type, of: key, layers, &wrong)
            if wrong.isEmpty {
                guard let invalid = invalidLayer(layers, of: key, value) else { return value }
                let fault = ModelFault(place: [], field: [], stored: layers[invalid].value, reason: .invalid)
                faults.append((layers[invalid].index, fault))
                layers.remove(at: invalid)
                tally.hit(.structureIsInvalid)
                continue
            }
            if layers.count > 1 { tally.hit(.fieldIsRejectedAlone) }
            for (layer, place) in wrong {
                guard let stored = layers[layer].value.at(place) else { continue }
                let index = layers[layer].index
                let isText = sources[candidates[index].sourceIndex].isText
                let deep = place + (key.type.field(at: place)?.faultyEntry(of: stored) ?? [])
                faults.append(
                    (
                        index,
                        ModelFault(
                            place: deep, field: place, stored: layers[layer].value.at(deep),
                            reason: isText ? .unparsableText : .wrongType)
                    ))
                layers[layer].value =
                    mutations.contains(.wrongFieldRejectsStructure)
                    ? [:] : layers[layer].value.removing(at: place)
            }
            let emptied = Set(wrong.map(\.layer)).filter { layers[$0].value == [:] }
            for layer in emptied.sorted(by: >) { layers.remove(at: layer) }
        }
        return key.defaultValue
    }

    /// Returns the value of a field, and adds the rejected parts above it to `wrong`.
    private func field(
        _ place: [String], _ type: ModelType, of key: ModelKey, _ layers: [ModelFieldLayer],
        _ wrong: inout [(layer: Int, place: [String])]
    ) -> ModelValue {
        if case .structure(let fields) = type {
            var entries: [String: ModelValue] = [:]
            for name in fields.keys.sorted() {
                entries[name] = fields[name].map { field(place + [name], $0, of: key, layers, &wrong) }
            }
            return .dictionary(entries)
        }
        for (index, layer) in layers.enumerated() {
            if let bar = layer.value.bar(on: place) {
                if !wrong.contains(where: { $0 == (index, bar) }) { wrong.append((index, bar)) }
                continue
            }
            guard let stored = layer.value.at(place) else { continue }
            if let decoded = type.decode(stored, tally: ModelTally()) { return decoded }
            wrong.append((index, place))
        }
        return key.defaultValue.at(place) ?? [:]
    }

    /// Returns the lowest layer that makes the struct invalid; `nil` if it is valid.
    private func invalidLayer(
        _ layers: [ModelFieldLayer], of key: ModelKey, _ value: ModelValue
    ) -> Int? {
        guard let validator = key.validator, !validator.accepts(value) else { return nil }
        return layers.indices.last { index in
            var wrong: [(layer: Int, place: [String])] = []
            let value = field([], key.type, of: key, Array(layers[index...]), &wrong)
            return wrong.isEmpty && !validator.accepts(value)
        } ?? 0
    }
}

extension ModelType {
    /// Returns the type of a field of a struct, or of a struct within it.
    func field(at place: [String]) -> ModelType? {
        guard let first = place.first else { return self }
        guard case .structure(let fields) = self else { return nil }
        return fields[first]?.field(at: Array(place.dropFirst()))
    }

    /// Returns the name of the first entry that makes this type reject a dictionary.
    fileprivate func faultyEntry(of stored: ModelValue) -> [String] {
        guard case .dictionary(let element) = self, let entries = stored.entries else { return [] }
        return entries.keys.sorted().first { name in
            entries[name].map { element.decode($0, tally: ModelTally()) == nil } ?? false
        }.map { [$0] } ?? []
    }
}

extension ModelValue {
    /// Returns the path of the non-dictionary, if there is one, on the way to a place.
    fileprivate func bar(on place: [String]) -> [String]? {
        (1..<max(place.count, 1)).map { Array(place.prefix($0)) }.first { part in
            at(part).map { $0.entries == nil } ?? false
        }
    }
}

extension ModelOrigin {
    /// Returns the origin of a part of a struct. The position of a part within its line is not compared.
    func part(_ place: [String], of key: ModelKey) -> ModelOrigin {
        var origin = self
        origin.name += " \(key.path.appending(place))"
        origin.spelling = .literal
        return origin
    }
}

extension ModelStack {
    /// A write of one field, or its removal.
    struct FieldEdit {
        let path: ModelPath
        let value: ModelValue?
    }

    /// Returns the edits that store a struct: fields that differ from the layers below are set, and the
    /// others are removed. `nil` if the struct is stored as one value.
    ///
    /// A field that already has the new value stays as it is. If another write of the transaction concerns
    /// the key, the comparison would be meaningless, so the struct is stored as one value.
    func fieldEdits(of write: ModelWrite, among others: [ModelWrite]) -> [FieldEdit]? {
        guard write.isTyped, let value = write.value, let target = target(of: write),
            let key = keys.first(where: { $0.path == write.path }), case .structure = key.type,
            !others.contains(where: { $0 != write && touches($0, key) }),
            others.filter({ $0 == write }).count < 2, !mutations.contains(.structuresAreWrittenWhole)
        else { return nil }
        let own = ownFields(of: key, in: target)
        if let own, own.entries == nil { return nil }
        let lower = structure(key, of: target, includingOwn: false)
        let known = structure(key, of: target, includingOwn: true)
        var edits: [FieldEdit] = []
        collect(&edits, key.path, key.type, (value, lower, own, known))
        return edits
    }

    private func touches(_ write: ModelWrite, _ key: ModelKey) -> Bool {
        let written = keys.first { write.isTyped && $0.path == write.path }?.names ?? [write.path]
        return written.contains { name in
            key.names.contains { $0.covers(name) || name.covers($0) }
        }
    }

    private func collect(
        _ edits: inout [FieldEdit], _ path: ModelPath, _ type: ModelType,
        _ versions: (value: ModelValue?, lower: ModelValue?, own: ModelValue?, known: ModelValue?)
    ) {
        if case .structure(let fields) = type, versions.own == nil || versions.own?.entries != nil {
            for name in fields.keys.sorted() {
                guard let field = fields[name] else { continue }
                collect(
                    &edits, path.appending([name]), field,
                    (
                        versions.value?.at([name]), versions.lower?.at([name]), versions.own?.at([name]),
                        versions.known?.at([name])
                    ))
            }
            return
        }
        let wanted = versions.value == versions.lower ? nil : versions.value
        let isWritten = wanted != nil && versions.own != nil && versions.value == versions.known
        if isWritten || wanted == versions.own { return }
        tally.hit(wanted == nil ? .fieldIsRemoved : .fieldIsWritten)
        edits.append(FieldEdit(path: path, value: wanted))
    }

    private func ownFields(of key: ModelKey, in target: Int) -> ModelValue? {
        let (snapshot, name) = (self.snapshot, writtenSource(of: target))
        let source = snapshot.sources.first { $0.layer == Self.height(of: target) && $0.name == name }
        guard let source, case .found(let value, _) = snapshot.typedView(key.path, in: source) else {
            return nil
        }
        return value
    }

    /// Returns the struct's value in the sources below a layer's written source; with `includingOwn`, in that
    /// source, too.
    private func structure(_ key: ModelKey, of target: Int, includingOwn: Bool) -> ModelValue {
        let (snapshot, name) = (self.snapshot, writtenSource(of: target))
        let sources = snapshot.sources.filter { source in
            if source.layer != Self.height(of: target) { return source.layer < Self.height(of: target) }
            let (rank, own) = (rank(source.name, in: target), rank(name, in: target))
            return includingOwn ? rank <= own : rank < own
        }
        let written = sources.firstIndex { $0.layer == Self.height(of: target) && $0.name == name }
        return ModelSnapshot(
            layerNames: snapshot.layerNames, sources: sources, locks: snapshot.locks, keys: keys, groups: [],
            mutations: mutations, tally: ModelTally()
        ).resolveStructure(key, presentIn: written).value
    }

    /// Returns the path of the struct around a field if the file spells the struct's key literally.
    func literalDictionary(around path: ModelPath, in entries: [String: ModelValue]) -> ModelPath? {
        keys.first { key in
            guard case .structure = key.type, key.path.isAncestor(of: path), key.path.components.count > 1
            else { return false }
            return entries[key.path.description]?.entries != nil
        }?.path
    }
}
