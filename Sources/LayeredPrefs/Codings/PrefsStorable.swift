/// A type with a default coding, which keys of this type use to store their values.
///
/// ```swift
/// extension Colour: PrefsStorable {
///     static var defaultPrefsCoding: some PrefsCoding<Colour> {
///         ColourCoding()
///     }
/// }
/// ```
///
/// A `RawRepresentable` type, such as an enum with raw values, needs no conformance.
public protocol PrefsStorable: SendableMetatype {
    /// The type of ``defaultPrefsCoding``.
    associatedtype DefaultCoding: PrefsCoding<Self>

    /// The coding that stores values of this type.
    static var defaultPrefsCoding: DefaultCoding { get }
}

extension Array: PrefsStorable where Element: PrefsStorable {
    /// The coding that stores each element with the element type's coding.
    public static var defaultPrefsCoding: ArrayPrefsCoding<Element.DefaultCoding> {
        ArrayPrefsCoding(element: Element.defaultPrefsCoding)
    }
}

extension Dictionary: PrefsStorable where Key == String, Value: PrefsStorable {
    /// The coding that stores each value with the value type's coding.
    public static var defaultPrefsCoding: DictionaryPrefsCoding<Value.DefaultCoding> {
        DictionaryPrefsCoding(element: Value.defaultPrefsCoding)
    }
}

extension Optional: PrefsStorable where Wrapped: PrefsStorable {
    /// The coding that stores a value with the wrapped type's coding, and `nil` as absence.
    public static var defaultPrefsCoding: OptionalPrefsCoding<Wrapped.DefaultCoding> {
        Wrapped.defaultPrefsCoding.optionalPrefsCoding
    }
}
