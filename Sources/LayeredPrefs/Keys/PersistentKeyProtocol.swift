/// A typed key: the name under which a value is stored, its type, its default, and how it is stored.
///
/// ``PersistentKey`` and ``PersistentDebugKey`` are the keys to use. Declare them as static members, so that
/// they read as `storage.get(.port)`:
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
/// ```
public protocol PersistentKeyProtocol<Value>: Identifiable, Sendable where ID == String {
    /// The type that a program uses.
    associatedtype Value: Sendable

    /// The name, or dotted path, under which the value is stored.
    var id: String { get }

    /// The value when no layer has an acceptable one.
    var defaultValue: Value { get }

    /// How the value is stored.
    var representation: any PersistentKeyValueRepresentation<Value> { get }

    /// Whether stores are asked at all. `false` for a debug key in a release build: it reads its default
    /// and ignores writes.
    var isMutable: Bool { get }

    /// What else is declared of the key.
    var traits: PrefsKeyTraits<Value> { get }

    /// Whether the topmost stored value is the answer as soon as it decodes: the key may be read, has one
    /// name, no rule for its values and no secrecy. Reading such a key is quickest.
    ///
    /// The default works it out.
    var isPlain: Bool { get }
}

extension PersistentKeyProtocol {
    public var isMutable: Bool { true }

    public var traits: PrefsKeyTraits<Value> { PrefsKeyTraits() }

    public var isPlain: Bool { isMutable && traits.arePlain }
}

/// What may be declared of a key beside its type and default.
public struct PrefsKeyTraits<Value>: Sendable {
    /// Refuses a decoded value: returns what is wrong with it as a phrase, `expected 1...65535`; `nil` accepts.
    public var validate: (@Sendable (Value) -> String?)?
    /// Whether the value is kept out of every print, log and export that does not ask for it.
    public var isSecret = false
    /// The environment variable's name, where it is not the one derived from the key.
    public var environmentName: String?
    /// Names this key had; read when the present name is absent from a layer.
    public var formerNames: [String] = []
    /// Whether the dictionaries of all layers merge into the value, instead of the topmost replacing the rest.
    public var mergesDeeply = false
    /// Whether a change takes effect only after a restart; observers are told so.
    public var needsRestart = false
    /// The declaration's documentation comment.
    public var documentation: String?

    public init() {}

    var arePlain: Bool {
        validate == nil && !isSecret && environmentName == nil && formerNames.isEmpty && !mergesDeeply
    }
}
