/// A typed key with a name, a default and a way to store its value.
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
///
/// let port = storage.get(.port)
/// ```
///
/// A setting that may be absent has an optional type: `PersistentKey<Int?>`.
public struct PersistentKey<Value: Sendable>: PersistentKeyProtocol {
    public let id: String
    public let representation: any PersistentKeyValueRepresentation<Value>
    public var traits = PrefsKeyTraits<Value>()

    private let fallback: Fallback

    private enum Fallback: Sendable {
        case value(Value)
        case computed(@Sendable () -> Value)
    }

    public var defaultValue: Value {
        switch fallback {
        case .value(let value): value
        case .computed(let value): value()
        }
    }

    /// A key whose values are stored as `representation` says.
    public init(
        _ id: String,
        defaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.id = id
        self.representation = representation
        fallback = .value(defaultValue)
    }

    /// A key whose default is worked out at each read that needs it, from another setting for instance.
    public init(
        _ id: String,
        representation: some PersistentKeyValueRepresentation<Value>,
        default defaultValue: @escaping @Sendable () -> Value
    ) {
        self.id = id
        self.representation = representation
        fallback = .computed(defaultValue)
    }
}

extension PersistentKey: Equatable where Value: Equatable {
    /// Two keys are equal that have one name and one default; how they store is not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.id == rhs.id && lhs.defaultValue == rhs.defaultValue
    }
}

extension PersistentKey: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(defaultValue)
    }
}
