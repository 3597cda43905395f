/// A type with a default coding, which keys of this type use to store their values.
///
/// ```swift
/// extension Colour: PrefsPersistable {
///     static var defaultPrefsCoding: some PrefsValueCoding<Colour> {
///         PrefsCoding(encode: { $0.hexadecimal }, decode: { Colour(hexadecimal: $0) })
///     }
/// }
/// ```
///
/// A `RawRepresentable` type, such as an enum with raw values, needs no conformance.
public protocol PrefsPersistable: SendableMetatype {
    /// The type of ``defaultPrefsCoding``.
    associatedtype DefaultCoding: PrefsValueCoding<Self>

    /// The coding that stores values of this type.
    static var defaultPrefsCoding: DefaultCoding { get }
}

extension Array: PrefsPersistable where Element: PrefsPersistable {
    /// The coding that stores each element with the element type's coding.
    public static var defaultPrefsCoding: ArrayPrefsCoding<Element.DefaultCoding> {
        ArrayPrefsCoding(element: Element.defaultPrefsCoding)
    }
}

extension Dictionary: PrefsPersistable where Key == String, Value: PrefsPersistable {
    /// The coding that stores each value with the value type's coding.
    public static var defaultPrefsCoding: DictionaryPrefsCoding<Value.DefaultCoding> {
        DictionaryPrefsCoding(element: Value.defaultPrefsCoding)
    }
}

extension Optional: PrefsPersistable where Wrapped: PrefsPersistable {
    /// The coding that stores a value with the wrapped type's coding, and `nil` as absence.
    public static var defaultPrefsCoding: OptionalPrefsCoding<Wrapped.DefaultCoding> {
        Wrapped.defaultPrefsCoding.optionalPrefsCoding
    }
}
