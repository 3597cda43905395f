import PrefsDocuments

/// The resolution of a key whose value is a struct, merged per field.
///
/// For `server`, a struct with the default `{"host": "::", "timeout": "30s", "tls": {"minimum": "1.2"}}`:
///
///     user      {"timeout": "soon", "tls": {"minimum": "1.3"}}
///     system    {"timeout": "1m"}
///     result    {"host": "::", "timeout": "1m", "tls": {"minimum": "1.3"}}
///
/// The user's `timeout` is rejected alone, with its own key and line.
struct FieldMerge<Value: Sendable> {
    /// The number of wrong fields after which the rest of a dictionary is rejected as well. Each wrong field takes
    /// decoding the struct once more, and if a struct contains itself, a file may have any number of them.
    static var rejectionLimit: Int { 64 }

    /// One candidate's dictionary, without the fields that were rejected.
    private struct Layer {
        let index: Int
        let stored: PrefsValue
        var content: PrefsValue
    }

    let key: PersistentKey<Value>
    let coding: any FieldwiseCoding<Value>

    /// Resolves some candidates, most important first.
    func resolve(_ candidates: [PrefsCandidate]) -> PrefsAnswer<Value> {
        var rejections: [[PrefsError]] = []
        var answer = resolve(candidates, &rejections)
        answer.rejections = rejections.flatMap(\.self)
        return answer
    }

    /// Returns the errors of each candidate: why parts of it are not in the value. The most important candidate
    /// comes first.
    func rejections(among candidates: [PrefsCandidate]) -> [[PrefsError]] {
        var rejections: [[PrefsError]] = []
        _ = resolve(candidates, &rejections)
        return rejections
    }

    private func resolve(
        _ candidates: [PrefsCandidate], _ rejections: inout [[PrefsError]]
    ) -> PrefsAnswer<Value> {
        rejections = Array(repeating: [], count: candidates.count)
        var layers: [Layer] = []
        for (index, candidate) in candidates.enumerated() {
            if candidate.rejection == nil, let stored = key.storedForm(in: candidate),
                stored.dictionary != nil
            {
                layers.append(Layer(index: index, stored: stored, content: stored))
                continue
            }
            do throws(PrefsError) {
                let value = try key.readWhole(candidate)
                // A value that is not a struct hides the candidates below it, and has no fields to merge.
                guard layers.isEmpty else { continue }
                return PrefsAnswer(value: value, winner: index)
            } catch let error {
                rejections[index].append(error)
            }
        }
        var wholes: Set<[String]> = []
        return merge(&layers, candidates, &rejections, &wholes)
    }

    /// Returns the rejected fields of one candidate, each with its stored value. The other layers do not count. If
    /// the candidate is rejected as a whole, this is the empty path with the whole value. The value is `nil` if
    /// something blocks the key's path.
    ///
    /// - Parameter stored: The candidate before locks were applied to it.
    func rejections(
        of candidate: PrefsCandidate, storedAs stored: PrefsCandidate? = nil
    ) -> [(field: [String], value: PrefsValue?, error: PrefsError)] {
        let stored = stored ?? candidate
        if let rejection = candidate.rejection, rejection.code == .wrongType { return [([], nil, rejection)] }
        return resolve([candidate]).rejections.map { error in
            let name = error.key?.dropFirst(key.id.count + 1).prefix { $0 != "[" } ?? ""
            let field = name.isEmpty ? [] : PrefsPath(String(name)).components
            guard let value = stored.value.value(at: field[...]) else { return ([], stored.value, error) }
            return (field, value, error)
        }
    }

    /// The fields that the struct has in its default, with the parsers of their texts.
    var textFields: [PrefsKeyName.TextField] {
        shape(of: key.storedDefault ?? .dictionary([:])).map { field in
            PrefsKeyName.TextField(
                path: field.path, isBoolean: PrefsStoredType(ofField: field.type).isBoolean
            ) { PrefsText.storedForm(of: $0, as: field.type) }
        }
    }

    /// Returns the fields that a candidate sets; the empty path if it is not a dictionary.
    func fields(of candidate: PrefsCandidate) -> [[String]] {
        guard let stored = key.storedForm(in: candidate), stored.dictionary != nil else { return [[]] }
        // Decoding stops at the first wrong field. Merging removes the wrong fields, and so finds all dictionaries
        // that count as one field.
        var layers = [Layer(index: 0, stored: stored, content: stored)]
        var (rejections, wholes): ([[PrefsError]], Set<[String]>) = ([[]], [])
        _ = merge(&layers, [candidate], &rejections, &wholes)
        var fields: [[String]] = []
        func collect(_ value: PrefsValue, at path: [String]) {
            guard case .dictionary(let content) = value, !wholes.contains(path), !content.isEmpty else {
                return fields.append(path)
            }
            for (name, part) in content { collect(part, at: path + [name]) }
        }
        collect(stored, at: [])
        return fields
    }

