public import PrefsDocuments
@_documentation(visibility: internal)
extension Array: PrefsStorageValue where Element: PrefsStorageValue {
    public var prefsValue: PrefsValue { .array(map(\.prefsValue)) }

    /// Creates an array from its stored form.
    ///
    /// The result is `nil` if an element has another type, because a partial array is never intended.
    public init?(prefsValue: PrefsValue) {
        guard case .array(let elements) = prefsValue,
            let values = elements.allOrNone(Element.init(prefsValue:))
        else { return nil }
        self = values
    }

    /// Parses a comma-separated list or a JSON array.
    ///
    /// In a comma-separated list, each part is parsed as the element's type parses it.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(
            text, element: Element.storedForm(ofText:), accepts: { Element(prefsValue: $0) != nil })
    }

    public static var prefsExpectation: String { "an array, each element \(Element.prefsExpectation)" }
}

@_documentation(visibility: internal)
extension Dictionary: PrefsStorageValue where Key == String, Value: PrefsStorageValue {
    public var prefsValue: PrefsValue { .dictionary(mapValues(\.prefsValue)) }

    /// Creates a dictionary from its stored form, or returns `nil` if a value has another type.
    public init?(prefsValue: PrefsValue) {
        guard case .dictionary(let content) = prefsValue,
            let values = content.allOrNone(Value.init(prefsValue:))
        else { return nil }
        self = values
    }

    /// Parses a JSON object.
    ///
    /// Dates and data in the object are strings, which their types parse.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(
            text, value: Value.storedForm(ofText:), accepts: { Value(prefsValue: $0) != nil })
    }

    public static var prefsExpectation: String { "a dictionary, each value \(Value.prefsExpectation)" }
}
