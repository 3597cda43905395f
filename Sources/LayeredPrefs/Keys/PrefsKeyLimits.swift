public import PrefsDocuments

/// The values a key allows, as far as they can be listed.
public struct PrefsKeyLimits: Sendable, Hashable {
    /// The smallest allowed value; `nil` if there is no lower bound.
    public var minimum: PrefsValue?
    /// The upper bound; `nil` if there is none.
    public var maximum: PrefsValue?
    /// True if ``maximum`` itself is not allowed.
    public var excludesMaximum = false
    /// All allowed values, for an enum that lists its cases.
    public var values: [PrefsValue]?

    /// Creates limits that allow every value.
    public init() {}
}

extension PrefsKeyLimits: CustomStringConvertible {
    /// A range such as `1...65535`, `0..<1` or `1...`, or the list of values; empty if every value is
    /// allowed.
    public var description: String {
        if let values { return values.map(\.description).joined(separator: ", ") }
        if minimum == nil, maximum == nil { return "" }
        let dots = excludesMaximum ? "..<" : "..."
        return [minimum?.description ?? "", maximum?.description ?? ""].joined(separator: dots)
    }
}
