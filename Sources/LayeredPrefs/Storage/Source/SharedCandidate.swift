import PrefsDocuments

/// A candidate that a storage states, shared by the versions of its contents.
final class SharedCandidate: Sendable {
    let candidate: PrefsCandidate

    init(_ candidate: PrefsCandidate) { self.candidate = candidate }

    /// Returns true if readers cannot tell two candidates apart, except by their origins.
    static func haveSameContent(_ lhs: PrefsCandidate?, _ rhs: PrefsCandidate?) -> Bool {
        lhs?.value == rhs?.value && lhs?.isText == rhs?.isText
            && lhs?.rejection?.reason == rhs?.rejection?.reason
    }

    /// Returns the entry of a dictionary, about which the storage states the same.
    subscript(key: String) -> SharedCandidate? {
        guard let value = candidate.value.dictionary?[key] else { return nil }
        var part = candidate
        part.value = value
        return SharedCandidate(part)
    }
}

extension PrefsContent {
    /// The entries of a dictionary as candidates.
    var candidates: HashTrie<SharedCandidate> {
        if case .candidates(let table) = self { return table }
        var table = HashTrie<SharedCandidate>()
        for (key, content) in entries { table[key] = SharedCandidate(PrefsCandidate(content.value)) }
        return table
    }
}