    /// Merges the dictionaries. Rejects fields, or whole dictionaries, until the result is acceptable.
    ///
    /// Each round removes a field, or finds a dictionary that counts as a whole. So ``rejectionLimit`` and the
    /// number of layers limit the number of rounds.
    ///
    /// - Parameters:
    ///   - rejections: Receives the errors of each candidate.
    ///   - wholes: Receives the paths of the dictionaries that count as one field.
    private func merge(
        _ layers: inout [Layer], _ candidates: [PrefsCandidate],
        _ rejections: inout [[PrefsError]], _ wholes: inout Set<[String]>
    ) -> PrefsAnswer<Value> {
        let base = key.storedDefault ?? .dictionary([:])
        while let top = layers.first {
            let fields = decode(merged(layers[...], over: base, wholes))
            guard fields.wholes.isSubset(of: wholes) else {
                wholes.formUnion(fields.wholes)
                continue
            }
            switch fields.value {
            case .success(let value):
                guard let complaint = key.complaint(about: value) else {
                    return PrefsAnswer(value: value, winner: top.index)
                }
                let index = layers.remove(at: invalid(layers, over: base, wholes)).index
                rejections[index].append(key.invalid(candidates[index], complaint: complaint))
            case .failure(let mismatch):
                let (index, stored, mismatch) = remove(mismatch, from: &layers, wholes)
                rejections[index].append(key.wrongType(candidates[index], stored, mismatch))
                if rejections[index].count == Self.rejectionLimit {
                    layers.removeAll { $0.index == index }
                    rejections[index].append(excess(in: candidates[index]))
                }
            }
        }
        return PrefsAnswer(value: key.defaultValue, winner: nil)
    }

    /// Returns the error for a candidate with so many wrong fields that its other fields are not used either.
    private func excess(in candidate: PrefsCandidate) -> PrefsError {
        PrefsError(
            .wrongType, key: key.id, origin: candidate.origin,
            reason:
                "\(Self.rejectionLimit) of its fields are invalid, so none of its fields is used; fix them"
        )
    }

    /// Returns the fields of the struct, found by decoding a stored form that has them all.
    func shape(of stored: PrefsValue) -> [DecodedField] {
        coding.fields(in: stored)
    }

    func decode(_ stored: PrefsValue) -> DecodedFields<Value> { coding.decodeFields(stored) }

    private func merged(
        _ layers: ArraySlice<Layer>, over base: PrefsValue, _ wholes: Set<[String]>
    ) -> PrefsValue {
        layers.reversed().reduce(base) { $1.content.merged(over: $0, wholes: wholes) }
    }

    /// Returns the index of the lowest dictionary that makes the struct invalid, together with the dictionaries
    /// below it.
    private func invalid(_ layers: [Layer], over base: PrefsValue, _ wholes: Set<[String]>) -> Int {
        let lowest = layers.indices.last { index in
            let fields = decode(merged(layers[index...], over: base, wholes))
            guard case .success(let value) = fields.value else { return false }
            return key.complaint(about: value) != nil
        }
        return lowest ?? 0
    }

    /// Removes the wrong field from the topmost dictionary that contains it. A dictionary with a non-dictionary in
    /// the way of the field loses that instead. If no dictionary has either, the closest dictionary around the
    /// field is removed. There must be a layer.
    ///
    /// - Returns: The index of that candidate, its stored form, and the mismatch.
    private func remove(
        _ mismatch: PrefsMismatch, from layers: inout [Layer], _ wholes: Set<[String]>
    ) -> (Int, PrefsValue, PrefsMismatch) {
        let field = mismatch.field(wholes: wholes)
        for place in (0...field.count).reversed().map({ field.prefix($0) }) {
            let found = layers.firstIndex {
                $0.content.value(at: place) != nil || $0.content.bar(on: place) != nil
            }
            guard let found else { continue }
            let layer = layers[found]
            let bar = layer.content.bar(on: place)
            layers[found].content.cut(bar ?? place, clearingTheWay: false)
            if place.isEmpty || layers[found].content == .dictionary([:]) { layers.remove(at: found) }
            let fault = bar.map { PrefsMismatch(at: $0.map { .key($0) }, expected: "a dictionary") }
            return (layer.index, layer.stored, fault ?? mismatch)
        }
        // Not reached: the last place is the empty path, every dictionary has a value there, and there is a layer.
        preconditionFailure("every dictionary contains the place of the whole value")
    }
}

extension PrefsValue {
    /// Returns the path of the non-dictionary on the way to a field; `nil` if there is none.
    fileprivate func bar(on field: ArraySlice<String>) -> ArraySlice<String>? {
        guard isBlocked(on: field) else { return nil }
        return (1..<field.count).map { field.prefix($0) }.first { value(at: $0)?.dictionary == nil }
    }
}

extension PrefsMismatch {
    /// The field that the wrong part belongs to. An array is one field, and so is a dictionary that counts as a
    /// whole.
    fileprivate func field(wholes: Set<[String]>) -> [String] {
        var field: [String] = []
        for case .key(let name) in path.prefix(while: { if case .key = $0 { true } else { false } }) {
            if wholes.contains(field) { break }
            field.append(name)
        }
        return field
    }
}

extension PersistentKey {
    /// The merge of this key's fields; `nil` if its value is not merged per field.
    var fieldMerge: FieldMerge<Value>? {
        // A plain key is not merged. `isPlain` costs nothing, unlike the traits.
        guard !isPlain, traits.merge == .fields, let coding = coding as? any FieldwiseCoding<Value> else {
            return nil
        }
        return FieldMerge(key: self, coding: coding)
    }
}
