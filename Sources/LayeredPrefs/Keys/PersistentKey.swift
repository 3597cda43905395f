/// A typed key with a name, a default and a coding of its value.
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
///
/// let port = storage.get(.port)
/// ```
///
/// Everything else is a parameter, too: `in:` and `validate:` reject values, `formerNames:`,
/// `environmentName:` and `merge:` say where a value comes from, `isSecret:`, `needsRestart:` and
/// `documentation:` describe it.
///
/// A setting that may be absent has an optional type: `PersistentKey<Int?>`.
///
/// A key of a struct keeps the value that it decoded last, so that reading an unchanged struct costs no more than copying
/// it. If such a key is read often, keep the key itself in a constant:
///
/// ```swift
/// let serverKey = PersistentKey("server", defaultValue: ServerOptions())
/// ```
public struct PersistentKey<Value: Sendable>: PersistentKeyProtocol {
    public let id: String

    // Keys are created at each use, so a key declared without traits must cost nothing: the initializers are
    // inlined into the program, rarely used traits are in a box, and the coding is returned by a
    // function, which captures nothing if the coding has no state. Stored directly, with its
    // arbitrary size, it would keep the whole key in memory, to be destroyed after each use.
    @usableFromInline let makeCoding: @Sendable () -> any PrefsValueCoding<Value>
    @usableFromInline var declared: DeclaredTraits<Value>?
    @usableFromInline let fallback: Fallback

    @usableFromInline
    enum Fallback: Sendable {
        case value(Value)
        case computed(@Sendable () -> Value)
    }

    public package(set) var traits: PrefsKeyTraits<Value> {
        get { declared?.traits ?? PrefsKeyTraits() }
        set { declared = DeclaredTraits(newValue) }
    }

    @inlinable public var coding: any PrefsValueCoding<Value> { makeCoding() }

    @inlinable public var isPlain: Bool { declared?.arePlain ?? true }

    /// Returns the value that this thread decoded last, if it belongs to this generation.
    @inlinable
    func decodedValue(at generation: UInt64) -> Value? { declared?.decoded?.value(at: generation) }

    @inlinable public var defaultValue: Value {
        switch fallback {
        case .value(let value): value
        case .computed(let value): computed(value)
        }
    }

    @usableFromInline
    func computed(_ value: @Sendable () -> Value) -> Value {
        CallChain.run(.defaultValue, of: id, value) ?? CircularDefault.value(of: id, coding)
    }

    @inlinable
    init(
        _ id: String,
        _ fallback: Fallback,
        makeCoding: @escaping @Sendable () -> any PrefsValueCoding<Value>
    ) {
        self.id = id
        self.makeCoding = makeCoding
        self.fallback = fallback
    }
}

/// The optional parts of a key's declaration.
@usableFromInline
final class DeclaredTraits<Value: Sendable>: Sendable {
    let traits: PrefsKeyTraits<Value>
    @usableFromInline let arePlain: Bool
    /// The last value, if merging and decoding it takes long, and if it is no secret, which would be kept for
    /// longer than it is effective.
    @usableFromInline let decoded: DecodedValueCache<Value>?

    init(_ traits: PrefsKeyTraits<Value>) {
        self.traits = traits
        arePlain = traits.arePlain
        decoded = traits.merge == .fields && !traits.isSecret ? DecodedValueCache() : nil
    }
}

extension PersistentKey: Equatable where Value: Equatable {
    /// Keys are equal if their names and defaults are equal; representations are not compared.
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
