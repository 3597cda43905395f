import PrefsDocuments
#if UserDefaults
    import Foundation

    extension PrefsValue {
        /// Returns the stored form of one of Foundation's reference types.
        static func foundationObject(_ value: Any) -> PrefsValue? {
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
    }
#endif
