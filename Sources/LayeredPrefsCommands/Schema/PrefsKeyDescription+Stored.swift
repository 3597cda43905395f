import LayeredPrefs

extension PrefsKeyDescription {
    /// The description of the same key, but of its stored form instead of its Swift type. With it, the commands
    /// show the values as they are in the file, not as the program decodes them.
    var onStoredForms: PrefsKeyDescription {
        var key = PersistentKey<PrefsValue?>(
            name, defaultValue: defaultValue, coding: SchemaCoding(type: storedType, acceptsOthers: true),
            .validate { value in value.flatMap { complaint(about: $0) } },
            .merge(mergesDeeply ? .deep : .replacing))
        key.traits.formerNames = formerNames
        key.traits.environmentName = declaredEnvironmentName
        key.traits.isSecret = isSecret
        key.traits.needsRestart = needsRestart
        key.traits.documentation = documentation
        key.traits.condition = validation
        var description = PrefsKeyDescription(key)
        description.limits = limits
        description.isRequired = isRequired
        description.section = section.map { Section(name: $0.name) }
        return description
    }

    /// Returns the reason why a stored value is rejected; `nil` if it is accepted. The reason does not include the
    /// value that was found, which the caller appends.
    func complaint(about value: PrefsValue) -> String? {
        guard let reason = rejection(of: PrefsCandidate(value))?.reason else { return nil }
        return reason.firstRange(of: ", found ").map { String(reason[..<$0.lowerBound]) } ?? reason
    }

    /// Returns the description of a part of the key's values; `nil` if they have no such part.
    func part(named partName: String) -> PrefsKeyDescription? {
        let place = PrefsPath(partName).components.dropFirst(PrefsPath(name).components.count)
        guard let field = storedType.part(at: place) else { return nil }
        let rules = rules?.part(at: place) ?? SchemaRules(type: field.type, limits: field.limits)
        var key = PersistentKey<PrefsValue?>(
            partName, coding: SchemaCoding(type: field.type, rules: rules),
            .validate { value in value.flatMap { rules.complaint(about: $0) } })
        key.traits.isSecret = isSecret
        var part = PrefsKeyDescription(key)
        part.limits = rules.limits
        return part
    }

    /// The reason, for a message, why a part that the key's type does not have is rejected.
    var hasNoSuchPart: String { "“\(name)” is declared as \(storedType), which has no such part" }

    /// Returns the names that are removed with the key. They include its former names, but not a former name that
    /// is now a section with other keys.
    func namesToRemove(in snapshot: PrefsSnapshot) -> [String] {
        ([name] + formerNames).filter { stored in
            snapshot[stored].map { !names.isSection($0, at: PrefsPath(stored)) } ?? true
        }
    }
}
