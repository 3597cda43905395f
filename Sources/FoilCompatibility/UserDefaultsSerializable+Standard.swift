public import FoundationEssentials
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

extension URL: UserDefaultsSerializable {
    /// The absolute form of the URL.
    public var storedValue: String { absoluteString }

    /// Creates a URL, or returns `nil` if the string is not a valid one.
    public init?(storedValue: String) { self.init(string: storedValue) }
}

extension Array: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The stored values of the elements.
    public var storedValue: [Element.StoredValue] { map(\.storedValue) }

    /// Creates an array, or returns `nil` if any element is not valid.
    public init?(storedValue: [Element.StoredValue]) {
        let values = storedValue.compactMap(Element.init(storedValue:))
        guard values.count == storedValue.count else { return nil }
        self = values
    }
}

extension Set: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The stored values of the elements, in an order that depends only on the elements, so that equal sets
    /// have equal stored values.
    public var storedValue: [Element.StoredValue] {
        map { element in (element.storedValue.storedForm?.description ?? "", element.storedValue) }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Creates a set, or returns `nil` if any element is not valid.
    public init?(storedValue: [Element.StoredValue]) {
        let values = storedValue.compactMap(Element.init(storedValue:))
        guard values.count == storedValue.count else { return nil }
        self = Set(values)
    }
}

extension Dictionary: UserDefaultsSerializable where Key == String, Value: UserDefaultsSerializable {
    /// The stored values of the entries.
    public var storedValue: [String: Value.StoredValue] { mapValues(\.storedValue) }

    /// Creates a dictionary, or returns `nil` if any entry is not valid.
    public init?(storedValue: [String: Value.StoredValue]) {
        let values = storedValue.compactMapValues(Value.init(storedValue:))
        guard values.count == storedValue.count else { return nil }
        self = values
    }
}
