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

    /// The options as they were given; they are made usable when they are learned.
    private struct Declaration: Sendable {
        let documentation: String?
        let range: (any RangeExpression & Sendable)?
        let contains: (@Sendable (Value) -> Bool)?
        let isSecret: Bool
        let isRequired: Bool
        let needsRestart: Bool
        let formerNames: [String]
        let environmentName: String?
        let condition: String?
        let validate: (@Sendable (Value) -> String?)?
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
        self.wrappedValue = wrappedValue
        declaration = Declaration(
            documentation: documentation, range: nil, contains: nil, isSecret: secret,
            isRequired: required, needsRestart: needsRestart, formerNames: formerly,
            environmentName: environmentName, condition: condition, validate: validate)
    }

    /// Declares a field whose values lie in a range.
    public init<Bounds: RangeExpression & Sendable>(
        wrappedValue: Value, _ documentation: String? = nil, in range: Bounds, secret: Bool = false,
        required: Bool = false, needsRestart: Bool = false, formerly: [String] = [],
        environmentName: String? = nil, condition: String? = nil,
        validate: (@Sendable (Value) -> String?)? = nil
    ) where Bounds.Bound == Value {
        self.wrappedValue = wrappedValue
        declaration = Declaration(
            documentation: documentation, range: range, contains: { range.contains($0) }, isSecret: secret,
            isRequired: required, needsRestart: needsRestart, formerNames: formerly,
            environmentName: environmentName, condition: condition, validate: validate)
    }

    fileprivate init(decoded value: Value) { (wrappedValue, declaration) = (value, nil) }
}

extension Setting: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Value.self)
        self.init(decoded: value)
        guard let place = decoder.userInfo[.fieldPlace] as? FieldPlace,
            let complaint = place.options(at: decoder.codingPath)?.complaint(about: value)
        else { return }
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
        return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap { none($0) }.map(Self.init(decoded:))
    }
}

extension Setting: AnySetting {
    var options: FieldOptions {
        guard let declaration else { return FieldOptions() }
        var options = FieldOptions()
        options.documentation = declaration.documentation
        options.isSecret = declaration.isSecret
        options.isRequired = declaration.isRequired
        options.needsRestart = declaration.needsRestart
        options.formerNames = declaration.formerNames
        options.environmentName = declaration.environmentName
        if let range = declaration.range {
            options.limits = PrefsStoredType.Limits(range) { bound in
                (bound as? Value).flatMap { (try? CodablePrefsCoding<Value>().encode($0)) ?? nil }
            }
        }
        if declaration.validate != nil {
            options.condition = PrefsKeyTraits<Value>.sentence(requiring: declaration.condition)
        }
        let bounds = declaration.range.map { "\($0)" }
        options.check = { [limits = options.limits] value in
            guard let value = value as? Value else { return nil }
            if declaration.contains?(value) == false {
                let allowed = limits.description
                return "expected \(allowed.isEmpty ? bounds ?? "" : allowed)"
            }
            return declaration.validate?(value)
        }
        return options
    }
}

/// A wrapper, whatever its value.
protocol AnySetting {
    var options: FieldOptions { get }
}

extension Setting: Equatable where Value: Equatable {
    /// Wrappers are equal if their values are; options are not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension Setting: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
