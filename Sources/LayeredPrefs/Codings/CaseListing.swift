import PrefsDocuments

extension PrefsCoding {
    /// The stored forms of all cases if the value type is an enum that lists them, or an optional of one;
    /// otherwise `nil`.
    var allStoredForms: [PrefsValue]? {
        let type = (Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self
        return (type as? any CaseIterable.Type).map { storedForms(ofCasesOf: $0) }
    }

    private func storedForms<Listed: CaseIterable>(ofCasesOf type: Listed.Type) -> [PrefsValue] {
        type.allCases.compactMap { ($0 as? Value).flatMap { try? encode($0) } }
    }
}
