public import PrefsDocuments

/// The effective value of a key, with its origin, the candidates it shadows, the rejected ones and the lock.
///
/// For the integer key `http.port`:
///
/// | layer       | `http.port` | part of the resolution |
/// |-------------|-------------|------------------------|
/// | `overrides` | `"many"`    | ``rejected``: expected an integer |
/// | `user`      | 9090        | ``value``, ``origin``  |
/// | `system`    | 8080        | ``shadowed``           |
public struct PrefsResolution<Value: Sendable>: Sendable {
    /// The effective value.
    public var value: Value
    /// The origin of the value; `nil` if it is the key's own default.
    public var origin: PrefsOrigin?
    /// The acceptable candidates below the value, from the highest to the lowest: each would be effective if
    /// those above it were removed. Empty for a key that merges dictionaries deeply, because its value
    /// includes theirs.
    public var shadowed: [PrefsCandidate]
    /// The errors of the rejected candidates, from the highest to the lowest.
    public var rejected: [PrefsError]
    /// The lock on the key, if there is one.
    public var lock: PrefsLock?
    /// The generation in which the value is effective.
    public var generation: UInt64
    /// A Boolean value that indicates whether ``description`` masks the value.
    public var isSecret = false

    /// A Boolean value that indicates whether no layer has an acceptable value, so that the key's own default
    /// is effective.
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
    /// `8080 (user /home/ada/.config/com.example.myd.plist:6)`, or `•••• (…)` for a secret.
    public var description: String {
        "\(shownValue) (\(origin.map(\.description) ?? "default"))"
    }

    /// The value in words; of an optional the wrapped value, or `none`.
    var shownValue: String {
        if isSecret { return SecretPaths.mask }
        guard let optional = value as? any OptionalValue else { return "\(value)".printable }
        return optional.wrapped.map { "\($0)".printable } ?? "none"
    }
}

extension PrefsResolution: CustomReflectable {
    /// The properties, with a secret masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": isSecret ? SecretPaths.mask : value, "origin": origin as Any, "shadowed": shadowed,
                "rejected": rejected, "lock": lock as Any, "generation": generation,
            ], displayStyle: .struct)
    }
}

extension PersistentKeyProtocol {
    /// Returns the key's resolution among some candidates, most important first.
    func resolution(
        among candidates: [PrefsCandidate], lock: PrefsLock?, generation: UInt64
    ) -> PrefsResolution<Value> {
        let answer = resolve(candidates: candidates)
        // A plain key has no traits, and looking them up takes long.
        let (merges, isSecret) = isPlain ? (false, false) : (traits.mergesDeeply, traits.isSecret)
        var shadowed: [PrefsCandidate] = []
        var rejected = answer.rejections.map { $0.error.naming(id) }
        // A merge per field has read them all.
        let isReadToWinner = isPlain || fieldMerge == nil
        let below = isReadToWinner ? answer.winner.map { $0 + 1 } : nil
        for candidate in candidates[(below ?? candidates.count)...] {
            switch readWhole(candidate) {
            case .success: if !merges { shadowed.append(candidate) }
            case .failure(let error): rejected.append(error.naming(id))
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
}
