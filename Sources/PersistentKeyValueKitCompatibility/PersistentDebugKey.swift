public import LayeredPrefs

/// A typed key that only a debug build reads from a store, like a `PersistentKey` with the option `debugOnly`.
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentDebugKey<Bool> {
///     static var tracesRequests: Self {
///         Self("debug.traceRequests", debugDefaultValue: true, releaseDefaultValue: false)
///     }
/// }
/// ```
public struct PersistentDebugKey<Value: Sendable>: PersistentKeyProtocol {
    /// The default in a debug build.
    public let debugDefaultValue: Value
    /// The value in a release build.
    public let releaseDefaultValue: Value
    public let persistentKey: PersistentKey<Value>

    public var id: String { persistentKey.id }

    public var defaultValue: Value { persistentKey.defaultValue }

    public var representation: any PersistentKeyValueRepresentation<Value> { persistentKey.representation }

    private init(
        _ id: String, _ debugDefaultValue: Value, _ releaseDefaultValue: Value,
        coding: some PrefsCoding<Value>
    ) {
        self.debugDefaultValue = debugDefaultValue
        self.releaseDefaultValue = releaseDefaultValue
        persistentKey = PersistentKey(
            id, defaultValue: debugDefaultValue, coding: coding, .debugOnly(releaseValue: releaseDefaultValue)
        )
    }

    /// Creates a key whose values are stored in `representation`.
    public init(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.init(id, debugDefaultValue, releaseDefaultValue, coding: representation)
    }

    /// Creates a key with an optional value, stored in `representation`.
    public init<Wrapped>(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(
            id, debugDefaultValue, releaseDefaultValue, coding: representation.optionalRepresentation)
    }

    /// Creates a key whose values are stored in the default representation of their type.
    public init(_ id: String, debugDefaultValue: Value, releaseDefaultValue: Value)
    where Value: KeyValuePersistible {
        self.init(
            id, debugDefaultValue, releaseDefaultValue, coding: Value.persistentKeyValueRepresentation)
    }

    /// Creates a key with the same default in both builds, stored in `representation`.
    public init(
        _ id: String, defaultValue: Value, representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.init(id, defaultValue, defaultValue, coding: representation)
    }

    /// Creates a key with an optional value and the same default in both builds, stored in `representation`.
    public init<Wrapped>(
        _ id: String, defaultValue: Value = nil,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue, defaultValue, coding: representation.optionalRepresentation)
    }

    /// Creates a key with the same default in both builds, stored in the default representation of its type.
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, defaultValue, defaultValue, coding: Value.persistentKeyValueRepresentation)
    }
}

// Keys are equal if their names and defaults are equal, as `PersistentKey`s are; representations are not compared.
extension PersistentDebugKey: Equatable where Value: Equatable {}
extension PersistentDebugKey: Hashable where Value: Hashable {}
