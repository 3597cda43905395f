public import PrefsDocuments
/// How a Swift value is stored: the one coding of this library, in both directions.
///
/// PrefsKit's `PrefsCodable`, PersistentKeyValueKit's representations and Foil's serializable types all
/// reduce to it. A representation is immutable and used from any thread.
public protocol PersistentKeyValueRepresentation<Value>: Sendable {
    /// The type that a program uses.
    associatedtype Value

    /// The stored form of a value; `nil` is "absent", which removes the key.
    ///
    /// - Throws: When the value has no stored form; the store is then left as it was.
    func encode(_ value: Value) throws -> PrefsValue?

    /// The value of a stored form, or `nil` when it is not the form of any: the candidate is then refused.
    func decode(_ stored: PrefsValue) -> Value?

    /// What a text, from an environment variable or a command line, stands for; `nil` when it does not parse.
    ///
    /// The default takes the text as a string.
    func storedForm(ofText text: String) -> PrefsValue?

    /// What is expected, with its article, for messages: `an integer`.
    var expectation: String { get }

    /// What a file has to hold, for documents and tools. The default is anything; stating it changes nothing
    /// of what is read.
    var storedType: PrefsStoredType { get }
}

extension PersistentKeyValueRepresentation {
    public func storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public var expectation: String { "a stored \(Value.self)" }

    public var storedType: PrefsStoredType { .any }
}
