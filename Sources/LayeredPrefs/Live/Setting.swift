import PrefsDocuments

/// A field of a configuration with options. It is stored as the value itself.
///
/// ```swift
/// struct Relay: Codable, Sendable {
///     @Setting("Connections to accept", in: 1...10_000) var limit = 512
///     @Setting(secret: true, required: true) var token = ""
///     var upstreams: [Upstream] = []
/// }
/// ```
///
/// A field without options needs no wrapper. If you cannot use the wrapper, for example in a type of another module,
/// pass the same options by name to ``Live/init(_:_:at:fields:startWith:rule:)``.
///
/// A ``Live`` configuration learns the options when it encodes the default instance. If a type has its own
/// `encode(to:)` that hides an option, this is an error at the start.
///
/// A struct can also be the value of a key, or of a schema's property. The documentation of its fields is then learned
/// in the same way. Other options have no effect there, so declare them for the key: `@Pref(secret: true)`.
///
/// A printed struct shows the name of the wrapper's storage, `Relay(_limit: 512, …)`. The wrapper cannot change this.
/// To print `Relay(limit: 512, …)` instead, give the struct a mirror. The wrappers in the mirror mask secrets:
///
/// ```swift
/// extension Relay: CustomReflectable {
///     var customMirror: Mirror {
///         Mirror(self, children: ["limit": _limit, "token": _token], displayStyle: .struct)
///     }
/// }
/// ```
@propertyWrapper
public struct Setting<Value: Codable & Sendable>: Sendable {
    /// The value.
    public var wrappedValue: Value
    /// The options; `nil` if the value was decoded.
    private let options: FieldOptions?
    /// True if the value is not shown where the configuration is printed.
    private let isSecret: Bool

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value of the field if no layer sets it.
    ///   - documentation: The purpose of the field, for generated references.
    ///   - secret: Whether the value is omitted from output, logs and exports that do not ask for it.
    ///   - required: Whether some layer has to set the field. If none does, this is a problem at the start. Later, an
    ///     edit that leaves the field unset is rejected.
    ///   - needsRestart: Whether a change takes effect only after a restart.
    ///   - formerly: Former names of the field, relative to the same section.
    ///   - environmentName: The name of the environment variable, instead of the name that is derived from the field's
    ///     path.
    ///   - condition: The requirement that `validate` checks, as a phrase such as `an even number`, for explanations
    ///     and references.
    ///   - validate: Returns the reason to reject a value, as a phrase such as `expected an even number`, or `nil` to
    ///     accept the value.
    public init(
        wrappedValue: Value, _ documentation: String? = nil, secret: Bool = false, required: Bool = false,
        needsRestart: Bool = false, formerly: [String] = [], environmentName: String? = nil,
        condition: String? = nil, validate: (@Sendable (Value) -> String?)? = nil
    ) {
        self.init(
            wrappedValue,
            FieldOptions(
                isSecret: secret, isRequired: required, needsRestart: needsRestart,
                documentation: documentation, formerNames: formerly, environmentName: environmentName),
            PrefsKeyTraits(), condition, validate)
    }

    /// Declares a field with values in a range.
    public init<Bounds: RangeExpression & Sendable>(
        wrappedValue: Value, _ documentation: String? = nil, in range: Bounds, secret: Bool = false,
        required: Bool = false, needsRestart: Bool = false, formerly: [String] = [],
        environmentName: String? = nil, condition: String? = nil,
        validate: (@Sendable (Value) -> String?)? = nil
    ) where Bounds.Bound == Value {
        var traits = PrefsKeyTraits<Value>()
        traits.limit(to: range, coding: CodablePrefsCoding<Value>()) { range.contains($0) }
        self.init(
            wrappedValue,
            FieldOptions(
                isSecret: secret, isRequired: required, needsRestart: needsRestart,
                documentation: documentation, formerNames: formerly, environmentName: environmentName),
            traits, condition, validate)
    }

    /// Declares an optional field that is absent, or has a value in a range.
    public init<Wrapped, Bounds: RangeExpression & Sendable>(
        wrappedValue: Wrapped? = nil, _ documentation: String? = nil, in range: Bounds, secret: Bool = false,
        required: Bool = false, needsRestart: Bool = false, formerly: [String] = [],
        environmentName: String? = nil, condition: String? = nil,
        validate: (@Sendable (Value) -> String?)? = nil
    ) where Value == Wrapped?, Bounds.Bound == Wrapped {
        var traits = PrefsKeyTraits<Value>()
        traits.limit(to: range, coding: CodablePrefsCoding<Value>()) { $0.map { range.contains($0) } ?? true }
        self.init(
            wrappedValue,
            FieldOptions(
                isSecret: secret, isRequired: required, needsRestart: needsRestart,
                documentation: documentation, formerNames: formerly, environmentName: environmentName),
            traits, condition, validate)
    }

    /// Declares an optional field that is absent unless some layer sets it.
    public init<Wrapped>(
        _ documentation: String? = nil, secret: Bool = false, required: Bool = false,
        needsRestart: Bool = false, formerly: [String] = [], environmentName: String? = nil,
        condition: String? = nil, validate: (@Sendable (Value) -> String?)? = nil
    ) where Value == Wrapped? {
        self.init(
            wrappedValue: nil, documentation, secret: secret, required: required, needsRestart: needsRestart,
            formerly: formerly, environmentName: environmentName, condition: condition, validate: validate)
    }

