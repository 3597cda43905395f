/// A coding that stores an integer of any width as an `Int`, and rejects a value that does not fit in an
/// `Int`.
///
/// The default coding of `UInt` and `UInt64` stores values above the largest `Int`, too. All formats except
/// TOML can hold such values.
@_documentation(visibility: internal)
public struct IntegerPrefsCoding<Value: BinaryInteger & Sendable>: PrefsCodable {
    public typealias StorageValue = Int

    /// True if integers that do not fit in an `Int` are stored, too.
    private let storesLarge: Bool

    /// Creates the coding.
    public init() { storesLarge = false }

    fileprivate init(storingLarge: Bool) { storesLarge = storingLarge }

    public func encode(prefsValue: Value) -> Int? { Int(exactly: prefsValue) }

    public func decode(prefsValue: Int) -> Value? { Value(exactly: prefsValue) }

    /// Returns the stored form of an integer.
    ///
    /// - Throws: ``PrefsError`` with the code ``PrefsError/Code/notEncodable`` for a value that is not
    ///   stored.
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let integer = Int128(exactly: value), storesLarge || encode(prefsValue: value) != nil else {
            throw PrefsError(
                .notEncodable, reason: "this \(Value.self) cannot be stored as \(StorageValue.self)")
        }
        return .integer(integer)
    }

    public func decode(_ stored: PrefsValue) -> Value? {
        guard case .integer(let integer) = stored, storesLarge || Int(exactly: integer) != nil else {
            return nil
        }
        return Value(exactly: integer)
    }

    public var expectation: String { "an integer that fits in \(Value.self)" }
}

extension PrefsStorable where DefaultCoding == IntegerPrefsCoding<Self> {
    /// The coding that stores an integer, and rejects a stored integer that the type cannot hold.
    public static var defaultPrefsCoding: DefaultCoding { IntegerPrefsCoding(storingLarge: true) }
}

// These types are stored as integers by default.

extension Int8: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<Int8> }
extension Int16: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<Int16> }
extension Int32: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<Int32> }
extension Int64: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<Int64> }
extension UInt: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<UInt> }
extension UInt8: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<UInt8> }
extension UInt16: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<UInt16> }
extension UInt32: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<UInt32> }
extension UInt64: PrefsStorable { public typealias DefaultCoding = IntegerPrefsCoding<UInt64> }
