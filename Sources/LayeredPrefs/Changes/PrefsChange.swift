import PrefsDocuments

/// A change of one key, with the resolutions before and after it.
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

    /// The generation that made ``new`` effective.
    public var generation: UInt64 { new.generation }
}

extension PrefsChange {
    /// Returns the change with its values converted.
    func map<Other>(_ convert: (Value) -> Other) -> PrefsChange<Other> {
        PrefsChange<Other>(
            key: key, old: old.map(convert), new: new.map(convert), cause: cause, needsRestart: needsRestart)
    }
}

extension PrefsChange: Equatable where Value: Equatable {}

extension PrefsChange: CustomStringConvertible {
    /// A line such as `http.port: 8080 → 9090 (user /home/ada/.config/com.example.myd.plist:6)`.
    ///
    /// The values of a secret are masked. If the change needs a restart, the line ends with
    /// `, after a restart`.
    public var description: String {
        "\(key.printable): \(old.shownValue) → \(new)" + (needsRestart ? ", after a restart" : "")
    }
}
