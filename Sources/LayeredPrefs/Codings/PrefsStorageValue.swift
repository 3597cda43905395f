public import PrefsDocuments
/// A Swift type that has a stored form of its own, needing no coding.
///
/// `String`, `Bool`, `Int`, `Double`, `Float`, `Data`, `Date`, ``PrefsValue``, and arrays and string-keyed
/// dictionaries of them. Conversions never guess: an integer is taken for a `Double` that can hold it, and
/// nothing else is converted — no text for a number, no number for a truth value, no `3.0` for an `Int`.
public protocol PrefsStorageValue: Equatable, Sendable {
    /// The stored form.
    var prefsValue: PrefsValue { get }

    /// The value of a stored form, or `nil` when it is another type's.
    init?(prefsValue: PrefsValue)

    /// What a text from an environment variable or a command line stands for; `nil` when it does not parse.
    ///
    /// The default takes the text as a string.
    static func storedForm(ofText text: String) -> PrefsValue?

    /// What is expected, with its article, for messages: `an integer`.
    static var prefsExpectation: String { get }
}

extension PrefsStorageValue {
    public static func storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public static var prefsExpectation: String { "a stored \(Self.self)" }
}
