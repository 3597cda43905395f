extension ModelSnapshot {
    /// Resolves a key that is read without a type: raw reads, paths and origins see the deep merge.
    func raw(_ path: ModelPath) -> ModelRawResolution {
        let found = rawEntries(path).filter { mayRead(path, from: sources[$0.index].layer) }
            .filter { !hidesLocked($0.value, at: path, from: sources[$0.index].layer) }
        let value = rawValue(path)
        // Locks may have removed every value below the topmost source's dictionary; the empty dictionary that
        // remains is still part of the value.
        guard let value, let top = found.first else { return ModelRawResolution(value: value, origin: nil) }
        let source = sources[top.index]
        return ModelRawResolution(
            value: value,
            origin: ModelOrigin(
                layer: source.layerName, source: source.name, name: path.description, spelling: top.spelling))
    }

    /// Returns the deep merge of the layers up to `layer`, at a path.
    func rawValue(_ path: ModelPath, upTo layer: Int = .max) -> ModelValue? {
        let values = rawEntries(path).map { ($0.value, sources[$0.index].layer) }.filter { $0.1 <= layer }
        return merge(values, at: path)
    }

    /// Merges values, high to low, by key path.
    ///
    /// The topmost value wins. If it is a dictionary, each key below it is merged separately, so that a lock
    /// on that key applies, and a non-dictionary in a lower layer hides nothing: it is a rejected candidate
    /// for the keys below its path. Arrays are never merged by index.
    ///
    /// For example, `http = {port: 2}` in the user layer over `http = {host: h, port: 1}` in the system layer
    /// gives `{host: h, port: 2}`.
    func merge(_ values: [(ModelValue, Int)], at path: ModelPath) -> ModelValue? {
        let values = values.filter { mayRead(path, from: $0.1) && !hidesLocked($0.0, at: path, from: $0.1) }
        guard let top = values.first?.0, let topEntries = top.entries else { return values.first?.0 }
        if mutations.contains(.dictionariesReplaceInRawReads) { return top }
        let dictionaries = values.compactMap { value, layer in value.entries.map { ($0, layer) } }
        if dictionaries.count > 1 { tally.hit(.layersMergeByPath) }
        if values.count > dictionaries.count { tally.hit(.nonDictionaryIsRejectedBelow) }
        var merged: [String: ModelValue] = [:]
        for key in Set(dictionaries.flatMap(\.0.keys)).union(topEntries.keys) {
            let below = dictionaries.compactMap { entries, layer in entries[key].map { ($0, layer) } }
            merged[key] = merge(below, at: path.appending([key]))
        }
        return .dictionary(merged)
    }

    /// Returns every source's value at a path, high to low, before locks apply.
    private func rawEntries(_ path: ModelPath) -> [(value: ModelValue, spelling: ModelSpelling, index: Int)] {
        sources.indices.reversed().compactMap { index in
            guard case .found(let value, let spelling) = view(path, in: sources[index]) else { return nil }
            return (value, spelling, index)
        }
    }

    /// True if a layer's non-dictionary would hide a value below its path that a lock on a lower layer
    /// protects.
    private func hidesLocked(_ value: ModelValue, at path: ModelPath, from layer: Int) -> Bool {
        guard value.entries == nil else { return false }
        let hides = locks(below: path, binding: layer).contains { rawValue($0.path, upTo: $0.layer) != nil }
        if hides, mutations.contains(.nonDictionaryAboveLockIsRead) { return false }
        if hides { tally.hit(.lockRejectsNonDictionaryAncestor) }
        return hides
    }
}
