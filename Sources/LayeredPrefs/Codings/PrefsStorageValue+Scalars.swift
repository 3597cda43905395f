public import PrefsDocuments
public import FoundationEssentials

@_documentation(visibility: internal)
extension String: PrefsStorageValue {
    public var prefsValue: PrefsValue { .string(self) }

    @inlinable public init?(prefsValue: PrefsValue) {
        guard case .string(let value) = prefsValue else { return nil }
        self = value
    }

    public static var prefsExpectation: String { PrefsValue.Kind.string.description }
}

@_documentation(visibility: internal)
extension Bool: PrefsStorageValue {
    public var prefsValue: PrefsValue { .bool(self) }

    @inlinable public init?(prefsValue: PrefsValue) {
        guard case .bool(let value) = prefsValue else { return nil }
        self = value
    }

    /// Parses `true`, `yes`, `on`, `1` and their opposites, in upper or lower case.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.bool(text).map(PrefsValue.bool)
    }

    public static var prefsExpectation: String { PrefsValue.Kind.bool.description }
}

@_documentation(visibility: internal)
extension Int: PrefsStorageValue {
    public var prefsValue: PrefsValue { .integer(Int128(self)) }

    @inlinable public init?(prefsValue: PrefsValue) {
        guard case .integer(let value) = prefsValue else { return nil }
        self.init(exactly: value)
    }

    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.integer(text).map(PrefsValue.integer)
    }

    public static var prefsExpectation: String { PrefsValue.Kind.integer.description }
}

@_documentation(visibility: internal)
extension Double: PrefsStorageValue {
    public var prefsValue: PrefsValue { .real(self) }

    /// Creates a number from a real, or from an integer that this type represents exactly.
    @inlinable public init?(prefsValue: PrefsValue) {
        switch prefsValue {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }

    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.real(text).map(PrefsValue.real)
    }

    public static var prefsExpectation: String { PrefsValue.Kind.real.description }
}

@_documentation(visibility: internal)
extension Float: PrefsStorageValue {
    public var prefsValue: PrefsValue { .real(Double(self)) }

    /// Creates the `Float` that is nearest to a stored number.
    ///
    /// The result is `nil` if the number is finite and the nearest `Float` is infinite.
    @inlinable public init?(prefsValue: PrefsValue) {
        guard let value = Double(prefsValue: prefsValue) else { return nil }
        self.init(value)
        if isInfinite && value.isFinite { return nil }
    }

    public static func storedForm(ofText text: String) -> PrefsValue? {
        Double.storedForm(ofText: text)
    }

    public static var prefsExpectation: String { PrefsValue.Kind.real.description }
}

@_documentation(visibility: internal)
extension Data: PrefsStorageValue {
    public var prefsValue: PrefsValue { .data(self) }

    @inlinable public init?(prefsValue: PrefsValue) {
        guard case .data(let value) = prefsValue else { return nil }
        self = value
    }

    /// Parses base64 text.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.data(text).map(PrefsValue.data)
    }

    public static var prefsExpectation: String { PrefsValue.Kind.data.description }
}

@_documentation(visibility: internal)
extension Date: PrefsStorageValue {
    public var prefsValue: PrefsValue { .date(self) }

    @inlinable public init?(prefsValue: PrefsValue) {
        guard case .date(let value) = prefsValue else { return nil }
        self = value
    }

    /// Parses an ISO 8601 date, with or without a time and fractions of a second.
    public static func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.date(text).map(PrefsValue.date)
    }

    public static var prefsExpectation: String { PrefsValue.Kind.date.description }
}

@_documentation(visibility: internal)
extension PrefsValue: PrefsStorageValue {
    public var prefsValue: PrefsValue { self }

    @inlinable public init?(prefsValue: PrefsValue) { self = prefsValue }

    public static var prefsExpectation: String { "any value" }
}
