extension ModelSnapshot {
    /// A key read without a type: "raw reads, paths and provenance see the deep merge" (DESIGN "Keys").
    func raw(_ path: ModelPath) -> ModelRawResolution {
        let found = rawEntries(path).filter { mayRead(path, from: sources[$0.index].layer) }
            .filter { !hidesLocked($0.value, at: path, from: sources[$0.index].layer) }
        let value = rawValue(path)
        // The topmost source may have had everything beneath it cut by locks; its empty dictionary is then
        // still part of the value.
        guard let value, let top = found.first else { return ModelRawResolution(value: value, origin: nil) }
        let source = sources[top.index]
        return ModelRawResolution(
            value: value,
            origin: ModelOrigin(
                layer: source.layerName, source: source.name, name: path.description, spelling: top.spelling))
    }

    /// The deep merge at a path, of the layers up to one.
    func rawValue(_ path: ModelPath, upTo layer: Int = .max) -> ModelValue? {
        let values = rawEntries(path).map { ($0.value, sources[$0.index].layer) }.filter { $0.1 <= layer }
        return merge(values, at: path)
    }

    /// Merges values, high to low, by key path. The topmost one is the answer; when it is a dictionary, each
    /// key beneath is asked for on its own, so that a lock on it holds, and a non-dictionary further below
    /// hides nothing: it "is a rejected candidate for the keys beneath". "Never merge arrays by index"
    /// (DESIGN "Keys").
    func merge(_ values: [(ModelValue, Int)], at path: ModelPath) -> ModelValue? {
        let values = values.filter { mayRead(path, from: $0.1) && !hidesLocked($0.0, at: path, from: $0.1) }
        guard let top = values.first?.0, let topEntries = top.entries else { return values.first?.0 }
        if twists.contains(.dictionariesReplaceInRawReads) { return top }
        let dictionaries = values.compactMap { value, layer in value.entries.map { ($0, layer) } }
        if dictionaries.count > 1 { tally.hit(.layersMergeByPath) }
        if values.count > dictionaries.count { tally.hit(.nonDictionaryIsRejectedBeneath) }
        var merged: [String: ModelValue] = [:]
        for key in Set(dictionaries.flatMap(\.0.keys)).union(topEntries.keys) {
            let beneath = dictionaries.compactMap { entries, layer in entries[key].map { ($0, layer) } }
            merged[key] = merge(beneath, at: path.appending([key]))
        }
        return .dictionary(merged)
    }

    /// Every source's value at a path, high to low, before locks.
    private func rawEntries(_ path: ModelPath) -> [(value: ModelValue, spelling: ModelSpelling, index: Int)] {
        sources.indices.reversed().compactMap { index in
            guard case .found(let value, let spelling) = view(path, in: sources[index]) else { return nil }
            return (value, spelling, index)
        }
    }

    /// Whether a non-dictionary of a layer would hide a value beneath that a lock below that layer protects.
    private func hidesLocked(_ value: ModelValue, at path: ModelPath, from layer: Int) -> Bool {
        guard value.entries == nil else { return false }
        let hides = locks(beneath: path, binding: layer).contains { rawValue($0.path, upTo: $0.layer) != nil }
        if hides, twists.contains(.nonDictionaryAboveLockIsRead) { return false }
        if hides { tally.hit(.lockRefusesNonDictionaryAncestor) }
        return hides
    }
}
