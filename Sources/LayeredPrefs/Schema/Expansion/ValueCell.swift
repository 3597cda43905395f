import PrefsSystem

extension PrefsExpansion {
    /// Holds a decoded value of any type, so that threads can keep it.
    public final class Box<Value: Sendable>: Sendable {
        @usableFromInline let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// Keeps a decoded value of any type: once for all threads behind a lock, and in each thread's own cache.
    ///
    /// A class: the compiler of Swift 6.3 crashes on noncopyable generic structs that hold a private type.
    public final class ValueCell<Value: Sendable>: Sendable {
        private struct Kept {
            var generation: UInt64
            var box: Box<Value>
        }

        /// This cell's number in the threads' caches.
        @usableFromInline let number = ThreadCache.Number()
        private let kept = Lock<Kept?>(nil)

        public init() {}

        /// The value that this thread keeps, if it is this generation's.
        @inlinable public func value(at generation: UInt64) -> Value? {
            guard let box = unsafe ThreadCache.box(for: number, at: generation) else { return nil }
            // Borrowed, because two threads that counted references to one box would wait for each other. The
            // value is copied out before anything is called that could displace the box on this thread, and
            // no other thread can. The number says that the box is of this cell, hence of this type.
            return unsafe box._withUnsafeGuaranteedRef {
                unsafe unsafeDowncast($0, to: Box<Value>.self).value
            }
        }
    }
}

extension PrefsExpansion.ValueCell {
    /// Takes what another thread has read, or reads the storage; keeps what may be kept.
    @inline(never)
    public func fill<Schema, Member>(
        _ property: PrefsExpansion.Property<Schema, Value, Member>,
        from core: borrowing PrefsExpansion.Core,
        bind: () -> Void
    ) -> Value {
        if let box = box(at: core.generation) { return box.value }
        let (value, generation) = core.read(property, bind: bind)
        guard let generation else { return value }
        return keep(PrefsExpansion.Box(value), for: generation)
    }

    /// What any thread kept, if it is this generation's; this thread keeps it, too.
    private func box(at generation: UInt64) -> PrefsExpansion.Box<Value>? {
        let box = kept.withLock { kept in kept?.generation == generation ? kept?.box : nil }
        if let box { ThreadCache.keep(box, for: number, at: generation) }
        return box
    }

    /// Keeps a value and returns it, or what is kept for the same or a later generation: the first value
    /// kept for a generation is every thread's, lest one read a new value and then the old one.
    private func keep(_ box: PrefsExpansion.Box<Value>, for generation: UInt64) -> Value {
        let (present, displaced) = kept.withLock { kept -> (PrefsExpansion.Box<Value>?, Kept?) in
            if let kept, kept.generation >= generation { return (kept.box, nil) }
            defer { kept = Kept(generation: generation, box: box) }
            // Released outside the lock: the last reference may run the program's code.
            return (nil, kept)
        }
        _ = displaced
        if let present { return present.value }
        ThreadCache.keep(box, for: number, at: generation)
        return box.value
    }
}
