public import PrefsDocuments

/// A Swift type that has a stored form of its own and needs no coding.
///
/// These are `String`, `Bool`, `Int`, `Double`, `Float`, `Data`, `Date`, ``PrefsValue``, and arrays and
/// string-keyed dictionaries of them, among others. Conversions never guess: an integer is accepted for a
/// `Double` that represents it exactly, and nothing else is converted: no text to a number, no number to a
/// Boolean value, no `3.0` to an `Int`.
public protocol PrefsStorageValue: PrefsPersistable, Equatable, Sendable {
    /// The stored form.
    var prefsValue: PrefsValue { get }

    /// Creates a value from its stored form; `nil` if that is the form of another type.
    init?(prefsValue: PrefsValue)

    /// Parses text from an environment variable or a command line into a stored form; `nil` if it does not
    /// parse.
    ///
    /// The default implementation returns the text as a string.
    static func storedForm(ofText text: String) -> PrefsValue?

    /// A description of acceptable stored forms for messages, with its article: `an integer`.
    static var prefsExpectation: String { get }
}

extension PrefsStorageValue {
    /// The coding that stores values as themselves.
    @inlinable
    public static var defaultPrefsCoding: AtomicPrefsCoding<Self> { AtomicPrefsCoding() }

    public static func storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public static var prefsExpectation: String { "a stored \(Self.self)" }
}
