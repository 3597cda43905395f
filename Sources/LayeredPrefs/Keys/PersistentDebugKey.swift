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
    public package(set) var traits = PrefsKeyTraits<Value>()

    /// The default in a debug build.
    public let debugDefaultValue: Value
    /// The value in a release build.
    public let releaseDefaultValue: Value

    public var defaultValue: Value {
        PersistentDebugKeys.areMutable ? debugDefaultValue : releaseDefaultValue
    }

    public var isMutable: Bool { PersistentDebugKeys.areMutable }
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
