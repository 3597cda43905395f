public import LayeredPrefs

/// Stores an array as its elements' raw values.
public typealias RawRepresentableArrayPrefsCoding<Element: RawRepresentable> =
    ArrayPrefsCoding<RawRepresentablePrefsCoding<Element>> where Element.RawValue: PrefsStorageValue

/// Stores a dictionary as its values' raw values.
public typealias RawRepresentableDictionaryPrefsCoding<Element: RawRepresentable> =
    DictionaryPrefsCoding<RawRepresentablePrefsCoding<Element>> where Element.RawValue: PrefsStorageValue

/// Stores an array whose elements are encoded one by one.
public typealias CodableArrayPrefsCoding<Element: CodablePrefsCodable> = ArrayPrefsCoding<Element>

/// Stores a dictionary whose values are encoded one by one.
public typealias CodableDictionaryPrefsCoding<Element: CodablePrefsCodable> = DictionaryPrefsCoding<Element>

extension Array where Element: RawRepresentable, Element.RawValue: PrefsStorageValue {
    /// Stores the elements as an array of their raw values.
    public static var rawRepresentableArrayPrefsCoding: RawRepresentableArrayPrefsCoding<Element> {
        ArrayPrefsCoding(element: RawRepresentablePrefsCoding())
    }
}

extension Dictionary where Key == String, Value: RawRepresentable, Value.RawValue: PrefsStorageValue {
    /// Stores the values as a dictionary of their raw values.
    public static var rawRepresentableDictionaryPrefsCoding: RawRepresentableDictionaryPrefsCoding<Value> {
        DictionaryPrefsCoding(element: RawRepresentablePrefsCoding())
    }
}