    /// Not available. A field with options needs a default, unless it is optional.
    @available(*, unavailable, message: "give the field a default, as in 'var limit = 512'")
    public init(
        _ documentation: String, secret: Bool = false, required: Bool = false,
        needsRestart: Bool = false, formerly: [String] = [], environmentName: String? = nil,
        condition: String? = nil, validate: (@Sendable (Value) -> String?)? = nil
    ) {
        // Never called: code that calls it does not compile.
        fatalError("the initializer is unavailable")
    }

    /// - Parameter traits: The range of the values.
    private init(
        _ value: Value, _ options: FieldOptions, _ traits: PrefsKeyTraits<Value>, _ condition: String?,
        _ validate: (@Sendable (Value) -> String?)?
    ) {
        var (options, traits) = (options, traits)
        if let validate { traits.check(requiring: condition, validate) }
        options.state(traits)
        (wrappedValue, self.options, isSecret) = (value, options, options.isSecret)
    }

    fileprivate init(decoded value: Value, isSecret: Bool = false) {
        (wrappedValue, options, self.isSecret) = (value, nil, isSecret)
    }
}

extension Setting: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Value.self)
        let place = decoder.userInfo[.fieldPlace] as? FieldPlace
        let options = place?.options(at: decoder.codingPath)
        // If the options are unknown, the value may be a secret.
        self.init(decoded: value, isSecret: options.map(\.isSecret) ?? (place != nil))
        guard let complaint = options?.check?(value) else { return }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: complaint,
                underlyingError: PrefsMismatch(expected: complaint.withoutExpected)))
    }

    public func encode(to encoder: any Encoder) throws {
        if let place = encoder.userInfo[.fieldPlace] as? FieldPlace {
            let path = place.path + encoder.codingPath.map(\.stringValue)
            place.learned.note(options ?? FieldOptions(), at: path)
        }
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Setting: FieldWrapper {
    package static var wrappedType: any Decodable.Type {
        (Value.self as? any OptionalDecodable.Type)?.wrappedDecodable ?? Value.self
    }

    package var anyValue: Any { wrappedValue }

    package static var absent: Self? {
        func none(_ type: (some ExpressibleByNilLiteral).Type) -> Value? {
            type.init(nilLiteral: ()) as? Value
        }
        return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap { none($0) }.map {
            Self(decoded: $0)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes an optional field, which may be absent. The synthesized `init(from:)` calls this for a property with a
    /// wrapper.
    public func decode<Value>(_ type: Setting<Value?>.Type, forKey key: Key) throws -> Setting<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Setting(decoded: nil)
    }
}

extension FieldOptions {
    /// Returns the options of a field with values in a range.
    public static func range<Bounds: RangeExpression & Sendable>(_ range: Bounds) -> Self
    where Bounds.Bound: Codable & Sendable {
        var traits = PrefsKeyTraits<Bounds.Bound>()
        traits.limit(to: range, coding: CodablePrefsCoding<Bounds.Bound>()) { range.contains($0) }
        return Self(checkedBy: traits)
    }

    /// Returns the options of a field with validated values.
    ///
    /// ```swift
    /// let relay = try Live(Relay(), storage, fields: ["workers": .validated(requiring: "an even number") { (workers: Int) in
    ///     workers.isMultiple(of: 2) ? nil : "expected an even number"
    /// }])
    /// ```
    ///
    /// - Parameters:
    ///   - condition: The requirement that `validate` checks, as a phrase such as `an even number`, for explanations
    ///     and references.
    ///   - validate: Returns the reason to reject a value, as a phrase, or `nil` to accept the value.
    public static func validated<Value: Codable & Sendable>(
        requiring condition: String? = nil, by validate: @escaping @Sendable (Value) -> String?
    ) -> Self {
        var traits = PrefsKeyTraits<Value>()
        traits.check(requiring: condition, validate)
        return Self(checkedBy: traits)
    }

    private init(checkedBy traits: PrefsKeyTraits<some Codable & Sendable>) {
        self.init()
        state(traits)
    }

    /// States the range and the validation of the field's values.
    fileprivate mutating func state<Value: Codable & Sendable>(_ traits: PrefsKeyTraits<Value>) {
        (checkedType, condition) = (Value.self, traits.condition)
        makeLimits = { traits.limits }
        if let validate = traits.validate { check = { ($0 as? Value).flatMap(validate) } }
    }
}

/// Printing a configuration shows the values of its fields, except for fields that a wrapper declares as secret.
extension Setting: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { isSecret ? SecretPaths.mask : "\(wrappedValue)" }

    public var debugDescription: String { isSecret ? SecretPaths.mask : String(reflecting: wrappedValue) }

    public var customMirror: Mirror {
        Mirror(self, children: ["wrappedValue": isSecret ? SecretPaths.mask : wrappedValue as Any])
    }
}

extension Setting: Equatable where Value: Equatable {
    /// Compares the values of two fields, and ignores their options.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension Setting: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
