public import PrefsDocuments

/// Stores an array element by element. Elements that are stored as absence are omitted.
public struct ArrayRepresentation<Element: PrefsValueCoding>: PrefsValueCoding {
    public typealias Value = [Element.Value]

    private let element: Element

    /// Creates a representation of arrays.
    ///
    /// - Parameter element: The representation of one element.
    public init(_ element: Element) {
        self.element = element
    }

    public func encode(_ value: [Element.Value]) throws -> PrefsValue? {
        .array(try value.compactMap(element.encode))
    }

    /// Returns `nil`, so that the whole array is rejected, if an element does not decode.
    public func decode(_ stored: PrefsValue) -> [Element.Value]? {
        guard case .array(let elements) = stored else { return nil }
        var result: [Element.Value] = []
        result.reserveCapacity(elements.count)
        for stored in elements {
            guard let value = element.decode(stored) else { return nil }
            result.append(value)
        }
        return result
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(text, element: element.storedForm(ofText:), accepts: { element.decode($0) != nil })
    }

    public var expectation: String { "an array, each element \(element.expectation)" }

    public var storedType: PrefsStoredType { .array(of: element.storedType) }
}

/// Stores a string-keyed dictionary value by value. Values that are stored as absence are omitted.
public struct DictionaryRepresentation<Element: PrefsValueCoding>:
    PrefsValueCoding
{
    public typealias Value = [String: Element.Value]

    private let element: Element

    /// Creates a representation of dictionaries.
    ///
    /// - Parameter element: The representation of one value.
    public init(_ element: Element) {
        self.element = element
    }

    public func encode(_ value: [String: Element.Value]) throws -> PrefsValue? {
        .dictionary(try value.compactMapValues(element.encode))
    }

    /// Returns `nil`, so that the whole dictionary is rejected, if a value does not decode.
    public func decode(_ stored: PrefsValue) -> [String: Element.Value]? {
        guard case .dictionary(let content) = stored else { return nil }
        var result = [String: Element.Value](minimumCapacity: content.count)
        for (key, stored) in content {
            guard let value = element.decode(stored) else { return nil }
            result[key] = value
        }
        return result
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(text, value: element.storedForm(ofText:), accepts: { element.decode($0) != nil })
    }

    public var expectation: String { "a dictionary, each value \(element.expectation)" }

    public var storedType: PrefsStoredType { .dictionary(of: element.storedType) }
}
