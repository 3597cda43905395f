import LayeredPrefs

/// A key that a program declares, as far as the commands know it: over stored forms, whatever its Swift type.
struct DeclaredKey: Sendable {
    /// The key, through which the library resolves, explains and observes it as it does for the program.
    let key: PersistentKey<PrefsValue?>
    let type: PrefsStoredType
    var limits = PrefsKeyLimits()
    /// A condition that only the program can check, as it is written there.
    var condition: String?

    var name: String { key.id }
    var traits: PrefsKeyTraits<PrefsValue?> { key.traits }
    var isSecret: Bool { key.traits.isSecret }
}

extension DeclaredKey {
    /// A key of the application's own schema.
    init(_ description: PrefsKeyDescription) {
        var key = PersistentKey<PrefsValue?>(
            description.name, defaultValue: description.defaultValue,
            representation: DescribedCoding(description: description).optionalRepresentation)
        key.traits.isSecret = description.isSecret
        key.traits.environmentName = description.declaredEnvironmentName
        key.traits.formerNames = description.formerNames
        key.traits.mergesDeeply = description.mergesDeeply
        key.traits.needsRestart = description.needsRestart
        key.traits.documentation = description.documentation
        key.traits.validate = { value in value.flatMap { description.complaint(about: $0) } }
        self.init(
            key: key, type: description.storedType, limits: description.limits,
            condition: description.validation)
    }
}

/// The stored form of a key whose program can be asked.
private struct DescribedCoding: PersistentKeyValueRepresentation {
    let description: PrefsKeyDescription

    func encode(_ value: PrefsValue) -> PrefsValue? { value }

    func decode(_ stored: PrefsValue) -> PrefsValue? { description.storedType.value(of: stored) ?? stored }

    // Only parsed here; whether the program takes it is asked when it is checked.
    func storedForm(ofText text: String) -> PrefsValue? { description.storedType.value(ofText: text) }

    var expectation: String { description.storedType.expectation }
}

extension PrefsKeyDescription {
    /// What is wrong with a stored value, without what was found, which is said by whoever asks.
    fileprivate func complaint(about value: PrefsValue) -> String? {
        guard let reason = refusal(of: PrefsCandidate(value))?.reason else { return nil }
        return reason.firstRange(of: ", found ").map { String(reason[..<$0.lowerBound]) } ?? reason
    }
}
