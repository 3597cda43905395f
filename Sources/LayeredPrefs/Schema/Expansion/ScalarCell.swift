import PrefsSystem
public import Synchronization

extension PrefsExpansion {
    /// Keeps a decoded value of at most 64 bits without a lock.
    ///
    /// The tag holds the generation and, in its lowest bit, whether there is a value. It is stored after the
    /// bits; so a reader that finds the present generation in it reads the bits of that generation or of a
    /// later one, and never older ones.
    public struct ScalarCell<Value: Scalar>: ~Copyable, Sendable {
        @usableFromInline let tag = Atomic<UInt64>(0)
        @usableFromInline let bits = Atomic<UInt64>(0)

        public init() {}

        /// The kept value, if it is this generation's.
        @inlinable public borrowing func value(at generation: UInt64) -> Value? {
            let tag = tag.load(ordering: .acquiring)
            guard tag >> 1 == generation else { return nil }
            return Value(prefsBits: tag & 1 == 1 ? bits.load(ordering: .relaxed) : nil)
        }

        /// Keeps a value and returns it, or what is kept for the same or a later generation. One caller at a
        /// time.
        ///
        /// Contents may be read a moment before their generation is advanced to: were the first value kept
        /// for a generation not everybody's, a thread could read the new one and then the old one.
        private borrowing func keep(_ value: Value, for generation: UInt64) -> Value {
            let present = tag.load(ordering: .relaxed)
            if present >> 1 >= generation {
                return Value(prefsBits: present & 1 == 1 ? bits.load(ordering: .relaxed) : nil)
            }
            let bits = value.prefsBits
            if let bits { self.bits.store(bits, ordering: .relaxed) }
            tag.store(generation << 1 | (bits == nil ? 0 : 1), ordering: .releasing)
            return value
        }
    }
}

extension PrefsExpansion.ScalarCell {
    /// Reads the storage, and keeps what may be kept.
    @inline(never)
    public borrowing func fill<Schema, Member>(
        _ property: PrefsExpansion.Property<Schema, Value, Member>,
        from core: borrowing PrefsExpansion.Core,
        bind: () -> Void
    ) -> Value {
        let (value, generation) = core.read(property, bind: bind)
        guard let generation else { return value }
        return core.binding.filling.withLock { _ in keep(value, for: generation) }
    }
}
