import Foundation
import LayeredPrefs
public import PrefsDocuments

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

    /// Returns the stored form of one of Foundation's reference types.
    private static func foundationObject(_ value: Any) -> PrefsValue? {
        switch value {
        case let value as NSNumber: number(value)
        case let value as NSString: .string(value as String)
        case let value as NSData: .data(value as Data)
        case let value as NSDate: .date(value as Date)
        default: nil
        }
    }

    private static func number(_ number: NSNumber) -> PrefsValue? {
        // Every NSNumber converts to every numeric type, so a boolean is recognized by its class, and a
        // real by the type it was created from.
        if type(of: number) == booleanType { return .bool(number.boolValue) }
        switch UInt8(bitPattern: unsafe number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
        case UInt8(ascii: "Q"): return .integer(Int128(number.uint64Value))
        default: return .integer(Int128(number.int64Value))
        }
    }

    private static let booleanType: AnyClass = type(of: NSNumber(value: true))

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
