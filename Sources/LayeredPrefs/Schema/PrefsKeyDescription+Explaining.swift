extension PrefsSnapshot {
    /// Explains the value of a described key in this snapshot: every layer's value and its role.
    public func explanation(for key: PrefsKeyDescription) -> PrefsExplanation {
        var explanation = explain(key.names, isUntyped: false) { key.rejection(of: $0) }
        explanation.defaultValue = key.defaultValue
        return explanation
    }
}
