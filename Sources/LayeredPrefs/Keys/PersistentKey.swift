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

    // Keys are made anew at each use, so a plainly declared one has to cost nothing: the initializers are
    // inlined into the program, what is seldom declared is in a box, and the representation is what a function
    // returns, which captures nothing as long as the representation has no state. Held as it is, of whatever
    // size, it would keep the whole key in memory, to be destroyed after each use.
    @usableFromInline let makeRepresentation: @Sendable () -> any PersistentKeyValueRepresentation<Value>
    @usableFromInline var declared: DeclaredTraits<Value>?
    @usableFromInline let fallback: Fallback

    @usableFromInline
    enum Fallback: Sendable {
        case value(Value)
        case computed(@Sendable () -> Value)
    }

    public var traits: PrefsKeyTraits<Value> {
        get { declared?.traits ?? PrefsKeyTraits() }
        set { declared = DeclaredTraits(newValue) }
    }

    @inlinable public var representation: any PersistentKeyValueRepresentation<Value> { makeRepresentation() }

    @inlinable public var isPlain: Bool { declared?.arePlain ?? true }

    @inlinable public var defaultValue: Value {
        switch fallback {
        case .value(let value): value
        case .computed(let value): value()
        }
    }

    /// A key whose values are stored as `representation` says.
    @inlinable
    public init(
        _ id: String,
        defaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.id = id
        makeRepresentation = { representation }
        fallback = .value(defaultValue)
    }

    /// A key whose default is worked out at each read that needs it, from another setting for instance.
    @inlinable
    public init(
        _ id: String,
        representation: some PersistentKeyValueRepresentation<Value>,
        default defaultValue: @escaping @Sendable () -> Value
    ) {
        self.id = id
        makeRepresentation = { representation }
        fallback = .computed(defaultValue)
    }
}

/// What is declared of a key beside its name, type and default.
@usableFromInline
final class DeclaredTraits<Value: Sendable>: Sendable {
    let traits: PrefsKeyTraits<Value>
    @usableFromInline let arePlain: Bool

    init(_ traits: PrefsKeyTraits<Value>) {
        self.traits = traits
        arePlain = traits.arePlain
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
