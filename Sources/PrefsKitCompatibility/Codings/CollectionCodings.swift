public import LayeredPrefs
public import PrefsDocuments

// PrefsKit's collection codings omit the elements that cannot be encoded or decoded. LayeredPrefs' own
// `ArrayPrefsCoding` and `DictionaryPrefsCoding` reject the whole value instead and name the element.

/// A coding that stores an array as its elements' stored forms. It omits elements that cannot be encoded or decoded.
public struct OmittingArrayPrefsCoding<Element: PrefsCodable>: PrefsCodable {
    /// The coding of one element.
    public let elementCoding: Element

    /// Creates a coding from the coding of one element.
    public init(element: Element) { elementCoding = element }

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: [Element.Value]) -> [Element.StorageValue]? {
        prefsValue.compactMap(elementCoding.encode(prefsValue:))
    }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: [Element.StorageValue]) -> [Element.Value]? {
        prefsValue.compactMap(elementCoding.decode(prefsValue:))
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        ArrayPrefsCoding(element: elementCoding).storedForm(ofText: text)
    }
}

/// A coding that stores a dictionary as its values' stored forms. It omits values that cannot be encoded or decoded.
public struct OmittingDictionaryPrefsCoding<Element: PrefsCodable>: PrefsCodable {
    /// The coding of one value.
    public let elementCoding: Element

    /// Creates a coding from the coding of one value.
    public init(element: Element) { elementCoding = element }

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: [String: Element.Value]) -> [String: Element.StorageValue]? {
        prefsValue.compactMapValues(elementCoding.encode(prefsValue:))
    }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: [String: Element.StorageValue]) -> [String: Element.Value]? {
        prefsValue.compactMapValues(elementCoding.decode(prefsValue:))
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        DictionaryPrefsCoding(element: elementCoding).storedForm(ofText: text)
    }
}

/// A coding that stores an array as its elements' raw values. It omits elements that cannot be encoded or decoded.
public typealias RawRepresentableArrayPrefsCoding<Element: RawRepresentablePrefsCodable> =
    OmittingArrayPrefsCoding<Element>

/// A coding that stores a dictionary as its values' raw values. It omits values that cannot be encoded or decoded.
public typealias RawRepresentableDictionaryPrefsCoding<Element: RawRepresentablePrefsCodable> =
    OmittingDictionaryPrefsCoding<Element>

/// A coding that stores an array as its elements' encoded forms. It omits elements that cannot be encoded or decoded.
public typealias CodableArrayPrefsCoding<Element: CodablePrefsCodable> = OmittingArrayPrefsCoding<Element>

/// A coding that stores a dictionary as its values' encoded forms. It omits values that cannot be encoded or decoded.
public typealias CodableDictionaryPrefsCoding<Element: CodablePrefsCodable> = OmittingDictionaryPrefsCoding<
    Element
>

extension Array where Element: RawRepresentable & Sendable, Element.RawValue: LayeredPrefs.PrefsStorageValue {
    /// A coding that stores the elements as an array of their raw values.
    public static var rawRepresentableArrayPrefsCoding:
        RawRepresentableArrayPrefsCoding<RawRepresentablePrefsCoding<Element>>
    {
        RawRepresentableArrayPrefsCoding(element: RawRepresentablePrefsCoding())
    }
}

extension Dictionary
where Key == String, Value: RawRepresentable & Sendable, Value.RawValue: LayeredPrefs.PrefsStorageValue {
    /// A coding that stores the values as a dictionary of their raw values.
    public static var rawRepresentableDictionaryPrefsCoding:
        RawRepresentableDictionaryPrefsCoding<RawRepresentablePrefsCoding<Value>>
    {
        RawRepresentableDictionaryPrefsCoding(element: RawRepresentablePrefsCoding())
    }
}

extension PrefsCodable where StorageValue == [Value], Value: Codable & LayeredPrefs.PrefsStorageValue {
    /// A coding that stores each element of this coding's result as the bytes of its JSON.
    public var jsonDataArrayPrefsCoding: some PrefsCodable<Value, [Data]> {
        chained(with: CodableArrayPrefsCoding(element: JSONDataCodablePrefsCoding()))
    }

    /// A coding that stores each element of this coding's result as the text of its JSON.
    public var jsonStringArrayPrefsCoding: some PrefsCodable<Value, [String]> {
        chained(with: CodableArrayPrefsCoding(element: JSONStringCodablePrefsCoding()))
    }
}

extension PrefsCodable
where StorageValue == [String: Value], Value: Codable & LayeredPrefs.PrefsStorageValue {
    /// A coding that stores each value of this coding's result as the bytes of its JSON.
    public var jsonDataDictionaryPrefsCoding: some PrefsCodable<Value, [String: Data]> {
        chained(with: CodableDictionaryPrefsCoding(element: JSONDataCodablePrefsCoding()))
    }

    /// A coding that stores each value of this coding's result as the text of its JSON.
    public var jsonStringDictionaryPrefsCoding: some PrefsCodable<Value, [String: String]> {
        chained(with: CodableDictionaryPrefsCoding(element: JSONStringCodablePrefsCoding()))
    }
}
