/// A collection that is stored element by element: an array, or a dictionary with string keys.
@_documentation(visibility: internal)
public protocol PrefsElementwise {
    /// The type of an element. For a dictionary, it is the type of a value.
    associatedtype StoredElement

    /// Returns the collection's coding for a given coding of its elements.
    static func prefsCoding(element: some PrefsCoding<StoredElement>) -> any PrefsCoding<Self>
}

@_documentation(visibility: internal)
extension Array: PrefsElementwise {
    public typealias StoredElement = Element

    public static func prefsCoding(
        element: some PrefsCoding<StoredElement>
    ) -> any PrefsCoding<Self> {
        ArrayPrefsCoding(element: element)
    }
}

@_documentation(visibility: internal)
extension Dictionary: PrefsElementwise where Key == String {
    public typealias StoredElement = Value

    public static func prefsCoding(
        element: some PrefsCoding<StoredElement>
    ) -> any PrefsCoding<Self> {
        DictionaryPrefsCoding(element: element)
    }
}

extension Optional where Wrapped: PrefsElementwise {
    /// Returns the coding of an optional collection for a given coding of its elements.
    static func prefsCoding(
        element: some PrefsCoding<Wrapped.StoredElement>
    ) -> any PrefsCoding<Self> {
        func optional(_ coding: some PrefsCoding<Wrapped>) -> any PrefsCoding<Self> {
            coding.optionalPrefsCoding
        }
        return optional(Wrapped.prefsCoding(element: element))
    }
}
