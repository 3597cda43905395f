public import PrefsDocuments

/// A coding that stores an array by applying another coding to each element.
///
/// If that coding stores an element as absence, the element is omitted. If an element cannot be encoded or
/// decoded, the whole array is rejected. No element is dropped silently.
@_documentation(visibility: internal)
public struct ArrayPrefsCoding<Element: PrefsCoding>: PrefsCoding {
    public typealias Value = [Element.Value]

    /// The coding of one element.
    public let elementCoding: Element

    /// Creates a coding from the coding of one element.
    public init(element: Element) {
        elementCoding = element
    }

    public func encode(_ value: [Element.Value]) throws -> PrefsValue? {
        .array(try value.compactMap(elementCoding.encode))
    }

    public func decode(_ stored: PrefsValue) -> [Element.Value]? {
        guard case .array(let elements) = stored else { return nil }
        return elements.allOrNone(elementCoding.decode)
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(
            text, element: elementCoding.storedForm(ofText:), accepts: { elementCoding.decode($0) != nil })
    }

    public var expectation: String { "an array, each element \(elementCoding.expectation)" }

    public func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        guard case .array(let elements) = stored,
            let index = elements.firstIndex(where: { elementCoding.decode($0) == nil })
        else { return PrefsMismatch(expected: expectation) }
        return elementCoding.mismatch(of: elements[index]).inside(.index(index))
    }

    public var storedType: PrefsStoredType { .array(of: elementCoding.storedType) }
}

extension ArrayPrefsCoding: PrefsCodable where Element: PrefsCodable {
    public typealias StorageValue = [Element.StorageValue]

    public func encode(prefsValue: [Element.Value]) -> [Element.StorageValue]? {
        prefsValue.allOrNone(elementCoding.encode(prefsValue:))
    }

    public func decode(prefsValue: [Element.StorageValue]) -> [Element.Value]? {
        prefsValue.allOrNone(elementCoding.decode(prefsValue:))
    }
}

/// A coding that stores a string-keyed dictionary by applying another coding to each value.
///
/// If that coding stores a value as absence, the value is omitted. If a value cannot be encoded or decoded,
/// the whole dictionary is rejected. No value is dropped silently.
@_documentation(visibility: internal)
public struct DictionaryPrefsCoding<Element: PrefsCoding>: PrefsCoding {
    public typealias Value = [String: Element.Value]

    /// The coding of one value.
    public let elementCoding: Element

    /// Creates a coding from the coding of one value.
    public init(element: Element) {
        elementCoding = element
    }

    public func encode(_ value: [String: Element.Value]) throws -> PrefsValue? {
        .dictionary(try value.compactMapValues(elementCoding.encode))
    }

    public func decode(_ stored: PrefsValue) -> [String: Element.Value]? {
        guard case .dictionary(let content) = stored else { return nil }
        return content.allOrNone(elementCoding.decode)
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(
            text, value: elementCoding.storedForm(ofText:), accepts: { elementCoding.decode($0) != nil })
    }

    public var expectation: String { "a dictionary, each value \(elementCoding.expectation)" }

    public func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        let wrong = stored.dictionary?.filter { elementCoding.decode($0.value) == nil }
        guard let (name, value) = wrong?.min(by: { $0.key < $1.key }) else {
            return PrefsMismatch(expected: expectation)
        }
        return elementCoding.mismatch(of: value).inside(.key(name))
    }

    public var storedType: PrefsStoredType { .dictionary(of: elementCoding.storedType) }
}

extension DictionaryPrefsCoding: PrefsCodable where Element: PrefsCodable {
    public typealias StorageValue = [String: Element.StorageValue]

    public func encode(prefsValue: [String: Element.Value]) -> [String: Element.StorageValue]? {
        prefsValue.allOrNone(elementCoding.encode(prefsValue:))
    }

    public func decode(prefsValue: [String: Element.StorageValue]) -> [String: Element.Value]? {
        prefsValue.allOrNone(elementCoding.decode(prefsValue:))
    }
}
