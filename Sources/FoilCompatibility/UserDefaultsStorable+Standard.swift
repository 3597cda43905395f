public import Foundation
import LayeredPrefs
public import PrefsDocuments

extension Bool: UserDefaultsStorable {}
extension Data: UserDefaultsStorable {}
extension Date: UserDefaultsStorable {}
extension Double: UserDefaultsStorable {}
extension Float: UserDefaultsStorable {}
extension Int: UserDefaultsStorable {}
extension PrefsValue: UserDefaultsStorable {}
extension String: UserDefaultsStorable {}

extension URL: UserDefaultsStorable {
    /// The absolute text of the URL.
    public var storedForm: PrefsValue? { .string(absoluteString) }

    /// Creates a URL, or returns `nil` if the form is not the text of a URL.
    public init?(storedForm: PrefsValue) {
        guard let url = URLStringPrefsCoding().decode(storedForm) else { return nil }
        self = url
    }

    /// Returns the text as a stored form, or `nil` if the text is not a URL.
    public static func storableForm(ofText text: String) -> PrefsValue? {
        URLStringPrefsCoding().decode(prefsValue: text) == nil ? nil : .string(text)
    }

    /// A description of the expected form for messages, with its article.
    public static var storableExpectation: String { URLStringPrefsCoding().expectation }
}

/// An integer type other than `Int`, which is stored as an integer, too.
public protocol UserDefaultsStorableInteger: UserDefaultsStorable, FixedWidthInteger {}

extension UserDefaultsStorableInteger {
    /// The value as an integer.
    public var storedForm: PrefsValue? { .integer(Int128(self)) }

    /// Creates a value, or returns `nil` if the form is not an integer in this type's range.
    public init?(storedForm: PrefsValue) {
        guard case .integer(let value) = storedForm else { return nil }
        self.init(exactly: value)
    }

    /// Parses an integer from text, or returns `nil` if the text is not an integer.
    public static func storableForm(ofText text: String) -> PrefsValue? { Int.storedForm(ofText: text) }

    /// A description of the expected form for messages, with its article.
    public static var storableExpectation: String {
        if bitWidth < 64 { return "an integer in \(min)...\(max)" }
        return isSigned ? "an integer" : "a non-negative integer"
    }
}

extension Int8: UserDefaultsStorableInteger {}
extension Int16: UserDefaultsStorableInteger {}
extension Int32: UserDefaultsStorableInteger {}
extension Int64: UserDefaultsStorableInteger {}
extension UInt: UserDefaultsStorableInteger {}
extension UInt8: UserDefaultsStorableInteger {}
extension UInt16: UserDefaultsStorableInteger {}
extension UInt32: UserDefaultsStorableInteger {}
extension UInt64: UserDefaultsStorableInteger {}

extension Optional: UserDefaultsStorable where Wrapped: UserDefaultsStorable {
    /// The stored form of the wrapped value, or `nil` if there is no value.
    public var storedForm: PrefsValue? { flatMap(\.storedForm) }

    /// Creates a value from the wrapped type's stored form, or returns `nil` if the form has another type.
    public init?(storedForm: PrefsValue) {
        guard let wrapped = Wrapped(storedForm: storedForm) else { return nil }
        self = wrapped
    }

    /// Parses text as the wrapped type does, or returns `nil` if the text does not parse.
    public static func storableForm(ofText text: String) -> PrefsValue? { Wrapped.storableForm(ofText: text) }

    /// The expected form of the wrapped type.
    public static var storableExpectation: String { Wrapped.storableExpectation }
}

extension Array: UserDefaultsStorable where Element: UserDefaultsStorable {
    /// The array of the elements' stored forms. Absent elements are omitted.
    public var storedForm: PrefsValue? { .array(compactMap(\.storedForm)) }

    /// Creates an array, or returns `nil` if the form is not an array or any element has another type.
    public init?(storedForm: PrefsValue) {
        guard case .array(let elements) = storedForm,
            let values = elements.allOrNone(Element.init(storedForm:))
        else { return nil }
        self = values
    }

    /// Parses an array from text, or returns `nil` if the text does not parse.
    public static func storableForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(
            text, element: Element.storableForm(ofText:), accepts: { Element(storedForm: $0) != nil })
    }

    /// A description of the expected form for messages, with its article.
    public static var storableExpectation: String { "an array, each element \(Element.storableExpectation)" }
}

extension Dictionary: UserDefaultsStorable where Key == String, Value: UserDefaultsStorable {
    /// The dictionary of the values' stored forms. Absent values are omitted.
    public var storedForm: PrefsValue? { .dictionary(compactMapValues(\.storedForm)) }

    /// Creates a dictionary, or returns `nil` if the form is not a dictionary or any value has another type.
    public init?(storedForm: PrefsValue) {
        guard case .dictionary(let content) = storedForm,
            let values = content.allOrNone(Value.init(storedForm:))
        else { return nil }
        self = values
    }

    /// Parses a dictionary from text, or returns `nil` if the text does not parse.
    public static func storableForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(
            text, value: Value.storableForm(ofText:), accepts: { Value(storedForm: $0) != nil })
    }

    /// A description of the expected form for messages, with its article.
    public static var storableExpectation: String { "a dictionary, each value \(Value.storableExpectation)" }
}
