public import PrefsDocuments
extension Array: PrefsStorageValue where Element: PrefsStorageValue {
    public var prefsValue: PrefsValue { .array(map(\.prefsValue)) }

    /// One element of another type refuses the whole array: half a list is nobody's intention.
    public init?(prefsValue: PrefsValue) {
        guard case .array(let elements) = prefsValue else { return nil }
        self.init()
        reserveCapacity(elements.count)
        for element in elements {
            guard let value = Element(prefsValue: element) else { return nil }
            append(value)
        }
    }

    /// A comma list, each part read as the element's type reads it; or a JSON array.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(
            text, element: Element.storedForm(ofText:), accepts: { Element(prefsValue: $0) != nil })
    }

    public static var prefsExpectation: String { "an array, each element \(Element.prefsExpectation)" }
}

extension Dictionary: PrefsStorageValue where Key == String, Value: PrefsStorageValue {
    public var prefsValue: PrefsValue { .dictionary(mapValues(\.prefsValue)) }

    /// One value of another type refuses the whole dictionary.
    public init?(prefsValue: PrefsValue) {
        guard case .dictionary(let content) = prefsValue else { return nil }
        self.init(minimumCapacity: content.count)
        for (key, stored) in content {
            guard let value = Value(prefsValue: stored) else { return nil }
            self[key] = value
        }
    }

    /// A JSON object; dates and data stand in it as the strings that their types read.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(
            text, value: Value.storedForm(ofText:), accepts: { Value(prefsValue: $0) != nil })
    }

    public static var prefsExpectation: String { "a dictionary, each value \(Value.prefsExpectation)" }
}
