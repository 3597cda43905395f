public import PrefsDocuments
public import FoundationEssentials

extension Bool: UserDefaultsStorable {}
extension Data: UserDefaultsStorable {}
extension Date: UserDefaultsStorable {}
extension Double: UserDefaultsStorable {}
extension Float: UserDefaultsStorable {}
extension Int: UserDefaultsStorable {}
extension PrefsValue: UserDefaultsStorable {}
extension String: UserDefaultsStorable {}

extension UInt: UserDefaultsStorable {
    public var storedForm: PrefsValue? { .integer(Int128(self)) }

    public init?(storedForm: PrefsValue) {
        guard case .integer(let value) = storedForm else { return nil }
        self.init(exactly: value)
    }

    public static func storableForm(ofText text: String) -> PrefsValue? { Int.storedForm(ofText: text) }

    public static var storableExpectation: String { "an integer that is not negative" }
}

extension Optional: UserDefaultsStorable where Wrapped: UserDefaultsStorable {
    public var storedForm: PrefsValue? { flatMap(\.storedForm) }

    public init?(storedForm: PrefsValue) {
        guard let wrapped = Wrapped(storedForm: storedForm) else { return nil }
        self = wrapped
    }

    public static func storableForm(ofText text: String) -> PrefsValue? { Wrapped.storableForm(ofText: text) }

    public static var storableExpectation: String { Wrapped.storableExpectation }
}

extension Array: UserDefaultsStorable where Element: UserDefaultsStorable {
    /// Absent elements are left out.
    public var storedForm: PrefsValue? { .array(compactMap(\.storedForm)) }

    public init?(storedForm: PrefsValue) {
        guard case .array(let elements) = storedForm else { return nil }
        let values = elements.compactMap(Element.init(storedForm:))
        guard values.count == elements.count else { return nil }
        self = values
    }

    public static func storableForm(ofText text: String) -> PrefsValue? {
        PrefsText.list(
            text, element: Element.storableForm(ofText:), accepts: { Element(storedForm: $0) != nil })
    }

    public static var storableExpectation: String { "an array, each element \(Element.storableExpectation)" }
}

extension Dictionary: UserDefaultsStorable where Key == String, Value: UserDefaultsStorable {
    /// Absent values are left out.
    public var storedForm: PrefsValue? { .dictionary(compactMapValues(\.storedForm)) }

    public init?(storedForm: PrefsValue) {
        guard case .dictionary(let content) = storedForm else { return nil }
        let values = content.compactMapValues(Value.init(storedForm:))
        guard values.count == content.count else { return nil }
        self = values
    }

    public static func storableForm(ofText text: String) -> PrefsValue? {
        PrefsText.dictionary(
            text, value: Value.storableForm(ofText:), accepts: { Value(storedForm: $0) != nil })
    }

    public static var storableExpectation: String { "a dictionary, each value \(Value.storableExpectation)" }
}
