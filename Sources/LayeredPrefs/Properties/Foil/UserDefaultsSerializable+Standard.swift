import PrefsDocuments
public import FoundationEssentials

// Each spells its members out: all of these are `Codable` too, whose default would store JSON.

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
    public var storedValue: String { absoluteString }

    public init?(storedValue: String) { self.init(string: storedValue) }
}

extension Array: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    public var storedValue: [Element.StoredValue] { map(\.storedValue) }

    /// One element that is the form of no value refuses the whole array.
    public init?(storedValue: [Element.StoredValue]) {
        let values = storedValue.compactMap(Element.init(storedValue:))
        guard values.count == storedValue.count else { return nil }
        self = values
    }
}

extension Set: UserDefaultsSerializable where Element: UserDefaultsSerializable {
    /// The elements in an order that depends only on them, so that equal sets are stored alike.
    public var storedValue: [Element.StoredValue] {
        map { element in (element.storedValue.storedForm?.description ?? "", element.storedValue) }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// One element that is the form of no value refuses the whole set.
    public init?(storedValue: [Element.StoredValue]) {
        let values = storedValue.compactMap(Element.init(storedValue:))
        guard values.count == storedValue.count else { return nil }
        self = Set(values)
    }
}

extension Dictionary: UserDefaultsSerializable where Key == String, Value: UserDefaultsSerializable {
    public var storedValue: [String: Value.StoredValue] { mapValues(\.storedValue) }

    /// One value that is the form of none refuses the whole dictionary.
    public init?(storedValue: [String: Value.StoredValue]) {
        let values = storedValue.compactMapValues(Value.init(storedValue:))
        guard values.count == storedValue.count else { return nil }
        self = values
    }
}
