import LayeredPrefs

extension InspectionAnswers {
    /// Sets a declared key in the overrides layer, or removes it there.
    func override(
        _ request: InspectionRequest, _ storage: PrefsStack
    ) throws(PrefsError) -> InspectionReply.Outcome {
        let (name, value) = try checkedOverride(request, storage)
        let outcome: PrefsWriteOutcome
        do {
            outcome = try storage.setValue(value, forKey: name, in: .overrides)
        } catch {
            throw error as? PrefsError ?? PrefsError(.notWritable, key: name, reason: "\(error)")
        }
        return InspectionReply.Outcome(
            isEffective: outcome == .effective, remark: outcome.remark,
            generation: storage.snapshot.generation)
    }

    func check(
        _ request: InspectionRequest, _ storage: PrefsStack
    ) throws(PrefsError) -> InspectionReply.Outcome {
        _ = try checkedOverride(request, storage)
        return InspectionReply.Outcome(isEffective: true, generation: storage.snapshot.generation)
    }

    private func checkedOverride(
        _ request: InspectionRequest, _ storage: PrefsStack
    ) throws(PrefsError) -> (String, PrefsValue?) {
        let name = try key(of: request)
        try check(.overrides, "the program does not permit overrides; edit a file, or have it permit them")
        guard let key = declared[name] else {
            throw PrefsError(.unknownKey, key: name, reason: "the program does not declare this key")
        }
        let value = request.request == .unset ? nil : try stored(request.value ?? "", for: key)
        guard let layer = storage.layer(.overrides) else {
            throw PrefsError(
                .missing, key: name,
                reason: "the program has no layer “overrides”; edit a file, or have it add this layer")
        }
        try storage.checkLocks(on: key.names, for: value, in: layer)
        return (name, value)
    }

    private func stored(_ text: String, for key: PrefsKeyDescription) throws(PrefsError) -> PrefsValue {
        guard let value = key.storedForm(ofText: text) else {
            let found = key.isSecret ? "" : ", found “\(text)”"
            throw PrefsError(
                .wrongType, key: key.name, reason: "expected a value of type \(key.storedType)\(found)")
        }
        if let error = key.rejection(of: PrefsCandidate(value)) { throw error }
        return value
    }

    func check(
        _ permission: PrefsInspection.Permissions, _ reason: String
    ) throws(PrefsError) {
        guard permissions.contains(permission) else { throw PrefsError(.notWritable, reason: reason) }
    }
}

extension PrefsWriteOutcome {
    fileprivate var remark: String? {
        switch self {
        case .effective: nil
        case .shadowed(let origin): "shadowed by \(origin.shadowing)"
        case .notStored: "not stored, because the program was built for release"
        }
    }
}

extension PrefsOrigin {
    /// The name of the place that shadows a value.
    fileprivate var shadowing: String {
        guard layer == PrefsLayer.Name.environment.description, let spelling else { return "\(self)" }
        return "the variable \(spelling) of the process"
    }
}
