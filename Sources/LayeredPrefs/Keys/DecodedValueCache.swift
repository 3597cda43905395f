/// The last decoded value of a key that takes long to resolve, kept by each thread that read it.
///
/// It belongs to the key, not to a stack, because two keys of one name may have different defaults and validations.
@usableFromInline
final class DecodedValueCache<Value: Sendable>: Sendable {
    /// A reference to a value.
    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let value: Value

        init(_ value: Value) { self.value = value }
    }

    @usableFromInline let number = ThreadCache.Number()

    /// Returns the value that this thread has kept, if it belongs to this generation.
    @inlinable
    func value(at generation: UInt64) -> Value? {
        guard let box = unsafe ThreadCache.box(for: number, at: generation) else { return nil }
        // Borrowed, because two threads that count references to one box contend for its cache line. The value is
        // copied out before anything is called that could displace the box on this thread, and no other thread
        // can displace it. The number proves that the box belongs to this cache, and hence has this type.
        return unsafe box._withUnsafeGuaranteedRef {
            unsafe unsafeDowncast($0, to: Box.self).value
        }
    }

    /// Returns the reference that this thread has kept, if it belongs to this generation. No other thread counts references
    /// to it.
    @inlinable
    func box(at generation: UInt64) -> Box? {
        guard let box = unsafe ThreadCache.box(for: number, at: generation) else { return nil }
        return unsafe unsafeDowncast(box.takeUnretainedValue(), to: Box.self)
    }

    /// Keeps the value of a generation, which identifies a state of one storage among all.
    func keep(_ value: Value, at generation: UInt64) { keep(Box(value), at: generation) }

    func keep(_ box: Box, at generation: UInt64) { ThreadCache.keep(box, for: number, at: generation) }
}
