extension PrefsSnapshot {
    /// Explains the value of a described key in this snapshot: every layer's value and its role.
    public func explanation(for key: PrefsKeyDescription) -> PrefsExplanation {
        var explanation = explain(key.names, isUntyped: false, parse: key.storedForm(ofText:)) {
            key.rejection(of: $0)
        }
        explanation.defaultValue = key.defaultValue ?? key.section?.defaultValue(in: self)
        return explanation
    }
}

extension PrefsKeyDescription {
    /// Calls `body` with every change of the typed key's effective value, in stored form, until the
    /// observation is cancelled or released.
    package func observe(
        in stack: PrefsStack, _ body: @escaping @Sendable (PrefsChange<PrefsValue?>) -> Void
    ) -> PrefsObservation {
        stored.observe(stack, path, body)
    }

    /// Returns the typed key's effective value in stored form, or `nil` if there is none.
    public func value(in snapshot: PrefsSnapshot) -> PrefsValue? {
        stored.value(snapshot, path) ?? section?.defaultValue(in: snapshot)
    }

    /// Returns the typed key's resolution in stored form.
    package func resolution(in snapshot: PrefsSnapshot) -> PrefsResolution<PrefsValue?> {
        stored.resolution(snapshot, path)
    }

    /// Parses text as the environment and the command line do; `nil` if the text is not a value of the key's type.
    package func storedForm(ofText text: String) -> PrefsValue? { stored.parse(text) }
}
