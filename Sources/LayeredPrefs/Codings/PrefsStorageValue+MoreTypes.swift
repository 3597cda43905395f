public import PrefsDocuments
public import FoundationEssentials

@_documentation(visibility: internal)
extension UUID: PrefsStorageValue {
    /// The identifier as text.
    public var prefsValue: PrefsValue { .string(uuidString) }

    public init?(prefsValue: PrefsValue) {
        guard case .string(let text) = prefsValue else { return nil }
        self.init(uuidString: text)
    }

    public static var prefsExpectation: String { "a string with a UUID" }
}

@_documentation(visibility: internal)
extension Set: PrefsStorageValue, PrefsStorable where Element: PrefsStorageValue {
    /// An array of the elements.
    ///
    /// Its order depends only on the elements, so equal sets have equal stored forms.
    public var prefsValue: PrefsValue {
        .array(map(\.prefsValue).map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1))
    }

    /// Creates a set from its stored form, or returns `nil` if an element has another type.
    public init?(prefsValue: PrefsValue) {
        guard let elements = [Element](prefsValue: prefsValue) else { return nil }
        self.init(elements)
    }

    public static func storedForm(ofText text: String) -> PrefsValue? { [Element].storedForm(ofText: text) }

    public static var prefsExpectation: String { [Element].prefsExpectation }
}

@_documentation(visibility: internal)
extension Range: PrefsStorageValue, PrefsStorable where Bound: PrefsStorageValue {
    /// An array of the lower and the upper bound.
    public var prefsValue: PrefsValue { .array([lowerBound.prefsValue, upperBound.prefsValue]) }

    public init?(prefsValue: PrefsValue) {
        guard let bounds = [Bound](prefsValue: prefsValue), bounds.count == 2, bounds[0] <= bounds[1] else {
            return nil
        }
        self = bounds[0]..<bounds[1]
    }

    public static func storedForm(ofText text: String) -> PrefsValue? { [Bound].storedForm(ofText: text) }

    public static var prefsExpectation: String { "an array of a lower and an upper bound" }
}

@_documentation(visibility: internal)
extension ClosedRange: PrefsStorageValue, PrefsStorable where Bound: PrefsStorageValue {
    /// An array of the lower and the upper bound.
    public var prefsValue: PrefsValue { .array([lowerBound.prefsValue, upperBound.prefsValue]) }

    public init?(prefsValue: PrefsValue) {
        guard let bounds = [Bound](prefsValue: prefsValue), bounds.count == 2, bounds[0] <= bounds[1] else {
            return nil
        }
        self = bounds[0]...bounds[1]
    }

    public static func storedForm(ofText text: String) -> PrefsValue? { [Bound].storedForm(ofText: text) }

    public static var prefsExpectation: String { "an array of a lower and an upper bound" }
}
