import FileWatching

extension PrefsExpansion {
    /// Keeps a decoded value of any type, behind a lock.
    ///
    /// A class: the compiler of Swift 6.3 crashes on noncopyable generic structs that hold a private type.
    public final class ValueCell<Value: Sendable>: Sendable {
        private struct Kept {
            var generation: UInt64
            var value: Value
        }

        private let kept = Lock<Kept?>(nil)

        public init() {}

        /// The kept value, if it is this generation's.
        public func value(at generation: UInt64) -> Value? {
            kept.withLock { kept in
                guard let kept, kept.generation == generation else { return nil }
                return kept.value
            }
        }

        /// Reads the storage, and keeps what may be kept.
        public func fill<Schema, Member>(
            _ property: Property<Schema, Value, Member>,
            from core: borrowing Core,
            bind: () -> Void
        ) -> Value {
            let (value, generation) = core.read(property, bind: bind)
            guard let generation else { return value }
            let replaced = kept.withLock { kept -> Kept? in
                guard kept.map({ $0.generation < generation }) ?? true else { return nil }
                defer { kept = Kept(generation: generation, value: value) }
                // Released outside the lock: the last reference may run the program's code.
                return kept
            }
            _ = replaced
            return value
        }
    }

    /// The cell for values of a type; the more special one is preferred.
    public static func cell<Value: Scalar>(_: Value.Type) -> ScalarCell<Value> { ScalarCell() }

    /// The cell for values of a type.
    public static func cell<Value: Sendable>(_: Value.Type) -> ValueCell<Value> { ValueCell() }

    /// The cell for values of the type that an expression has, which is not evaluated.
    public static func cell<Value: Scalar>(like _: @autoclosure () -> Value) -> ScalarCell<Value> {
        ScalarCell()
    }

    /// The cell for values of the type that an expression has, which is not evaluated.
    public static func cell<Value: Sendable>(like _: @autoclosure () -> Value) -> ValueCell<Value> {
        ValueCell()
    }
}
