public import PrefsDocuments
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
        /// Which keys claim which environment variable.
        let claims: VariableClaims
        /// Whether a dot in a key is just a character.
        let keysAreLiteral: Bool

        init(
            generation: UInt64, parts: [Part], locks: [PrefsLock], refusals: [ConstraintRefusal],
            claims: VariableClaims, keysAreLiteral: Bool
        ) {
            self.generation = generation
            self.parts = parts
            self.locks = locks
            self.refusals = refusals
            self.claims = claims
            self.keysAreLiteral = keysAreLiteral
        }
    }

    let state: State

    init(
        generation: UInt64 = 0,
        parts: [Part],
        locks: [PrefsLock] = [],
        refusals: [ConstraintRefusal] = [],
        claims: VariableClaims = VariableClaims(),
        keysAreLiteral: Bool = false
    ) {
        state = State(
            generation: generation, parts: parts, locks: locks, refusals: refusals, claims: claims,
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
        rawCandidates(at: PrefsPath(key))
    }

    /// What is stored for a key under any of its names, most important first; what a lock rules out is not
    /// among it.
    public func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        candidates(for: name, typed: nil)
    }

    /// What a key's type has to say of what is stored.
    struct Typing {
        /// What a locked part of a dictionary is where neither the locking layer nor one beneath it says.
        let storedDefault: () -> PrefsValue?
        let parse: (String) -> PrefsValue?
        /// Whether the layers beneath fill a dictionary in, so that what is locked is only cut out of it.
        let mergesDeeply: Bool
    }

    func candidates(for name: PrefsKeyName, typed typing: @autoclosure () -> Typing?) -> [PrefsCandidate] {
        let typing = state.locks.isEmpty ? nil : typing()
        return held(for: name, typed: typing).map(\.held)
    }

    /// What is stored for a typed key and no lock rules out, and what the locks within it leave of it.
    func held(
        for name: PrefsKeyName, typed typing: Typing?
    ) -> [(stored: PrefsCandidate, held: PrefsCandidate)] {
        let ceiling = lock(on: name)?.height ?? .max
        let found = found(for: name).filter { $0.part.height <= ceiling }
        guard !state.locks.isEmpty else { return found.map { ($0.candidate, $0.candidate) } }
        let restores = typing?.mergesDeeply != true
        return found.compactMap { found in
            hold(found, of: name.paths, typed: typing, restoring: restores).map { (found.candidate, $0) }
        }
    }

    /// What is stored for a key in one part, whatever locks there are.
    struct Found {
        var candidate: PrefsCandidate
        let part: Part
        let path: PrefsPath
    }

    /// What is stored for a typed key, most important first, locks or no locks.
    ///
    /// Former names count in a layer none of whose parts has the present one. A dictionary made of texts is
    /// nothing that a type could be parsed from.
    func found(for name: PrefsKeyName) -> [Found] {
        let found = name.formerNames.isEmpty ? found(forOneName: name) : found(forAllNames: name)
        return found.filter { !$0.candidate.isText || $0.candidate.value.kind == .string }
    }

    private func found(forOneName name: PrefsKeyName) -> [Found] {
        let path = PrefsPath(name.name)
        var result: [Found] = []
        for index in state.parts.indices {
            if let found = refusing(found(in: index, at: path, of: name), in: index, of: name) {
                result.append(found)
            }
        }
        return result
    }

    private func found(forAllNames name: PrefsKeyName) -> [Found] {
        let paths = name.paths
        return state.parts.indices.chunked { state.parts[$0].height }.flatMap { indices -> [Found] in
            var barred: [Found]?
            for path in paths {
                let present = indices.map { ($0, found(in: $0, at: path, of: name)) }
                if present.contains(where: { $1 != nil && $1?.candidate.rejection == nil }) {
                    return present.compactMap { refusing($1, in: $0, of: name) }
                }
                barred = barred ?? present.compactMap(\.1)
            }
            return barred ?? []
        }
    }

    func found(in index: Int, at path: PrefsPath, of name: PrefsKeyName) -> Found? {
        let part = state.parts[index]
        guard let candidate = candidate(of: part, at: path, for: name) else { return nil }
        return Found(candidate: candidate, part: part, path: path)
    }

    /// Marks what a rule over several keys refuses, which only typed reads know of.
    private func refusing(_ found: Found?, in index: Int, of name: PrefsKeyName) -> Found? {
        guard var found, !state.refusals.isEmpty, found.candidate.rejection == nil else { return found }
        if let reason = refusal(of: PrefsPath(name.name), in: index) {
            found.candidate.rejection = PrefsError(.invalid, origin: found.candidate.origin, reason: reason)
        }
        return found
    }

    private func candidate(of part: Part, at path: PrefsPath, for name: PrefsKeyName) -> PrefsCandidate? {
        if case .variables(let variables) = part.source.form {
            let key = path.name == name.name ? name : PrefsKeyName(path.name)
            return variables.candidate(for: key, of: name.name, layer: part.layer, claims: state.claims)
        }
        if state.keysAreLiteral { return part.source.literalCandidate(forKey: path.name, layer: part.layer) }
        return part.source.candidate(for: path, layer: part.layer)
    }

    /// The value of a key where no type is known: the topmost one, a dictionary filled in from the layers
    /// beneath.
    public subscript(key: String) -> PrefsValue? {
        raw(PrefsPath(key), below: .max)
    }

    /// The untyped value at a path as the layers up to a height make it.
    func raw(_ path: PrefsPath, below limit: Int) -> PrefsValue? {
        let values = rawCandidates(at: path, below: limit).filter { $0.rejection == nil }.map(\.value)
        guard let top = values.first, top.kind == .dictionary else { return values.first }
        return values.dropFirst().filter { $0.kind == .dictionary }.reduce(top) { $0.merged(over: $1) }
    }

    /// What one part has for a path, if no lock rules it out.
    func rawCandidate(at path: PrefsPath, in index: Int) -> PrefsCandidate? {
        guard state.parts[index].height <= lock(on: path)?.height ?? .max else { return nil }
        return found(in: index, at: path, of: PrefsKeyName(path.name)).flatMap {
            hold($0, of: [path], typed: nil, restoring: false)
        }
    }

    func rawCandidates(at path: PrefsPath, below limit: Int = .max) -> [PrefsCandidate] {
        let ceiling = min(limit, lock(on: path)?.height ?? .max)
        return state.parts.indices.compactMap { index in
            guard state.parts[index].height <= ceiling else { return nil }
            guard let found = found(in: index, at: path, of: PrefsKeyName(path.name)) else { return nil }
            if state.locks.isEmpty { return found.candidate }
            return hold(found, of: [path], typed: nil, restoring: false)
        }
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
        return ([name.name] + name.formerNames).compactMap { lock(on: PrefsPath($0)) }.min {
            $0.height < $1.height
        }
    }

    /// The lock that holds a path: the lowest of those on the key or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? {
        state.locks.filter { $0.path.contains(path) }.min { $0.height < $1.height }
    }

    /// What a value from above a lock on something within it counts for.
    ///
    /// A dictionary says nothing of the locked part, which is what the locking layer and those beneath make
    /// it. What is no dictionary would hide the locked part, if there is one, and so counts for nothing.
    ///
    /// - Parameters:
    ///   - names: What the key may be called where the locked part stands.
    ///   - restores: Whether to put what is locked back into the dictionary, for a type that takes it as a whole;
    ///     otherwise the layers beneath fill it in.
    private func hold(
        _ found: Found, of names: [PrefsPath], typed typing: Typing?, restoring restores: Bool
    ) -> PrefsCandidate? {
        var candidate = found.candidate
        // What a rule over several keys refuses is a value all the same, which a lock comes before.
        if let rejection = candidate.rejection, rejection.code != .invalid { return candidate }
        let binding = locks(beneath: found.path).filter { found.part.height > $0.height }
        // What an outer lock holds respects the locks within it already.
        let locks = binding.filter { lock in
            !binding.contains { $0.path != lock.path && $0.path.contains(lock.path) }
        }
        if !locks.isEmpty, candidate.isText, case .string(let text) = candidate.value, let typing {
            // What does not parse is for the key to refuse.
            guard let parsed = typing.parse(text) else { return candidate }
            (candidate.value, candidate.isText) = (parsed, false)
        }
        for lock in locks {
            let place = lock.path.components.dropFirst(found.path.components.count)
            let locked = raw(place, in: names, below: lock.height)
            let held = locked ?? typing?.storedDefault()?.value(at: place)
            guard candidate.value.kind == .dictionary else {
                if held != nil, typing?.mergesDeeply != true { return nil } else { continue }
            }
            candidate.value.cut(place, clearingTheWay: held != nil)
            if restores, let held { candidate.value.insert(held, at: place) }
        }
        return candidate
    }

    /// A part of a key as the layers up to a height make it, under the first name that they say anything of.
    private func raw(_ place: ArraySlice<String>, in names: [PrefsPath], below limit: Int) -> PrefsValue? {
        for name in names {
            let path = PrefsPath(components: name.components + place)
            if let value = raw(path, below: limit) { return value }
        }
        return nil
    }

    private func locks(beneath path: PrefsPath) -> [PrefsLock] {
        state.locks.filter { path != $0.path && path.contains($0.path) }
    }
}

extension Range<Int> {
    /// The runs of neighbours that share a value.
    fileprivate func chunked(by value: (Int) -> Int) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        for index in self {
            if let last = chunks.last, value(last.lowerBound) == value(index) {
                chunks[chunks.count - 1] = last.lowerBound..<(index + 1)
            } else {
                chunks.append(index..<(index + 1))
            }
        }
        return chunks
    }
}
