public import PrefsDocuments

extension PrefsStoredType {
    /// The values that a key allows, as bounds or as a list.
    public struct Limits: Sendable, Hashable {
        /// The smallest allowed value, or `nil` if there is no lower bound.
        public var minimum: PrefsValue?
        /// The upper bound, or `nil` if there is none.
        public var maximum: PrefsValue?
        /// A Boolean value that indicates whether ``maximum`` itself is not allowed.
        public var excludesMaximum = false
        /// All allowed values, for an enum that lists its cases.
        public var values: [PrefsValue]?

        /// Creates limits that allow every value.
        public init() {}
    }
}

extension PrefsStoredType.Limits: CustomStringConvertible {
    /// A range such as `1...65535`, `0..<1` or `1...`, or the list of values.
    ///
    /// The text is empty if every value is allowed.
    public var description: String {
        if let values { return values.map(\.description).joined(separator: ", ") }
        if minimum == nil, maximum == nil { return "" }
        let dots = excludesMaximum ? "..<" : "..."
        return [minimum, maximum].map { $0.map(Self.bound) ?? "" }.joined(separator: dots)
    }

    /// Returns a bound as a range shows it: a duration such as `1h` without quotation marks.
    private static func bound(_ value: PrefsValue) -> String {
        guard case .string(let text) = value, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " })
        else { return value.description }
        return text
    }
}
