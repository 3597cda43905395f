/// Stores an integer of any width. Files hold those that fit in 64 bits, TOML and UserDefaults those with a sign.
///
/// As a `PrefsCodable`, whose stored type is `Int`, it encodes only values that fit in an `Int`.
public struct IntegerPrefsCoding<Value: BinaryInteger & Sendable>: PrefsCodable {
    public typealias StorageValue = Int

    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: Value) -> Int? { Int(exactly: prefsValue) }

    public func decode(prefsValue: Int) -> Value? { Value(exactly: prefsValue) }

    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` for an integer that does not fit in 128 bits.
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let integer = Int128(exactly: value) else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) does not fit in 128 bits")
        }
        return .integer(integer)
    }

    public func decode(_ stored: PrefsValue) -> Value? {
        guard case .integer(let integer) = stored else { return nil }
        return Value(exactly: integer)
    }

    public func _decode(_ stored: PrefsValue, for key: String) -> Value? { decode(stored) }

    public var expectation: String { "an integer that fits in \(Value.self)" }
}

extension PrefsPersistable where DefaultCoding == IntegerPrefsCoding<Self> {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: DefaultCoding { IntegerPrefsCoding() }
}

// These types are stored as integers without being asked.

extension Int8: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int8> }
extension Int16: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int16> }
extension Int32: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int32> }
extension Int64: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int64> }
extension UInt: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt> }
extension UInt8: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt8> }
extension UInt16: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt16> }
extension UInt32: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt32> }
extension UInt64: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt64> }
