public import PrefsDocuments
/// Stores an array by applying a coding to each element.
///
/// If an element cannot be encoded or decoded, the whole array is rejected; no element is dropped silently.
public struct ArrayPrefsCoding<Element: PrefsCodable>: PrefsCodable {
    public typealias Value = [Element.Value]
    public typealias StorageValue = [Element.StorageValue]

    /// The coding of one element.
    public let elementCoding: Element

    /// Creates a coding from the coding of one element.
    public init(element: Element) {
        elementCoding = element
    }

    public func encode(prefsValue: [Element.Value]) -> [Element.StorageValue]? {
        prefsValue.allOrNone(elementCoding.encode(prefsValue:))
    }

    public func decode(prefsValue: [Element.StorageValue]) -> [Element.Value]? {
        prefsValue.allOrNone(elementCoding.decode(prefsValue:))
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(
            text, element: elementCoding.storedForm(ofText:), accepts: { elementCoding.decode($0) != nil })
    }

    public var expectation: String { "an array, each element \(elementCoding.expectation)" }
}

/// Stores a string-keyed dictionary by applying a coding to each value.
///
/// If a value cannot be encoded or decoded, the whole dictionary is rejected; no value is dropped silently.
public struct DictionaryPrefsCoding<Element: PrefsCodable>: PrefsCodable {
    public typealias Value = [String: Element.Value]
    public typealias StorageValue = [String: Element.StorageValue]

    /// The coding of one value.
    public let elementCoding: Element

    /// Creates a coding from the coding of one value.
    public init(element: Element) {
        elementCoding = element
    }

    public func encode(prefsValue: [String: Element.Value]) -> [String: Element.StorageValue]? {
        prefsValue.allOrNone(elementCoding.encode(prefsValue:))
    }

    public func decode(prefsValue: [String: Element.StorageValue]) -> [String: Element.Value]? {
        prefsValue.allOrNone(elementCoding.decode(prefsValue:))
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(
            text, value: elementCoding.storedForm(ofText:), accepts: { elementCoding.decode($0) != nil })
    }

    public var expectation: String { "a dictionary, each value \(elementCoding.expectation)" }
}

extension Array {
    fileprivate func allOrNone<Result>(_ transform: (Element) -> Result?) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(count)
        for element in self {
            guard let result = transform(element) else { return nil }
            results.append(result)
        }
        return results
    }
}

extension Dictionary {
    fileprivate func allOrNone<Result>(_ transform: (Value) -> Result?) -> [Key: Result]? {
        var results = [Key: Result](minimumCapacity: count)
        for (key, value) in self {
            guard let result = transform(value) else { return nil }
            results[key] = result
        }
        return results
    }
}
