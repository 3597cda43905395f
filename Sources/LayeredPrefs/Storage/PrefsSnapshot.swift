/// The contents of a storage at one moment: an immutable value that several keys can be read from without
/// ever mixing two states.
///
/// A stack's snapshot holds every layer's candidates, not their resolution: which of them wins depends on
/// the type that a key asks for.
public struct PrefsSnapshot: Sendable {
    /// One source's place in the order.
    struct Part: Sendable {
        var source: PrefsSource
        /// The layer's name, once part of a stack.
        var layer: String?
        /// The layer's height in the stack; larger wins.
        var height = 0
    }

    final class State: Sendable {
        let generation: UInt64
        /// Most important first.
        let parts: [Part]
        let locks: [PrefsLock]
        /// What rules over several keys refuse.
        let refusals: [ConstraintRefusal]
        /// Whether a dot in a key is just a character.
        let keysAreLiteral: Bool

        init(
            generation: UInt64, parts: [Part], locks: [PrefsLock], refusals: [ConstraintRefusal],
            keysAreLiteral: Bool
        ) {
            self.generation = generation
            self.parts = parts
            self.locks = locks
            self.refusals = refusals
            self.keysAreLiteral = keysAreLiteral
        }
    }

    let state: State

    init(
        generation: UInt64 = 0,
        parts: [Part],
        locks: [PrefsLock] = [],
        refusals: [ConstraintRefusal] = [],
        keysAreLiteral: Bool = false
    ) {
        state = State(
            generation: generation, parts: parts, locks: locks, refusals: refusals,
            keysAreLiteral: keysAreLiteral)
    }

    /// The contents of a storage that is one dictionary.
    ///
    /// - Parameter keysAreLiteral: Whether `http.port` is always that key, and never `port` in `http`.
    public init(_ content: [String: PrefsValue] = [:], keysAreLiteral: Bool = false) {
        self.init(parts: [Part(source: PrefsSource(content))], keysAreLiteral: keysAreLiteral)
    }

    /// The number of this state, unique and growing in the process; 0 where the storage does not count.
    public var generation: UInt64 { state.generation }
}

extension PrefsSnapshot {
    /// What is stored for a key, most important first; what a lock rules out is not among it.
    public func candidates(forKey key: String) -> [PrefsCandidate] {
        candidates(for: PrefsKeyName(key))
    }

    /// What is stored for a key under any of its names, most important first; what a lock rules out is not
    /// among it.
    public func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        let ceiling = lock(on: name)?.height ?? .max
        return candidates(for: name) { $0.height <= ceiling }.map(\.candidate)
    }

    /// What is stored for a key in whatever layer, locks or no locks, with the layer's height.
    func candidatesByHeight(for name: PrefsKeyName) -> [(candidate: PrefsCandidate, height: Int)] {
        candidates(for: name) { _ in true }
    }

    private func candidates(
        for name: PrefsKeyName, where isIncluded: (Part) -> Bool
    ) -> [(candidate: PrefsCandidate, height: Int)] {
        let paths = ([name.name] + name.formerNames).map(PrefsPath.init)
        return state.parts.compactMap { part in
            guard isIncluded(part) else { return nil }
            guard var candidate = candidate(of: part, for: name, at: paths) else { return nil }
            if !state.refusals.isEmpty, let reason = refusal(of: paths[0], at: part.height) {
                candidate.rejection = PrefsError(.invalid, origin: candidate.origin, reason: reason)
            }
            return (candidate, part.height)
        }
    }

    private func candidate(of part: Part, for name: PrefsKeyName, at paths: [PrefsPath]) -> PrefsCandidate? {
        if case .variables(let variables) = part.source.form {
            return variables.candidate(for: name, layer: part.layer)
        }
        for path in paths {
            if state.keysAreLiteral {
                if let found = part.source.literalCandidate(forKey: path.name, layer: part.layer) { return found }
            } else if let found = part.source.candidate(for: path, layer: part.layer) {
                return hold(found, of: part, at: path)
            }
        }
        return nil
    }

    /// The value of a key where no type is known: the topmost one, a dictionary filled in from the layers
    /// beneath.
    public subscript(key: String) -> PrefsValue? {
        let usable = candidates(forKey: key).filter { $0.rejection == nil }
        guard let top = usable.first?.value else { return nil }
        guard top.kind == .dictionary else { return top }
        return usable.dropFirst().map(\.value).filter { $0.kind == .dictionary }
            .reduce(top) { $0.merged(over: $1) }
    }

    /// Every top-level key of any layer.
    public var keys: Set<String> {
        var keys: Set<String> = []
        for part in state.parts {
            part.source.root.forEachEntry { key, _ in
                keys.insert(state.keysAreLiteral ? key : PrefsPath(key).components[0])
            }
        }
        return keys
    }

    /// The effective contents as one dictionary, merged by key path.
    public var dictionary: [String: PrefsValue] {
        var result: [String: PrefsValue] = [:]
        for key in keys { result[key] = self[key] }
        return result
    }

    /// The lock that holds a key under any of its names.
    func lock(on name: PrefsKeyName) -> PrefsLock? {
        guard !state.locks.isEmpty else { return nil }
        return ([name.name] + name.formerNames).compactMap { lock(on: PrefsPath($0)) }.min { $0.height < $1.height }
    }

    /// The lock that holds a path: the lowest of those on the key or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? {
        state.locks.filter { $0.path.contains(path) }.min { $0.height < $1.height }
    }

    /// A dictionary from above a lock on something within it says nothing of what is locked: the locked part
    /// is what the locking layer and those beneath make it.
    private func hold(_ candidate: PrefsCandidate, of part: Part, at path: PrefsPath) -> PrefsCandidate {
        guard !state.locks.isEmpty, candidate.value.kind == .dictionary else { return candidate }
        var candidate = candidate
        for lock in state.locks where part.height > lock.height && path != lock.path && path.contains(lock.path) {
            let place = lock.path.components.dropFirst(path.components.count)
            candidate.value.remove(at: place)
            if let value = self[lock.path.name] { candidate.value.insert(value, at: place) }
        }
        return candidate
    }
}
