import LayeredPrefs

/// A key that a program declares, as the commands know it: on stored forms, independent of its Swift type.
struct DeclaredKey: Sendable {
    /// The typed key through which the library resolves, explains and observes it as it does for the program.
    let key: PersistentKey<PrefsValue?>
    let type: PrefsStoredType
    var limits = PrefsStoredType.Limits()
    /// True if some layer has to set the key.
    var isRequired = false
    /// The section around the key without which nothing is required; `nil` if there always is one.
    var section: String?

    var name: String { key.id }
    var traits: PrefsKeyTraits<PrefsValue?> { key.traits }
    var isSecret: Bool { key.traits.isSecret }

    /// All names of the key.
    var names: PrefsKeyName {
        PrefsKeyName(
            name, formerNames: traits.formerNames, environmentName: traits.environmentName,
            isSecret: isSecret, mayBeDictionary: { [type] in type.mayBeDictionary })
    }

    /// Returns true if a section with other keys stands at one of the names in a layer, which a removal leaves there.
    func isSection(at name: String, in snapshot: PrefsSnapshot) -> Bool {
        snapshot[name].map { names.isSection($0, at: PrefsPath(name)) } ?? false
    }
}

extension DeclaredKey {
    /// Creates a key from the application's own schema.
    init(_ description: PrefsKeyDescription) {
        var key = PersistentKey<PrefsValue?>(
            description.name, defaultValue: description.defaultValue,
            coding: SchemaCoding(type: description.storedType, acceptsOthers: true),
            .validate { value in value.flatMap { description.complaint(about: $0) } },
            .merge(description.mergesDeeply ? .deep : .replacing))
        key.traits.formerNames = description.formerNames
        key.traits.environmentName = description.declaredEnvironmentName
        key.traits.isSecret = description.isSecret
        key.traits.needsRestart = description.needsRestart
        key.traits.documentation = description.documentation
        key.traits.condition = description.validation
        self.init(
            key: key, type: description.storedType, limits: description.limits,
            isRequired: description.isRequired, section: description.section?.name)
    }
}

extension PrefsKeyDescription {
    /// Returns the reason why a stored value is rejected, without the found value, which the caller appends;
    /// `nil` if it is accepted.
    fileprivate func complaint(about value: PrefsValue) -> String? {
        guard let reason = rejection(of: PrefsCandidate(value))?.reason else { return nil }
        return reason.firstRange(of: ", found ").map { String(reason[..<$0.lowerBound]) } ?? reason
    }
}
