import FoundationEssentials

extension PrefsExpansion {
    /// A preference without a type: mixed arrays and dictionaries.
    public static func declareRaw(_ name: String) -> Declaration<PrefsValue?> {
        declare(name, optional: PrefsValue.self)
    }

    /// A stored value as the types of Swift and Foundation, if it is of a type.
    public static func plain<Value>(_ stored: PrefsValue?, as type: Value.Type) -> Value? {
        stored?.plain as? Value
    }
}

extension PrefsExpansion.Core {
    /// Writes a value of any type; one that has no stored form is reported and changes nothing.
    public borrowing func writeRaw<Schema, Member>(
        _ value: Any?,
        to property: PrefsExpansion.Property<Schema, PrefsValue?, Member>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        let stored = value.flatMap(PrefsValue.init(plain:))
        guard value == nil || stored != nil else {
            place(bind)?.storage.report(
                PrefsError(
                    .notEncodable, key: property.description.name,
                    reason: "the value holds something other than strings, numbers, booleans, data and dates"))
            return
        }
        write(stored, to: property, of: schema, by: registrar, bind: bind)
    }
}

extension PrefsValue {
    /// The value as the types of Swift and Foundation; integers are `Int` where they fit.
    fileprivate var plain: Any {
        switch self {
        case .string(let value): value
        case .bool(let value): value
        case .integer(let value): Self.plain(value)
        case .real(let value): value
        case .data(let value): value
        case .date(let value): value
        case .array(let elements): elements.map(\.plain)
        case .dictionary(let content): content.mapValues(\.plain)
        }
    }

    private static func plain(_ value: Int128) -> Any {
        if let value = Int(exactly: value) { return value }
        if let value = UInt64(exactly: value) { return value }
        return value
    }

    /// The stored form of a value of those types, or `nil` when it holds anything else.
    fileprivate init?(plain value: Any) {
        switch value {
        case let value as PrefsValue: self = value
        case let value as any PrefsStorageValue: self = value.prefsValue
        case let value as any BinaryInteger:
            guard let integer = Int128(exactly: value) else { return nil }
            self = .integer(integer)
        case let elements as [Any]:
            let stored = elements.compactMap(PrefsValue.init(plain:))
            guard stored.count == elements.count else { return nil }
            self = .array(stored)
        case let content as [String: Any]:
            let stored = content.compactMapValues(PrefsValue.init(plain:))
            guard stored.count == content.count else { return nil }
            self = .dictionary(stored)
        default: return nil
        }
    }
}
