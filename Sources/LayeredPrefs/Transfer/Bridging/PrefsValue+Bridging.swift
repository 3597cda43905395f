public import PrefsDocuments
import FoundationEssentials

extension PrefsValue {
    /// The stored form of a value whose type is known only at run time, or `nil` when it has none.
    ///
    /// Takes the types that a property list or JSON parser hands out, any integer type, and arrays and
    /// dictionaries of these. What Foundation wraps in `NSNumber` is told apart by what was put in.
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
        // Foundation's defaults give arrays and dictionaries of optionals.
        case let value as [Any?]: array(of: value)
        case let value as [String: Any?]: dictionary(of: value)
        case let value as any OptionalValue: value.wrapped.flatMap(PrefsValue.init(bridging:))
        default: nil
        }
    }

    private static func array(of elements: [Any?]) -> PrefsValue? {
        var result: [PrefsValue] = []
        for case let element? in elements {
            guard let value = PrefsValue(bridging: element) else { return nil }
            result.append(value)
        }
        return .array(result)
    }

    private static func dictionary(of content: [String: Any?]) -> PrefsValue? {
        var result: [String: PrefsValue] = [:]
        for case (let key, let element?) in content {
            guard let value = PrefsValue(bridging: element) else { return nil }
            result[key] = value
        }
        return .dictionary(result)
    }

    #if !UserDefaults
        private static func foundationObject(_ value: Any) -> PrefsValue? { nil }
    #endif

    /// The value as the Swift type nearest to it: `String`, `Bool`, `Int`, `Double`, `Data`, `Date`, `[Any]`
    /// or `[String: Any]`; a larger integer type where `Int` is too small.
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

/// Reaches into an optional whose type is known only at run time.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
