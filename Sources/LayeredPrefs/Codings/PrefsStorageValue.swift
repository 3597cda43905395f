public import PrefsDocuments

/// A Swift type that has a stored form of its own and needs no coding.
///
/// Among these types are `String`, `Bool`, `Int`, `Double`, `Float`, `Data`, `Date` and ``PrefsValue``, and
/// arrays and string-keyed dictionaries of them.
///
/// Conversions never guess. An integer is accepted for a `Double` that represents it exactly, and a number is
/// rounded to the nearest `Float`. Nothing else is converted: text does not become a number, a number does
/// not become a Boolean value, and `3.0` does not become an `Int`.
@_documentation(visibility: internal)
public protocol PrefsStorageValue: PrefsStorable, Equatable, Sendable {
    /// The stored form.
    var prefsValue: PrefsValue { get }

    /// Creates a value from its stored form, or returns `nil` if the form belongs to another type.
    init?(prefsValue: PrefsValue)

    /// Parses text from an environment variable or a command line into a stored form.
    ///
    /// The default implementation returns the text as a string.
    ///
    /// - Returns: The stored form, or `nil` if the text does not parse.
    static func storedForm(ofText text: String) -> PrefsValue?

    /// A phrase for messages that describes the acceptable stored forms, with its article: `an integer`.
    static var prefsExpectation: String { get }
}

extension PrefsStorageValue {
    /// The coding that stores values unchanged.
    @inlinable
    public static var defaultPrefsCoding: AtomicPrefsCoding<Self> { AtomicPrefsCoding() }

    public static func storedForm(ofText text: String) -> PrefsValue? { .string(text) }

    public static var prefsExpectation: String { "a stored \(Self.self)" }
}
