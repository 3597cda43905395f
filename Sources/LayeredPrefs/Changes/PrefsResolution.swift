public import PrefsDocuments
/// The answer for a key, with its whole reason: where it comes from, what it hides, what was refused.
public struct PrefsResolution<Value: Sendable>: Sendable {
    /// The value in force.
    public var value: Value
    /// Where it comes from; `nil` when it is the key's own default.
    public var origin: PrefsOrigin?
    /// The lower candidates that would be the answer one after another if those above went away.
    public var shadowed: [PrefsCandidate]
    /// The candidates that are not the answer although they lie above it, with the reasons.
    public var rejected: [PrefsError]
    /// The lock that holds the key, if one does.
    public var lock: PrefsLock?
    /// The generation this is the answer of.
    public var generation: UInt64
    /// Whether the value is kept out of ``description``.
    public var isSecret = false

    /// Whether no layer has an acceptable value, so that the key's own default is in force.
    public var isDefault: Bool { origin == nil }
}

extension PrefsResolution: Equatable where Value: Equatable {}

extension PrefsResolution: CustomStringConvertible {
    /// `8080 (user /home/ada/.config/com.example.myd.plist:6)`; of a secret `•••• (…)`.
    public var description: String {
        "\(shownValue) (\(origin.map(\.description) ?? "default"))"
    }

    fileprivate var shownValue: String { isSecret ? "••••" : "\(value)" }
}

/// One key's step from one answer to the next.
public struct PrefsChange<Value: Sendable>: Sendable {
    /// The key's name.
    public var key: String
    /// The answer before.
    public var old: PrefsResolution<Value>
    /// The answer from now on.
    public var new: PrefsResolution<Value>
    /// What made the change.
    public var cause: PrefsChangeCause
    /// Whether the key is declared to take effect only when the program starts again.
    public var needsRestart = false
    /// Whether the values are kept out of ``description``.
    public var isSecret: Bool { new.isSecret || old.isSecret }

    /// The generation in which ``new`` came into force.
    public var generation: UInt64 { new.generation }
}

extension PrefsChange: Equatable where Value: Equatable {}

extension PrefsChange: CustomStringConvertible {
    /// `http.port: 8080 → 9090 (user /home/ada/.config/com.example.myd.plist:6)`; of a secret neither value,
    /// and where a restart is needed, that.
    public var description: String {
        "\(key): \(old.shownValue) → \(new)" + (needsRestart ? ", after a restart" : "")
    }
}

/// Everything that one commit changed.
public struct PrefsChangeSet: Sendable {
    /// The generation that came into force.
    public var generation: UInt64
    /// What made the changes.
    public var cause: PrefsChangeCause
    /// The changes of effective values, sorted by key.
    public var changes: [PrefsChange<PrefsValue?>]
    /// The keys whose candidates or locks changed without any effect on the value in force.
    public var shadowed: [String]
}
