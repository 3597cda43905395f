import PrefsDocuments

extension Offers {
    /// Returns the key of what differs between two values in a part of them: that of a field, or of the section around
    /// several; `nil` if there is none.
    func changedPart(of part: (Value) -> PrefsValue?, _ old: Value, _ new: Value) -> String? {
        let (before, after) = (fields.encoded(old), fields.encoded(new))
        let changed = fields.changed(from: before, to: after).filter { field in
            // Of several changes, those that the part does not show are none of it.
            var only = before
            only.put(after.value(at: field.place[...]), at: field.place[...])
            guard case .success(let changed) = fields.value(of: only) else { return true }
            return part(changed) != part(old)
        }
        return Self.section(around: changed)
    }

    /// Returns the key of a field, or of the section around several; `nil` if there is none.
    private static func section(around fields: [ConfigurationFields<Value>.Field]) -> String? {
        let paths = fields.map { PrefsPath($0.key.id).components }
        guard var common = paths.first else { return nil }
        for path in paths.dropFirst() { common = zip(common, path).prefix { $0 == $1 }.map(\.0) }
        return common.isEmpty ? nil : PrefsPath(components: common).name
    }

    /// Returns the key of what a part shows: that of a field, or of the section around several; `nil` if that is the whole.
    private func key(of part: (Value) -> PrefsValue?, at value: Value) -> String? {
        let (stored, shown) = (fields.encoded(value), part(value))
        return Self.section(
            around: fields.fields.filter { field in
                let own = stored.value(at: field.place[...])
                for other in PrefsValue.others(than: own) {
                    var changed = stored
                    changed.put(other, at: field.place[...])
                    // Not every other value is one of the field's type.
                    guard case .success(let next) = fields.value(of: changed), fields.encoded(next) != stored
                    else { continue }
                    return part(next) != shown
                }
                return own != nil && own == shown
            })
    }

    /// Returns what a handler says against a new value: of a check what a rule would say.
    func problem(_ error: any Error, of taker: Taker, _ old: Value, _ new: Value) -> PrefsError {
        if taker.handler.phase == .checking { return fields.problem(error, with: new, of: "the program") }
        return refusal(error, key: changedPart(of: taker.part, old, new), old, new)
    }

    /// Returns what a handler says against the value with which it starts, with the place of that.
    func startProblem(
        _ error: any Error, of taker: Taker, _ value: Value, in snapshot: PrefsSnapshot
    ) -> PrefsError {
        if taker.handler.phase == .checking {
            return fields.placed(fields.problem(error, with: value, of: "the program"), in: snapshot)
        }
        return fields.placed(refusal(error, key: key(of: taker.part, at: value), value), in: snapshot)
    }

    private func refusal(_ error: any Error, key: String?, _ values: Value...) -> PrefsError {
        let words = values.reduce("\(error)") { fields.masking($0, $1) }
        return PrefsError(.invalid, key: key, reason: "rejected by the program: \(words)")
    }
}

extension ConfigurationFields {
    /// Returns a refusal with the place in a file of the newest value that is refused, if it stands in one.
    func locatedInFile(_ error: PrefsError, in candidate: PrefsSnapshot) -> PrefsError {
        guard error.origin == nil, let key = error.key else { return error }
        let path = PrefsPath(key)
        var error = error
        error.origin =
            fields.lazy.filter { field in field.paths.contains { path.contains($0) } }
            .compactMap { candidate.candidates(for: $0.key.name).first?.origin }.first { $0.file != nil }
        return error
    }

    /// Returns the problem of a whole value with its place in a file, or else with the places that the value is from.
    func placed(_ problem: PrefsError, in snapshot: PrefsSnapshot) -> PrefsError {
        placed([locatedInFile(problem, in: snapshot)], in: snapshot)[0]
    }
}

extension PrefsValue {
    /// Returns values of several types that differ from another one, those of its own type first.
    fileprivate static func others(than value: PrefsValue?) -> [PrefsValue] {
        let own: [PrefsValue] =
            switch value {
            case .integer(let number): [.integer(number > 0 ? number - 1 : number + 1)]
            case .real(let number): [.real(number + 1)]
            case .bool(let isTrue): [.bool(!isTrue)]
            case .string(let text): [.string(text + "0"), .string(String(text.dropLast())), .string("")]
            default: []
            }
        let any: [PrefsValue] = [
            .integer(1), .integer(0), .string("a"), .string("1s"), .bool(true), .real(1.5), .array([]),
            .dictionary([:]),
        ]
        return (own + any).filter { $0 != value }
    }
}
