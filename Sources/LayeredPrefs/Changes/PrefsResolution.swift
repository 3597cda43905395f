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

extension PrefsResolution: Equatable where Value: Equatable {}

extension PrefsResolution: CustomStringConvertible {
    /// `8080 (user /home/ada/.config/com.example.myd.plist:6)`, or `•••• (…)` for a secret.
    public var description: String {
        "\(shownValue) (\(origin.map(\.description) ?? "default"))"
    }

    fileprivate var shownValue: String { isSecret ? "••••" : "\(value)" }
}

/// A change of one key from one resolution to the next.
public struct PrefsChange<Value: Sendable>: Sendable {
    /// The key's name.
    public var key: String
    /// The resolution before the change.
    public var old: PrefsResolution<Value>
    /// The resolution after the change.
    public var new: PrefsResolution<Value>
    /// The cause of the change.
    public var cause: PrefsChangeCause
    /// A Boolean value that indicates whether the change takes effect only after a restart of the program.
    public var needsRestart = false
    /// A Boolean value that indicates whether ``description`` masks the values.
    public var isSecret: Bool { new.isSecret || old.isSecret }

    /// The generation in which ``new`` became effective.
    public var generation: UInt64 { new.generation }
}

extension PrefsChange: Equatable where Value: Equatable {}

extension PrefsChange: CustomStringConvertible {
    /// `http.port: 8080 → 9090 (user /home/ada/.config/com.example.myd.plist:6)`.
    ///
    /// The values of a secret are masked. `, after a restart` is appended if the change needs one.
    public var description: String {
        "\(key): \(old.shownValue) → \(new)" + (needsRestart ? ", after a restart" : "")
    }
}

/// The changes of one commit.
///
/// If `user` sets `a` to 1, and an edit of the `system` file sets `a` to 2 and `b` to 3, the change of `b`
/// from `nil` to 3 is in ``changes`` and `a` is in ``shadowed``.
public struct PrefsChangeSet: Sendable {
    /// The committed generation.
    public var generation: UInt64
    /// The cause of the changes.
    public var cause: PrefsChangeCause
    /// The changes of effective values, sorted by key.
    public var changes: [PrefsChange<PrefsValue?>]
    /// The keys whose candidates or locks changed without an effect on the effective value, sorted.
    public var shadowed: [String]
}
