import PrefsDocuments

/// A field of a configuration with options, stored as the value itself.
///
/// ```swift
/// struct Relay: Codable, Sendable {
///     @Setting("Connections to accept", in: 1...10_000) var limit = 512
///     @Setting(secret: true, required: true) var token = ""
///     var upstreams: [Upstream] = []
/// }
/// ```
///
/// A field without options needs no wrapper. Where a wrapper cannot stand, such as in a type of another module,
/// ``Live/init(_:_:at:fields:startWith:rule:)`` takes the same options by name.
///
/// A ``Live`` configuration learns the options while it encodes the default instance. A type whose own `encode(to:)` hides
/// one is an error at start.
@propertyWrapper
public struct Setting<Value: Codable & Sendable>: Sendable {
    /// The value.
    public var wrappedValue: Value
    private let declaration: Declaration?
    /// True if the value is not shown where the configuration is printed.
    private let isSecret: Bool

    /// The options as they were given; they are made usable when they are learned.
    fileprivate struct Declaration: Sendable {
        var documentation: String?
        var range: (any RangeExpression & Sendable)?
        var contains: (@Sendable (Value) -> Bool)?
        var isSecret = false
        var isRequired = false
        var needsRestart = false
        var formerNames: [String] = []
        var environmentName: String?
        var condition: String?
        var validate: (@Sendable (Value) -> String?)?
    }

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value if no layer has one.
    ///   - documentation: What the field is for, for generated references.
    ///   - secret: True to omit the value from output, logs and exports that do not ask for it.
    ///   - required: True if some layer has to set the field: absence is a problem at start, and refuses a version
    ///     that leads to it later.
    ///   - needsRestart: True if a change takes effect only after a restart.
    ///   - formerly: Former names of the field, relative to the same section.
    ///   - environmentName: The environment variable, in place of the one derived from the field's path.
    ///   - condition: What `validate` requires, as a phrase such as `an even number`, for explanations and references.
    ///   - validate: Returns the reason for which a value is rejected, as a phrase such as `expected an even number`,
    ///     or `nil` to accept it.
    public init(
        wrappedValue: Value, _ documentation: String? = nil, secret: Bool = false, required: Bool = false,
        needsRestart: Bool = false, formerly: [String] = [], environmentName: String? = nil,
        condition: String? = nil, validate: (@Sendable (Value) -> String?)? = nil
    ) {
        self.init(
            wrappedValue,
            Declaration(
                documentation: documentation, isSecret: secret, isRequired: required,
                needsRestart: needsRestart, formerNames: formerly, environmentName: environmentName,
                condition: condition, validate: validate))
    }

    /// Declares a field whose values lie in a range.
    public init<Bounds: RangeExpression & Sendable>(
        wrappedValue: Value, _ documentation: String? = nil, in range: Bounds, secret: Bool = false,
        required: Bool = false, needsRestart: Bool = false, formerly: [String] = [],
        environmentName: String? = nil, condition: String? = nil,
        validate: (@Sendable (Value) -> String?)? = nil
    ) where Bounds.Bound == Value {
        self.init(
            wrappedValue,
            Declaration(
                documentation: documentation, range: range, contains: { range.contains($0) },
                isSecret: secret, isRequired: required, needsRestart: needsRestart, formerNames: formerly,
                environmentName: environmentName, condition: condition, validate: validate))
    }

    /// Declares an optional field whose values lie in a range, or which is absent.
    public init<Wrapped, Bounds: RangeExpression & Sendable>(
        wrappedValue: Wrapped? = nil, _ documentation: String? = nil, in range: Bounds, secret: Bool = false,
        required: Bool = false, needsRestart: Bool = false, formerly: [String] = [],
        environmentName: String? = nil, condition: String? = nil,
        validate: (@Sendable (Value) -> String?)? = nil
    ) where Value == Wrapped?, Bounds.Bound == Wrapped {
        self.init(
            wrappedValue,
            Declaration(
                documentation: documentation, range: range,
                contains: { value in value.map { range.contains($0) } ?? true }, isSecret: secret,
                isRequired: required, needsRestart: needsRestart, formerNames: formerly,
                environmentName: environmentName, condition: condition, validate: validate))
    }

    /// Declares an optional field, which is absent unless some layer sets it.
    public init<Wrapped>(
        _ documentation: String? = nil, secret: Bool = false, required: Bool = false,
        needsRestart: Bool = false, formerly: [String] = [], environmentName: String? = nil,
        condition: String? = nil, validate: (@Sendable (Value) -> String?)? = nil
    ) where Value == Wrapped? {
        self.init(
            wrappedValue: nil, documentation, secret: secret, required: required, needsRestart: needsRestart,
            formerly: formerly, environmentName: environmentName, condition: condition, validate: validate)
    }

