public import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
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
    /// - Throws: ``PrefsError`` that names the key, for a value without a stored form.
    init(storing value: Any, forKey key: String) throws(PrefsError) {
        guard let stored = PrefsValue(bridging: value) else {
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
