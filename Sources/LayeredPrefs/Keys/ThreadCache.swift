import PrefsSystem
public import CPrefsSystem

/// A per-thread cache of objects. Reading a cached object again takes no mutex, and touches no memory that another
/// thread touches.
///
/// A cache creates a ``Number`` and asks ``box(for:at:)`` first. A thread that stops reading keeps the objects
/// that it read last alive until it ends.
///
/// **Borrowing.** We do not retain the object that is found, because two threads that count references to the same
/// object would contend for its count. The object is valid until this thread calls ``keep(_:for:at:)`` or releases
/// a number. Any read of a preference may do that. So copy the value that you need out of the object before you
/// call anything that may run the program's code: a decoder, a validator, a closure, or a release that may be the
/// last one. If the value cannot be copied, retain the object first.
///
/// Until you have copied or retained it, extend the lifetime of the number's owner. Where the read is inlined, the
/// compiler may release the owner after the last use that it knows, and that is reading the number.
///
/// A coding may itself read preferences, and so may a deinitializer that runs here or when the thread ends. The
/// library holds no borrowed object at that point.
@usableFromInline enum ThreadCache {
    /// The key of a cached object on every thread. It is unique among all numbers that ever existed.
    @usableFromInline struct Number: ~Copyable, Sendable {
        @usableFromInline let value = ThreadCache.numbers.withLock { $0.take() }

        @usableFromInline init() {}

        deinit {
            let value = value
            ThreadCache.numbers.withLock { $0.giveBack(value) }
            // Other threads release their objects when they end, or when a new number reuses the slot.
            ThreadCache.release(unsafe ps_forget(value))
        }
    }

    /// Returns the object that this thread keeps under a number, if the object has the given generation. The
    /// result is borrowed; see ``ThreadCache``.
    @inlinable static func box(
        for number: borrowing Number, at generation: UInt64
    ) -> Unmanaged<AnyObject>? {
        guard let object = unsafe ps_kept(number.value, generation) else { return nil }
        return unsafe Unmanaged.fromOpaque(object)
    }

    /// Keeps an object on this thread. The object replaces the one that the thread kept under this number before.
    static func keep(_ object: AnyObject, for number: borrowing Number, at generation: UInt64) {
        let kept = unsafe Unmanaged.passRetained(object).toOpaque()
        let displaced = unsafe ps_keep(number.value, generation, kept) { ThreadCache.release($0) }
        // Released last, because this may run a deinitializer that reads preferences.
        release(displaced)
    }

    @safe private static func release(_ object: UnsafeMutableRawPointer?) {
        guard let object = unsafe object else { return }
        unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }

    fileprivate static let numbers = Lock(Numbers())
}

extension ThreadCache {
    /// Allocates numbers: a slot in the lowest 16 bits, and above it a counter that never repeats.
    ///
    /// The smallest free slot is always used, so the threads' tables need to be no larger than the number of
    /// live caches.
    fileprivate struct Numbers {
        private var lastCount: UInt64 = 0
        /// The slots in use, 64 to a word.
        private var taken: [UInt64] = []

        mutating func take() -> UInt64 {
            lastCount += 1
            return lastCount << 16 | UInt64(takePlace())
        }

        private mutating func takePlace() -> UInt16 {
            let open = taken.firstIndex { $0 != .max } ?? taken.count
            // If there are more caches than slots, they share slots and displace each other's objects.
            guard open < 1024 else { return UInt16(truncatingIfNeeded: lastCount) }
            if open == taken.count { taken.append(0) }
            let bit = (~taken[open]).trailingZeroBitCount
            taken[open] |= 1 << bit
            return UInt16(open * 64 + bit)
        }

        mutating func giveBack(_ number: UInt64) {
            let place = Int(UInt16(truncatingIfNeeded: number))
            taken[place / 64] &= ~(1 << (place % 64))
        }
    }
}
