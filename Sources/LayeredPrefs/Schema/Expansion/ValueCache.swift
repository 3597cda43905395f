#if Macros
    import PrefsSystem

    extension PrefsExpansion {
        /// A reference to a decoded value of any type, so that each thread can cache it.
        ///
        /// Sendable: the values come from a ``Property``, whose key requires `Sendable` values.
        public final class CachedValue<Value>: @unchecked Sendable {
            @usableFromInline let value: Value

            init(_ value: Value) { self.value = value }
        }

        /// A cache of a decoded value of any type.
        ///
        /// It caches the value once for all threads behind a mutex, and in each thread's own cache. It is a class
        /// because the Swift 6.3 compiler crashes on noncopyable generic structs that hold a private type.
        public final class ValueCache<Value>: Sendable {
            private struct Kept {
                var generation: UInt64
                var box: CachedValue<Value>
            }

            /// The number that identifies this cache in the threads' caches.
            @usableFromInline let number = ThreadCache.Number()
            private let kept = Lock<Kept?>(nil)

            /// Creates an empty cache.
            public init() {}

            /// Returns the value this thread has cached if it belongs to this generation.
            @inlinable public func value(at generation: UInt64) -> Value? {
                // Borrowed, because two threads that count references to the same box contend for its cache line.
                // The value is copied out before anything is called that could displace the box on this thread,
                // and no other thread can displace it. Releasing this cache would release the box. The number
                // proves that the box belongs to this cache, and hence has this type.
                withExtendedLifetime(self) {
                    unsafe ThreadCache.box(for: number, at: generation)?._withUnsafeGuaranteedRef {
                        unsafe unsafeDowncast($0, to: CachedValue<Value>.self).value
                    }
                }
            }
        }
    }

    extension PrefsExpansion.ValueCache {
        /// Returns the value that another thread has cached, or reads it from the storage and caches it if it may
        /// be cached.
        @inline(never)
        public func fill<Schema>(
            _ property: PrefsExpansion.Property<Schema, Value>,
            from state: borrowing PrefsExpansion.SchemaState,
            bind: () -> Void
        ) -> Value {
            if let box = box(at: state.generation) { return box.value }
            let (value, generation) = state.read(property, bind: bind)
            guard let generation else { return value }
            return keep(PrefsExpansion.CachedValue(value), for: generation) { state.generation }
        }

        /// Returns the value that any thread has cached if it belongs to this generation, and caches it for this
        /// thread, too.
        private func box(at generation: UInt64) -> PrefsExpansion.CachedValue<Value>? {
            let box = kept.withLock { kept in kept?.generation == generation ? kept?.box : nil }
            if let box { ThreadCache.keep(box, for: number, at: generation) }
            return box
        }

        /// Caches a value and returns it, or returns the value already cached for the same or the current generation.
        ///
        /// All threads use the first value that was cached for a generation, so that no thread reads the new value
        /// and then the old one.
        ///
        /// - Parameter current: Returns the current generation. It may be smaller than an earlier one, because the
        ///   storage may have been replaced.
        private func keep(
            _ box: PrefsExpansion.CachedValue<Value>, for generation: UInt64, current: () -> UInt64
        ) -> Value {
            let (valid, displaced) = kept.withLock { kept -> (PrefsExpansion.CachedValue<Value>, Kept?) in
                let current = current()
                if let kept, kept.generation == generation || kept.generation == current {
                    return (kept.box, nil)
                }
                if generation != current { return (box, nil) }
                defer { kept = Kept(generation: generation, box: box) }
                // Released outside the mutex: releasing the last reference may run the program's code.
                return (box, kept)
            }
            _ = displaced
            if valid === box { ThreadCache.keep(box, for: number, at: generation) }
            return valid.value
        }
    }

    extension PrefsExpansion {
        /// Returns the cache for values of a type that fits into 64 bits.
        ///
        /// This overload is more specialized, so it is preferred where both apply.
        public static func cache<Value: Scalar>(of: Value.Type) -> ScalarCache<Value> { ScalarCache() }

        /// Returns the cache for values of any other type.
        public static func cache<Value>(of: Value.Type) -> ValueCache<Value> { ValueCache() }

        /// Returns the cache for values of an expression's type. The expression is not evaluated.
        public static func cache<Value: Scalar>(like _: @autoclosure () -> Value) -> ScalarCache<Value> {
            ScalarCache()
        }

        /// Returns the cache for values of an expression's type. The expression is not evaluated.
        public static func cache<Value>(like _: @autoclosure () -> Value) -> ValueCache<Value> {
            ValueCache()
        }
    }
#endif
