import FoundationEssentials
import PrefsDocuments

/// The result of a default that depends on itself.
enum CircularDefault {
    /// Reports the key, and returns the empty value of its type.
    static func value<Value>(of key: String, _ coding: any PrefsValueCoding<Value>) -> Value {
        CircularCall.report(.defaultValue, of: key)
        if let type = Value.self as? any ExpressibleByNilLiteral.Type,
            let none = type.init(nilLiteral: ()) as? Value
        {
            return none
        }
        let empty: [PrefsValue] = [
            .bool(false), .integer(0), .real(0), .string(""), .array([]), .dictionary([:]), .data(Data()),
        ]
        for stored in empty {
            if let value = coding._decode(stored, for: key) { return value }
        }
        // A mistake of the program that no file can cause: without this end, the default would call itself until
        // the stack overflows, and there is no value of this type that could be returned instead.
        preconditionFailure("the default of “\(key)” depends on itself, and its type has no empty value")
    }
}
