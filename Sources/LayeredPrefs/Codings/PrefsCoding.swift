public import PrefsDocuments

/// A conversion between a Swift value and its stored form, in both directions.
///
/// If a type needs a form of its own, write a coding for it. Give the coding a static member, so that it reads well:
///
/// ```swift
/// struct ColourCoding: PrefsCoding {
///     func encode(_ colour: Colour) -> PrefsValue? { .string(colour.hexadecimal) }
///
///     func decode(_ stored: PrefsValue) -> Colour? {
///         guard case .string(let text) = stored else { return nil }
///         return Colour(hexadecimal: text)
///     }
///
///     var expectation: String { "a colour such as #ff8800" }
/// }
///
/// extension PrefsCoding where Self == ColourCoding {
///     static var colour: ColourCoding { ColourCoding() }
/// }
///
/// let accent = PersistentKey("accent", defaultValue: .orange, coding: .colour)
/// ```
///
/// It is the only coding system of this library: PrefsKit's `PrefsCodable`, PersistentKeyValueKit's
/// representations and Foil's serializable types are all expressed through it. A coding is immutable, and any
/// thread may use it. It may read other keys, but a coding that reads its own key calls itself without end.
public protocol PrefsCoding<Value>: Sendable {
    /// The type that the program uses.
    associatedtype Value

    /// Returns the stored form of a value.
    ///
    /// - Returns: The stored form. `nil` means absence, and removes the key.
    /// - Throws: An error if the value has no stored form. The storage is unchanged then.
    func encode(_ value: Value) throws -> PrefsValue?

    /// Returns the value of a stored form.
    ///
    /// - Returns: The value, or `nil` if the stored form is not valid. The candidate is rejected then.
    func decode(_ stored: PrefsValue) -> Value?

    /// Parses text from an environment variable or a command line into a stored form.
    ///
    /// The default implementation returns the text as a string.
    ///
    /// - Returns: The stored form, or `nil` if the text does not parse.
    func storedForm(ofText text: String) -> PrefsValue?

    /// A phrase for messages that describes the acceptable stored forms, with its article: `an integer`.
    var expectation: String { get }

    /// Returns the reason why a stored form is rejected.
    ///
    /// The library calls this method only if ``decode(_:)`` returned `nil` for the stored form. The default
    /// implementation returns ``expectation`` for the whole value. A coding of values with parts should name
    /// the part that is wrong.
    func mismatch(of stored: PrefsValue) -> PrefsMismatch

    /// The type that a file must contain, for documentation and tools.
    ///
    /// The default is any type. This property does not affect how values are read.
    var storedType: PrefsStoredType { get }
}

extension PrefsCoding {
    public func storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public var expectation: String { "a stored \(Value.self)" }

    public func mismatch(of stored: PrefsValue) -> PrefsMismatch { PrefsMismatch(expected: expectation) }

    public var storedType: PrefsStoredType { .any }
}
