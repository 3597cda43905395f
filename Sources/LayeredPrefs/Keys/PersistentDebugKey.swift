/// A typed key that only a debug build reads from a store.
///
/// In a release build it has its release default whatever any store holds, and writing does nothing. Which
/// build it is, is decided when this library is compiled, and checked where keys are resolved: no store can
/// bypass it.
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
    public let representation: any PersistentKeyValueRepresentation<Value>
    public var traits = PrefsKeyTraits<Value>()

    /// The default in a debug build.
    public let debugDefaultValue: Value
    /// The value in a release build.
    public let releaseDefaultValue: Value

    public var defaultValue: Value {
        PersistentDebugKeys.areMutable ? debugDefaultValue : releaseDefaultValue
    }

    public var isMutable: Bool { PersistentDebugKeys.areMutable }

    /// A key whose values are stored as `representation` says.
    public init(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.id = id
        self.debugDefaultValue = debugDefaultValue
        self.releaseDefaultValue = releaseDefaultValue
        self.representation = representation
    }
}

/// Whether debug keys can be changed.
public enum PersistentDebugKeys {
    // Not inlinable: the answer must be this library's, not that of the module that asks.
    #if DEBUG
        /// Whether this library was built for debugging.
        public static var areMutable: Bool { true }
    #else
        /// Whether this library was built for debugging.
        public static var areMutable: Bool { false }
    #endif
}

extension PersistentDebugKey {
    /// A key whose values are stored as their type says.
    public init(_ id: String, debugDefaultValue: Value, releaseDefaultValue: Value)
    where Value: KeyValuePersistible {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            representation: Value.persistentKeyValueRepresentation)
    }

    /// A key whose values, where there are any, are stored as `representation` says.
    public init<Wrapped>(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            representation: representation.optionalRepresentation)
    }

    /// A key with one default in both builds, whose values are stored as `representation` says.
    public init(
        _ id: String,
        defaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue,
            representation: representation)
    }

    /// A key with one default in both builds, whose values, where there are any, are stored as
    /// `representation` says.
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, representation: representation.optionalRepresentation)
    }

    /// A key with one default in both builds, whose values are stored as their type says.
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue)
    }

    /// A key with one default in both builds, whose values have a stored form of their own.
    @_disfavoredOverload
    public init(_ id: String, defaultValue: Value) where Value: PrefsStorageValue {
        self.init(id, defaultValue: defaultValue, representation: AtomicPrefsCoding<Value>())
    }

    /// A key whose values have a stored form of their own.
    @_disfavoredOverload
    public init(_ id: String, debugDefaultValue: Value, releaseDefaultValue: Value)
    where Value: PrefsStorageValue {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            representation: AtomicPrefsCoding<Value>())
    }
}

extension PersistentDebugKey {
    /// A key with one default in both builds, whose values, where there are any, have a stored form of their
    /// own.
    @_disfavoredOverload
    public init<Wrapped: PrefsStorageValue>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        let coding = AtomicPrefsCoding<Wrapped>()
        self.init(id, defaultValue: defaultValue, representation: coding.optionalRepresentation)
    }
}

extension PersistentDebugKey: Equatable where Value: Equatable {
    /// Two keys are equal that have one name and the same defaults; how they store is not compared.
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
