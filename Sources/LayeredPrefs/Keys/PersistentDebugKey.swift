/// A typed key that only a debug build reads from a store.
///
/// In a release build its value is the release default, whatever stores hold, and writing does nothing. The
/// build is the one in which this library was compiled, and it is checked where keys are resolved: no store
/// can bypass it.
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentDebugKey<Bool> {
///     static var tracesRequests: Self {
///         Self("debug.traceRequests", debugDefaultValue: true, releaseDefaultValue: false)
///     }
/// }
/// ```
public struct PersistentDebugKey<Value: Sendable>: PersistentKeyProtocol {
    public let id: String
    public let coding: any PrefsValueCoding<Value>
    public var traits = PrefsKeyTraits<Value>()

    /// The default in a debug build.
    public let debugDefaultValue: Value
    /// The value in a release build.
    public let releaseDefaultValue: Value

    public var defaultValue: Value {
        PersistentDebugKeys.areMutable ? debugDefaultValue : releaseDefaultValue
    }

    public var isMutable: Bool { PersistentDebugKeys.areMutable }

    /// Creates a key whose values are stored in `coding`.
    public init(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        coding: some PrefsValueCoding<Value>
    ) {
        self.id = id
        self.debugDefaultValue = debugDefaultValue
        self.releaseDefaultValue = releaseDefaultValue
        self.coding = coding
    }
}

/// The mutability of debug keys.
public enum PersistentDebugKeys {
    // Not inlinable: the answer must be that of this library, not of the calling module.
    #if DEBUG
        /// True if this library was built for debugging.
        public static var areMutable: Bool { true }
    #else
        /// True if this library was built for debugging.
        public static var areMutable: Bool { false }
    #endif
}

extension PersistentDebugKey {
    /// Creates a key whose values are stored in the default coding of their type.
    public init(_ id: String, debugDefaultValue: Value, releaseDefaultValue: Value)
    where Value: KeyValuePersistible {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: Value.persistentKeyValueRepresentation)
    }

    /// Creates a key with an optional value, stored in `coding`.
    public init<Wrapped>(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        coding: some PrefsValueCoding<Wrapped>
    ) where Value == Wrapped? {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: coding.optionalPrefsCoding)
    }

    /// Creates a key with the same default in both builds, stored in `coding`.
    public init(
        _ id: String,
        defaultValue: Value,
        coding: some PrefsValueCoding<Value>
    ) {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue,
            coding: coding)
    }

    /// Creates a key with an optional value and the same default in both builds, stored in `coding`.
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value,
        coding: some PrefsValueCoding<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, coding: coding.optionalPrefsCoding)
    }

    /// Creates a key with the same default in both builds, stored in the default coding of its type.
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue)
    }

    /// Creates a key with the same default in both builds, whose values have a stored form of their own.
    @_disfavoredOverload
    public init(_ id: String, defaultValue: Value) where Value: PrefsStorageValue {
        self.init(id, defaultValue: defaultValue, coding: AtomicPrefsCoding<Value>())
    }

    /// Creates a key whose values have a stored form of their own.
    @_disfavoredOverload
    public init(_ id: String, debugDefaultValue: Value, releaseDefaultValue: Value)
    where Value: PrefsStorageValue {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: AtomicPrefsCoding<Value>())
    }
}

extension PersistentDebugKey {
    /// Creates a key with an optional value that has a stored form of its own, and the same default in both
    /// builds.
    @_disfavoredOverload
    public init<Wrapped: PrefsStorageValue>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        let coding = AtomicPrefsCoding<Wrapped>()
        self.init(id, defaultValue: defaultValue, coding: coding.optionalPrefsCoding)
    }
}

extension PersistentDebugKey: Equatable where Value: Equatable {
    /// Keys are equal if their names and defaults are equal; representations are not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.id == rhs.id && lhs.debugDefaultValue == rhs.debugDefaultValue
            && lhs.releaseDefaultValue == rhs.releaseDefaultValue
    }
}

extension PersistentDebugKey: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(debugDefaultValue)
        hasher.combine(releaseDefaultValue)
    }
}
