import PrefsDocuments

extension ElementShape {
    /// Returns true for an array of a type that may be a struct.
    static func mayBeArray(of type: (any Decodable.Type)?) -> Bool {
        guard let type, !(type is any PrefsStorageValue.Type) else { return false }
        if let optional = type as? any OptionalDecodable.Type {
            return mayBeArray(of: optional.wrappedDecodable)
        }
        return type is any CollectionDecodable.Type && type is any ExpressibleByArrayLiteral.Type
    }

    /// Finds the fields of a type by running its `init(from:)`.
    init(of type: (any Decodable.Type)?) { self.init(of: type, within: []) }

    /// - Parameter outer: The structs around the type. The type may contain one of them again.
    private init(of type: (any Decodable.Type)?, within outer: [any Decodable.Type]) {
        guard let type, !(type is any PrefsStorageValue.Type), !outer.contains(where: { $0 == type }) else {
            self = .any
            return
        }
        if let optional = type as? any OptionalDecodable.Type {
            self.init(of: optional.wrappedDecodable, within: outer)
        } else if let collection = type as? any CollectionDecodable.Type {
            let isArray = type is any ExpressibleByArrayLiteral.Type
            self = isArray ? .array(of: Self(of: collection.elementDecodable, within: outer)) : .any
        } else {
            let (found, inner) = (StructFields(of: type), outer + [type])
            if let wrapped = found.wrapped {
                self.init(of: wrapped, within: inner)
            } else if let fields = found.fields, found.isComplete {
                let parts = fields.map { ($0.name, Self(of: $0.type, within: inner)) }
                self = .structure(
                    Structure(
                        names: fields.map(\.name), parts: Dictionary(parts) { first, _ in first },
                        mayHave: found.mayHave))
            } else {
                self = .any
            }
        }
    }
}
