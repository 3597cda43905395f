public import PrefsDocuments

/// The effective value of a key, with its origin, the shadowed and rejected candidates, and the key lock.
///
/// For example, three layers set the integer key `http.port`:
///
/// | layer       | `http.port` | part of the resolution |
/// |-------------|-------------|------------------------|
/// | `overrides` | `"many"`    | ``rejected``: expected an integer |
/// | `user`      | 9090        | ``value``, ``origin``  |
/// | `system`    | 8080        | ``shadowed``           |
public struct PrefsResolution<Value: Sendable>: Sendable {
    /// The effective value.
    public var value: Value
    /// The origin of the value, or `nil` if the value is the key's own default.
    public var origin: PrefsOrigin?
    /// The acceptable candidates below the value, from the highest to the lowest.
    ///
    /// Each candidate would be effective if the value and the candidates above it were removed. For a key
    /// that merges dictionaries deeply, the array is empty, because the value already includes these
    /// candidates.
    public var shadowed: [PrefsCandidate]
    /// The errors of the rejected candidates, from the highest to the lowest.
    public var rejected: [PrefsError]
    /// The lock on the key, if there is one.
    public var lock: PrefsLock?
    /// The generation that the value belongs to.
    public var generation: UInt64
    /// A Boolean value that indicates whether ``description`` masks the value.
    public var isSecret = false

    /// A Boolean value that indicates whether the key's own default is effective, because no layer has an
    /// acceptable value.
    public var isDefault: Bool { origin == nil }
}

extension PrefsResolution {
    /// Returns the resolution with its value converted.
    func map<Other>(_ convert: (Value) -> Other) -> PrefsResolution<Other> {
        PrefsResolution<Other>(
            value: convert(value), origin: origin, shadowed: shadowed, rejected: rejected, lock: lock,
            generation: generation, isSecret: isSecret)
    }
}

extension PrefsResolution: Equatable where Value: Equatable {}

extension PrefsResolution: CustomStringConvertible {
    /// The value and its origin: `8080 (user /home/ada/.config/com.example.myd.plist:6)`, or `•••• (…)` for a
    /// secret.
    public var description: String {
        "\(shownValue) (\(origin.map(\.description) ?? "default"))"
    }

    /// The value in words. For an optional, this is the wrapped value, or `none`.
    var shownValue: String {
        if isSecret { return SecretPaths.mask }
        guard let optional = value as? any OptionalValue else { return "\(value)".printable }
        return optional.wrapped.map { "\($0)".printable } ?? "none"
    }
}

extension PrefsResolution: CustomReflectable {
    /// The properties. A secret value is masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": isSecret ? SecretPaths.mask : value, "origin": origin as Any, "shadowed": shadowed,
                "rejected": rejected, "lock": lock as Any, "generation": generation,
            ], displayStyle: .struct)
    }
}

extension PersistentKey {
    /// Returns the key's resolution among some candidates, most important first.
    func resolution(
        among candidates: [PrefsCandidate], lock: PrefsLock?, generation: UInt64
    ) -> PrefsResolution<Value> {
        let answer = resolve(candidates: candidates)
        let (merges, isSecret, isReadToWinner) = readingTraits
        var shadowed: [PrefsCandidate] = []
        var rejected = answer.rejections.map { $0.naming(id) }
        let below = isReadToWinner ? answer.winner.map { $0 + 1 } : nil
        for candidate in candidates[(below ?? candidates.count)...] {
            if let error = rejection(ofWhole: candidate) {
                rejected.append(error.naming(id))
            } else if !merges {
                shadowed.append(candidate)
            }
        }
        return PrefsResolution(
            value: answer.value,
            origin: answer.winner.map { candidates[$0].origin },
            shadowed: shadowed,
            rejected: rejected,
            lock: lock,
            generation: generation,
            isSecret: isSecret || candidates.contains(where: \.isSecret)
        )
    }

    /// The traits that a resolution depends on. `isReadToWinner` is false for a merge per field, which also
    /// reads the candidates below the winner.
    private var readingTraits: (mergesDeeply: Bool, isSecret: Bool, isReadToWinner: Bool) {
        isPlain ? (false, false, true) : declaredReadingTraits
    }

    // Not inlined, because looking up the metadata of its types takes long, even for a plain key.
    @inline(never)
    private var declaredReadingTraits: (mergesDeeply: Bool, isSecret: Bool, isReadToWinner: Bool) {
        let traits = traits
        return (traits.mergesDeeply, traits.isSecret, fieldMerge == nil)
    }
}
