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
        // Borrowed, because two threads that count references to one box contend for its cache line. The value is
        // copied out before anything is called that could displace the box on this thread, and no other thread
        // can displace it. Releasing this cache would release the box.
        withExtendedLifetime(self) { unsafe kept(at: generation)?._withUnsafeGuaranteedRef { $0.value } }
    }

    /// Returns the box that this thread has kept, if it belongs to this generation. The box is borrowed; see
    /// ``ThreadCache``.
    @inlinable
    func kept(at generation: UInt64) -> Unmanaged<Box>? {
        guard let box = unsafe ThreadCache.box(for: number, at: generation) else { return nil }
        // The number proves that the box belongs to this cache, and hence has this type.
        return unsafe .fromOpaque(box.toOpaque())
    }

    /// Keeps the value of a generation. A generation identifies one state of one storage.
    func keep(_ value: Value, at generation: UInt64) {
        ThreadCache.keep(Box(value), for: number, at: generation)
    }
}
