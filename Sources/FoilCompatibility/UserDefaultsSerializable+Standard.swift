public import Foundation
import PrefsDocuments

/// A type whose values are stored as they are.
///
/// All of these types are `Codable`, too. The protocol refines `Codable`, so that its functions take precedence over
/// the functions that store JSON.
public protocol NativeUserDefaultsSerializable: UserDefaultsSerializable, Codable where StoredValue == Self {}

extension NativeUserDefaultsSerializable {
    /// The value itself.
    public var storedValue: Self { self }

    /// Creates a value from a stored value, which is the same.
    public init(storedValue: Self) { self = storedValue }
}

extension Bool: NativeUserDefaultsSerializable {}
extension Data: NativeUserDefaultsSerializable {}
extension Date: NativeUserDefaultsSerializable {}
extension Double: NativeUserDefaultsSerializable {}
extension Float: NativeUserDefaultsSerializable {}
extension Int: NativeUserDefaultsSerializable {}
extension Int8: NativeUserDefaultsSerializable {}
extension Int16: NativeUserDefaultsSerializable {}
extension Int32: NativeUserDefaultsSerializable {}
extension Int64: NativeUserDefaultsSerializable {}
extension String: NativeUserDefaultsSerializable {}
extension UInt: NativeUserDefaultsSerializable {}
extension UInt8: NativeUserDefaultsSerializable {}
extension UInt16: NativeUserDefaultsSerializable {}
extension UInt32: NativeUserDefaultsSerializable {}
extension UInt64: NativeUserDefaultsSerializable {}
/// A URL is stored as its absolute text.
extension URL: NativeUserDefaultsSerializable {}

// Elements that are not valid are omitted; a stored element of another type rejects the collection.

extension Array: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The stored values of the elements.
    public var storedValue: [Element.StoredValue] { map(\.storedValue) }

    /// Creates an array of the valid elements, and omits the others.
    public init(storedValue: [Element.StoredValue]) {
        self = storedValue.compactMap { Element(storedValue: $0) }
    }
}

extension Set: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The stored values of the elements. Their order depends only on the elements, so equal sets have equal stored
    /// values.
    public var storedValue: [Element.StoredValue] {
        map { element in
            let form = try? UserDefaultsSerializableRepresentation<Element>().encode(element)
            return (form?.description ?? "", element.storedValue)
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Creates a set of the valid elements, and omits the others.
    public init(storedValue: [Element.StoredValue]) {
        self = Set(storedValue.compactMap { Element(storedValue: $0) })
    }
}

extension Dictionary: UserDefaultsSerializable where Key == String, Value: UserDefaultsSerializable {
    /// The stored values of the entries.
    public var storedValue: [String: Value.StoredValue] { mapValues(\.storedValue) }

    /// Creates a dictionary of the valid entries, and omits the others.
    public init(storedValue: [String: Value.StoredValue]) {
        self = storedValue.compactMapValues { Value(storedValue: $0) }
    }
}
