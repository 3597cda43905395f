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
        let paths = changed.map { PrefsPath($0.key.id).components }
        guard var common = paths.first else { return nil }
        for path in paths.dropFirst() { common = zip(common, path).prefix { $0 == $1 }.map(\.0) }
        return common.isEmpty ? nil : PrefsPath(components: common).name
    }

    /// Returns a refusal with the place in a file of the newest value that is refused, if it stands in one.
    func located(_ error: PrefsError, in candidate: PrefsSnapshot) -> PrefsError {
        guard error.origin == nil, let key = error.key else { return error }
        let path = PrefsPath(key)
        var error = error
        error.origin =
            fields.fields.lazy.filter { field in field.paths.contains { path.contains($0) } }
            .compactMap { candidate.candidates(for: $0.key.name).first?.origin }.first { $0.file != nil }
        return error
    }
}
