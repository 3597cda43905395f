public import PrefsDocuments
import FoundationEssentials

extension PrefsValue {
    /// Creates the stored form of a value whose type is known only at run time, or returns `nil` if it has
    /// none.
    ///
    /// The initializer accepts the types that a parser of property lists or JSON returns, any integer type,
    /// URLs, and arrays and dictionaries of these. If Foundation wraps a value in `NSNumber`, the value
    /// becomes a boolean, integer or real, according to the type that it was created from.
    public init?(bridging value: Any) {
        switch value {
        case let value as any PrefsStorageValue: self = value.prefsValue
        case let value as any FixedWidthInteger:
            guard let integer = Int128(exactly: value) else { return nil }
            self = .integer(integer)
        case let value as URL: self = .string(value.absoluteString)
        default:
            guard let value = Self.collection(value) ?? Self.foundationObject(value) else { return nil }
            self = value
        }
    }

    private static func collection(_ value: Any) -> PrefsValue? {
        switch value {
        // Foundation's defaults return arrays and dictionaries of optionals.
        case let value as [Any?]:
            value.compactMap(\.self).allOrNone(PrefsValue.init(bridging:)).map(PrefsValue.array)
        case let value as [String: Any?]:
            value.compactMapValues(\.self).allOrNone(PrefsValue.init(bridging:)).map(PrefsValue.dictionary)
        case let value as any OptionalValue: value.wrapped.flatMap(PrefsValue.init(bridging:))
        default: nil
        }
    }

    #if !UserDefaults
        private static func foundationObject(_ value: Any) -> PrefsValue? { nil }
    #endif

    /// The value as the closest Swift type: `String`, `Bool`, `Int`, `Double`, `Data`, `Date`, `[Any]` or
    /// `[String: Any]`.
    ///
    /// An integer that does not fit into `Int` is a `UInt64`. If it does not fit into `UInt64` either, it is
    /// an `Int128`.
    public var bridged: Any {
        switch self {
        case .string(let value): value
        case .bool(let value): value
        case .integer(let value): Int(exactly: value) ?? UInt64(exactly: value) ?? value as Any
        case .real(let value): value
        case .data(let value): value
        case .date(let value): value
        case .array(let elements): elements.map(\.bridged)
        case .dictionary(let content): content.mapValues(\.bridged)
        }
    }
}

/// Gives access to the wrapped value, and to its type, of an optional whose type is known only at run time.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { self }
}
