import PrefsDocuments

extension PrefsValueCoding {
    /// The stored forms of all cases if the value type is an enum that lists them, or an optional of one;
    /// otherwise `nil`.
    var allStoredForms: [PrefsValue]? {
        guard let type = Value.self as? any ListsCases.Type else {
            return (Value.self as? any CaseIterable.Type).map { storedForms(of: cases(of: $0)) }
        }
        return type.listedCases.map(storedForms(of:))
    }

    private func storedForms(of cases: [Any]) -> [PrefsValue] {
        cases.compactMap { ($0 as? Value).flatMap { try? encode($0) } }
    }
}

private func cases<Listed: CaseIterable>(of: Listed.Type) -> [Any] { Listed.allCases.map { $0 } }

/// An optional that lists the cases of the type it wraps.
private protocol ListsCases {
    static var listedCases: [Any]? { get }
}

extension Optional: ListsCases {
    fileprivate static var listedCases: [Any]? {
        (Wrapped.self as? any CaseIterable.Type).map { cases(of: $0) }
    }
}
