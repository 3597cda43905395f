import PrefsDocuments

extension ApplyHandlers {
    /// Returns the key of the difference between two values in a part: the key of one field, or of the section around
    /// several fields; `nil` if there is none.
    func changedPart(of part: (Value) -> PrefsValue?, _ old: Value, _ new: Value) -> String? {
        let (before, after) = (fields.encoded(old), fields.encoded(new))
        let changed = fields.changed(from: before, to: after).filter { field in
            // A change is in the part if the part alone shows it.
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

    /// Returns the key of the fields that a part consists of: one field, or the section around several; `nil` for the whole
    /// value.
    private func key(of part: (Value) -> PrefsValue?, at value: Value) -> String? {
        let (stored, shown) = (fields.encoded(value), part(value))
        return Self.section(
            around: fields.fields.filter { field in
                let own = stored.value(at: field.place[...])
                for other in PrefsValue.others(than: own) {
                    var changed = stored
                    changed.put(other, at: field.place[...])
                    // Some of the other values do not have the field's type.
                    guard case .success(let next) = fields.value(of: changed), fields.encoded(next) != stored
                    else { continue }
                    return part(next) != shown
                }
                return own != nil && own == shown
            })
    }

    /// Returns the problem of a new value that a handler has rejected. The error of a check reads like the error
    /// of a rule.
    func problem(_ error: any Error, of registration: Registration, _ old: Value, _ new: Value) -> PrefsError
    {
        if registration.handler.phase == .checking {
            return fields.problem(error, with: new, of: "the program")
        }
        return rejection(error, key: changedPart(of: registration.part, old, new), old, new)
    }

    /// Returns the problem, with its place, of a handler that has rejected its first value.
    func startProblem(
        _ error: any Error, of registration: Registration, _ value: Value, in snapshot: PrefsSnapshot
    ) -> PrefsError {
        if registration.handler.phase == .checking {
            return fields.placed(fields.problem(error, with: value, of: "the program"), in: snapshot)
        }
        return fields.placed(
            rejection(error, key: key(of: registration.part, at: value), value), in: snapshot)
    }

    private func rejection(_ error: any Error, key: String?, _ values: Value...) -> PrefsError {
        let words = values.reduce("\(error)") { fields.masking($0, $1) }
        return PrefsError(.invalid, key: key, reason: "rejected by the program: \(words)")
    }
}

extension ConfigurationFields {
    /// Returns a rejection with the place of the rejected value, if the value is in a file.
    func locatedInFile(_ error: PrefsError, in candidate: PrefsSnapshot) -> PrefsError {
        guard error.origin == nil, let key = error.key else { return error }
        let path = PrefsPath(key)
        var error = error
        error.origin =
            fields.lazy.filter { field in field.paths.contains { path.contains($0) } }
            .compactMap { candidate.candidates(for: $0.key.name).first?.origin }.first { $0.file != nil }
        return error
    }

    /// Returns the problem of a whole value with its place in a file, or else with the places of its parts.
    func placed(_ problem: PrefsError, in snapshot: PrefsSnapshot) -> PrefsError {
        placed([locatedInFile(problem, in: snapshot)], in: snapshot)[0]
    }
}

extension PrefsValue {
    /// Returns values of several types that differ from another value, beginning with values of the same type.
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
