public import PrefsDocuments

/// A conversion between a Swift value and its stored form, in both directions.
///
/// It is the only coding system of this library: PrefsKit's `PrefsCodable`, PersistentKeyValueKit's
/// representations and Foil's serializable types are all expressed through it. A coding is immutable, and any
/// thread may use it.
public protocol PrefsValueCoding<Value>: Sendable {
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

    /// Returns the value of a stored form for a key.
    ///
    /// The default implementation calls ``decode(_:)``, unless four such calls for the same key are already
    /// running. So if a coding reads the key that it decodes, the innermost read returns the key's default. A
    /// coding that runs no code of the program reads no key, and can decode without this check.
    func _decode(_ stored: PrefsValue, for key: String) -> Value?
}

extension PrefsValueCoding {
    @inlinable public func _decode(_ stored: PrefsValue, for key: String) -> Value? {
        CallChain.decoding(key) { decode(stored) } ?? nil
    }

    public func storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public var expectation: String { "a stored \(Value.self)" }

    public func mismatch(of stored: PrefsValue) -> PrefsMismatch { PrefsMismatch(expected: expectation) }

    public var storedType: PrefsStoredType { .any }
}
