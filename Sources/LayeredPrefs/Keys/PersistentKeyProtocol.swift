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
