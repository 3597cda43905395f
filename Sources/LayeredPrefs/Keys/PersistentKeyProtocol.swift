/// A typed key: the name under which a value is stored, its type, its default and its coding.
///
/// ``PersistentKey`` and ``PersistentDebugKey`` are the available keys. Declare them as static members, so
/// that they read as `storage.get(.port)`:
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
/// ```
public protocol PersistentKeyProtocol<Value>: Identifiable, Sendable where ID == String {
    /// The type that the program uses.
    associatedtype Value: Sendable

    /// The name, or dotted path, under which the value is stored.
    var id: String { get }

    /// The value if no layer has an acceptable one.
    var defaultValue: Value { get }

    /// The coding in which the value is stored.
    var coding: any PrefsValueCoding<Value> { get }

    /// True if stores are consulted at all. `false` for a debug key in a release build, which reads its
    /// default and ignores writes.
    var isMutable: Bool { get }

    /// The optional parts of the key's declaration.
    var traits: PrefsKeyTraits<Value> { get }

    /// True if the topmost stored value is effective as soon as it decodes: the key may be read, and it has
    /// no former names, no environment name of its own, no validation, no secrecy and no deep merge. Reading
    /// such a key is fastest.
    ///
    /// The default implementation derives this from ``isMutable`` and ``traits``.
    var isPlain: Bool { get }
}

extension PersistentKeyProtocol {
    public var isMutable: Bool { true }

    public var traits: PrefsKeyTraits<Value> { PrefsKeyTraits() }

    public var isPlain: Bool { isMutable && traits.arePlain }
}

/// The optional parts of a key's declaration, beside its type and default.
public struct PrefsKeyTraits<Value>: Sendable {
    /// Validates a decoded value: returns the reason for its rejection as a phrase, such as `expected
    /// 1...65535`, or `nil` to accept it.
    public var validate: (@Sendable (Value) -> String?)?
    /// True if the value is omitted from output, logs and exports that do not ask for it explicitly.
    public var isSecret = false
    /// The environment variable's name, if it is not the one derived from the key.
    public var environmentName: String?
    /// Former names of this key; read if the present name is absent from a layer.
    public var formerNames: [String] = []
    /// True if the dictionaries of all layers merge into the value; if false, the topmost replaces the
    /// others.
    public var mergesDeeply = false
    /// True if a change takes effect only after a restart; changes delivered to observers say so.
    public var needsRestart = false
    /// The declaration's documentation comment.
    public var documentation: String?

    /// Creates traits for a key that has a type and a default only.
    public init() {}

    var arePlain: Bool {
        validate == nil && !isSecret && environmentName == nil && formerNames.isEmpty && !mergesDeeply
    }
}