    /// Not available: a field with options has a default, unless it is optional.
    @available(*, unavailable, message: "give the field a default, as in 'var limit = 512'")
    public init(
        _ documentation: String, secret: Bool = false, required: Bool = false,
        needsRestart: Bool = false, formerly: [String] = [], environmentName: String? = nil,
        condition: String? = nil, validate: (@Sendable (Value) -> String?)? = nil
    ) {
        // Never called: code that calls it does not compile.
        fatalError("the initializer is unavailable")
    }

    private init(_ value: Value, _ declaration: Declaration) {
        (wrappedValue, self.declaration, isSecret) = (value, declaration, declaration.isSecret)
    }

    fileprivate init(decoded value: Value, isSecret: Bool = false) {
        (wrappedValue, declaration, self.isSecret) = (value, nil, isSecret)
    }
}

extension Setting: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Value.self)
        let place = decoder.userInfo[.fieldPlace] as? FieldPlace
        let options = place?.options(at: decoder.codingPath)
        // What is not known may be a secret.
        self.init(decoded: value, isSecret: options.map(\.isSecret) ?? (place != nil))
        guard let complaint = options?.complaint(about: value) else { return }
        let expected = complaint.hasPrefix("expected ") ? String(complaint.dropFirst(9)) : complaint
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: complaint,
                underlyingError: PrefsMismatch(expected: expected)))
    }

    public func encode(to encoder: any Encoder) throws {
        if let learning = encoder.userInfo[.learnedFields] as? LearnedFields {
            learning.note(options, at: encoder.codingPath)
        }
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Setting: FieldWrapper {
    package static var wrappedType: any Decodable.Type {
        (Value.self as? any OptionalDecodable.Type)?.wrappedDecodable ?? Value.self
    }

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
    /// Decodes an optional field, which may be absent: the synthesized `init(from:)` calls this for a property with a
    /// wrapper.
    public func decode<Value>(_ type: Setting<Value?>.Type, forKey key: Key) throws -> Setting<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Setting(decoded: nil)
    }
}

extension Setting: AnySetting {
    var anyValue: Any { wrappedValue }

    var options: FieldOptions { declaration?.options ?? FieldOptions() }
}

extension Setting.Declaration {
    fileprivate var options: FieldOptions {
        var options = FieldOptions()
        options.documentation = documentation
        options.isSecret = isSecret
        options.isRequired = isRequired
        options.needsRestart = needsRestart
        options.formerNames = formerNames
        options.environmentName = environmentName
        if let range {
            options.limits = PrefsStoredType.Limits(range) { bound in
                (bound as? Value).flatMap { (try? CodablePrefsCoding<Value>().encode($0)) ?? nil }
            }
        }
        if validate != nil { options.condition = PrefsKeyTraits<Value>.sentence(requiring: condition) }
        let bounds = range.map { "\($0)" }
        options.checkedType = Value.self
        options.check = { [limits = options.limits, contains, validate] value in
            guard let value = value as? Value else { return nil }
            if contains?(value) == false {
                let allowed = limits.description
                return "expected \(allowed.isEmpty ? bounds ?? "" : allowed)"
            }
            return validate?(value)
        }
        return options
    }
}

extension FieldOptions {
    /// The options of a field whose values lie in a range.
    public static func range<Bounds: RangeExpression & Sendable>(_ range: Bounds) -> Self
    where Bounds.Bound: Codable & Sendable {
        Setting<Bounds.Bound>.Declaration(range: range, contains: { range.contains($0) }).options
    }

    /// The options of a field whose values are validated.
    ///
    /// ```swift
    /// let relay = try Live(Relay(), storage, fields: ["workers": .validated(requiring: "an even number") { (workers: Int) in
    ///     workers.isMultiple(of: 2) ? nil : "expected an even number"
    /// }])
    /// ```
    ///
    /// - Parameters:
    ///   - condition: What `validate` requires, as a phrase such as `an even number`, for explanations and references.
    ///   - validate: Returns the reason for which a value is rejected, as a phrase, or `nil` to accept it.
    public static func validated<Value: Codable & Sendable>(
        requiring condition: String? = nil, by validate: @escaping @Sendable (Value) -> String?
    ) -> Self {
        Setting<Value>.Declaration(condition: condition, validate: validate).options
    }
}

/// A wrapper, whatever its value.
protocol AnySetting {
    var anyValue: Any { get }
    var options: FieldOptions { get }
}

/// Printing a configuration shows the values of its fields, but for those that a wrapper declares as secrets.
extension Setting: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { isSecret ? SecretPaths.mask : "\(wrappedValue)" }

    public var debugDescription: String { isSecret ? SecretPaths.mask : String(reflecting: wrappedValue) }

    public var customMirror: Mirror {
        Mirror(self, children: ["wrappedValue": isSecret ? SecretPaths.mask : wrappedValue as Any])
    }
}

extension Setting: Equatable where Value: Equatable {
    /// Wrappers are equal if their values are; options are not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension Setting: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
