public import Foundation
import LayeredPrefs
public import PrefsDocuments

/// A type that can be stored. Conforming requires nothing.
///
/// Only this module's ``DictionaryPrefsStorage`` can store a type of your own as it is. Codings store their values as
/// types of LayeredPrefs' protocol with the same name; all of these conform to this one, too. This name hides
/// LayeredPrefs' protocol, so write `LayeredPrefs.PrefsStorageValue` in a generic coding.
public protocol PrefsStorageValue: Equatable, Sendable {}

extension Bool: PrefsStorageValue {}
extension Data: PrefsStorageValue {}
extension Date: PrefsStorageValue {}
extension Double: PrefsStorageValue {}
extension Float: PrefsStorageValue {}
extension Int: PrefsStorageValue {}
extension NSNumber: PrefsStorageValue {}
extension PrefsByteCount: PrefsStorageValue {}
extension PrefsValue: PrefsStorageValue {}
extension String: PrefsStorageValue {}
extension UUID: PrefsStorageValue {}

extension Array: PrefsStorageValue where Element: PrefsStorageValue {}
extension ClosedRange: PrefsStorageValue where Bound: PrefsStorageValue {}
extension Dictionary: PrefsStorageValue where Key == String, Value: PrefsStorageValue {}
extension Range: PrefsStorageValue where Bound: PrefsStorageValue {}
extension Set: PrefsStorageValue where Element: PrefsStorageValue {}

extension PrefsValue {
    /// Creates the stored form of a value, or returns `nil` if it has none.
    init?(plain value: Any) {
        #if UserDefaults
            self.init(bridging: value)
        #else
            // Without this trait LayeredPrefs does not know Foundation's objects.
            switch value {
            case let number as NSNumber where type(of: value) is AnyClass: self = number.storedForm
            case let elements as [Any]:
                guard let forms = elements.allOrNone(PrefsValue.init(plain:)) else { return nil }
                self = .array(forms)
            case let contents as [String: Any]:
                guard let forms = contents.allOrNone(PrefsValue.init(plain:)) else { return nil }
                self = .dictionary(forms)
            default: self.init(bridging: value)
            }
        #endif
    }

    /// - Throws: ``PrefsError`` that names the key, for a value without a stored form.
    init(storing value: Any, forKey key: String) throws(PrefsError) {
        guard let stored = PrefsValue(plain: value) else {
            throw PrefsError(
                .notEncodable, key: key, reason: "values of type \(type(of: value)) have no stored form")
        }
        self = stored
    }

    /// Returns the value as the given type, or `nil` if it is of another one.
    func plain<Value>(as type: Value.Type) -> Value? {
        if let type = type as? any LayeredPrefs.PrefsStorageValue.Type {
            return type.init(prefsValue: self) as? Value
        }
        return bridged as? Value
    }

    /// The number of a boolean, integer or real.
    var number: NSNumber? {
        switch self {
        case .bool(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .integer(let value):
            Int64(exactly: value).map { NSNumber(value: $0) }
                ?? UInt64(exactly: value).map { NSNumber(value: $0) }
        default: nil
        }
    }
}

#if !UserDefaults
    extension NSNumber {
        /// A boolean, integer or real, according to the type that the number was created from.
        fileprivate var storedForm: PrefsValue {
            // Every NSNumber converts to every numeric type, so a boolean is recognized by its class.
            if type(of: self) == Self.booleanType { return .bool(boolValue) }
            switch UInt8(bitPattern: unsafe objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(doubleValue)
            case UInt8(ascii: "Q"): return .integer(Int128(uint64Value))
            default: return .integer(Int128(int64Value))
            }
        }

        private static let booleanType: AnyClass = type(of: NSNumber(value: true))
    }
#endif
