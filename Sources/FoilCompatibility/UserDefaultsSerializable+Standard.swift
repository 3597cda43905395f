public import Foundation
import PrefsDocuments

// Each conformance spells out its members, because all of these types are also `Codable`, whose default
// implementation would store JSON. Types with a native stored form are stored as they are.

extension Bool: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension Data: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension Date: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension Double: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension Float: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension Int: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension String: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

extension UInt: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

/// A URL is stored as its absolute text.
extension URL: UserDefaultsSerializable {
    public var storedValue: Self { self }

    public init(storedValue: Self) { self = storedValue }
}

// Elements that are not valid are omitted; a stored element of another type rejects the collection.

extension Array: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The stored values of the elements.
    public var storedValue: [Element.StoredValue] { map(\.storedValue) }

    /// Creates an array of the elements that are valid.
    public init(storedValue: [Element.StoredValue]) {
        self = storedValue.compactMap { Element(storedValue: $0) }
    }
}

extension Set: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The stored values of the elements, in an order that depends only on the elements, so that equal sets
    /// have equal stored values.
    public var storedValue: [Element.StoredValue] {
        map { element in
            let form = try? UserDefaultsSerializableRepresentation<Element>().encode(element)
            return (form?.description ?? "", element.storedValue)
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Creates a set of the elements that are valid.
    public init(storedValue: [Element.StoredValue]) {
        self = Set(storedValue.compactMap { Element(storedValue: $0) })
    }
}

extension Dictionary: UserDefaultsSerializable where Key == String, Value: UserDefaultsSerializable {
    /// The stored values of the entries.
    public var storedValue: [String: Value.StoredValue] { mapValues(\.storedValue) }

    /// Creates a dictionary of the entries that are valid.
    public init(storedValue: [String: Value.StoredValue]) {
        self = storedValue.compactMapValues { Value(storedValue: $0) }
    }
}
