#if Macros
    import PrefsSystem
    public import Synchronization

    extension PrefsExpansion {
        /// A cache of a decoded value of at most 64 bits. Reading it takes no mutex.
        ///
        /// The tag holds the generation. Its lowest bit tells whether there is a value. The tag is stored after
        /// the bits. So if a reader finds the current generation in the tag, it reads the bits of that generation
        /// or of a later one, never older ones.
        public struct ScalarCache<Value: Scalar>: ~Copyable, Sendable {
            @usableFromInline let tag = Atomic<UInt64>(0)
            @usableFromInline let bits = Atomic<UInt64>(0)

            /// Creates an empty cache.
            public init() {}

            /// Returns the cached value if it belongs to this generation.
            @inlinable public borrowing func value(at generation: UInt64) -> Value? {
                let tag = tag.load(ordering: .acquiring)
                guard tag >> 1 == generation else { return nil }
                return Value(_prefsBits: tag & 1 == 1 ? bits.load(ordering: .relaxed) : nil)
            }

            /// Caches a value and returns it, or returns the value already cached for the same or the current
            /// generation. Only one thread may call this at a time.
            ///
            /// A reader may see new contents before the generation advances. Keeping the first value stored for a
            /// generation ensures that no thread reads the new value and then the old one. The current generation
            /// may be smaller than an earlier one, because the storage may have been replaced.
            private borrowing func keep(_ value: Value, for generation: UInt64, current: UInt64) -> Value {
                let present = tag.load(ordering: .relaxed)
                if present >> 1 == generation || present >> 1 == current {
                    return Value(_prefsBits: present & 1 == 1 ? bits.load(ordering: .relaxed) : nil)
                }
                if generation != current { return value }
                let bits = value._prefsBits
                if let bits { self.bits.store(bits, ordering: .relaxed) }
                tag.store(generation << 1 | (bits == nil ? 0 : 1), ordering: .releasing)
                return value
            }
        }
    }

    extension PrefsExpansion.ScalarCache {
        /// Reads the value from the storage, and caches it if it may be cached.
        @inline(never)
        public borrowing func fill<Schema>(
            _ property: PrefsExpansion.Property<Schema, Value>,
            from state: borrowing PrefsExpansion.SchemaState,
            bind: () -> Void
        ) -> Value {
            let (value, generation) = state.read(property, bind: bind)
            guard let generation else { return value }
            return state.binding.filling.withLock { _ in
                keep(value, for: generation, current: state.generation)
            }
        }
    }
#endif
