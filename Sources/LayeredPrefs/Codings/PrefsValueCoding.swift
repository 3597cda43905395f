public import PrefsDocuments

/// The conversion between a Swift value and its stored form, in both directions. It is the only coding system
/// of this library.
///
/// PrefsKit's `PrefsCodable`, PersistentKeyValueKit's representations and Foil's serializable types are all
/// expressed through it. A coding is immutable and used from any thread.
public protocol PrefsValueCoding<Value>: Sendable {
    /// The type that the program uses.
    associatedtype Value

    /// Returns the stored form of a value; `nil` means absence and removes the key.
    ///
    /// - Throws: An error if the value has no stored form; the store is then unchanged.
    func encode(_ value: Value) throws -> PrefsValue?

    /// Returns the value of a stored form, or `nil` if it is not valid, in which case the candidate is
    /// rejected.
    func decode(_ stored: PrefsValue) -> Value?

    /// Parses text from an environment variable or a command line into a stored form; `nil` if it does not
    /// parse.
    ///
    /// The default implementation returns the text as a string.
    func storedForm(ofText text: String) -> PrefsValue?

    /// A description of acceptable stored forms for messages, with its article: `an integer`.
    var expectation: String { get }

    /// Returns why a stored form is rejected; called only if ``decode(_:)`` returned `nil` for it.
    ///
    /// The default implementation returns ``expectation`` for the whole value. A coding of values with parts
    /// names the part that is wrong.
    func mismatch(of stored: PrefsValue) -> PrefsMismatch

    /// The type that a file must contain, for documentation and tools. The default is any type; it does not
    /// affect how values are read.
    var storedType: PrefsStoredType { get }

    /// Returns the value of a stored form for a key.
    ///
    /// The default implementation calls ``decode(_:)``, unless that is already running for the same key, four
    /// calls deep: a coding that reads the key which it decodes then finds the key's default. A coding that runs
    /// no code of the program, and hence reads no key, decodes at once.
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
