import PrefsSystem
public import CPrefsSystem

/// Objects that each thread keeps for itself, so that reading one again takes no lock and touches nothing that
/// another thread touches.
///
/// Whoever caches takes a ``Number`` and asks ``box(for:at:)`` first. A thread that reads no more keeps alive
/// what it read last, until it ends.
///
/// **Borrowing.** What is found is not retained: two threads that counted references to one object would wait
/// for each other. It is good until this thread calls ``keep(_:for:at:)`` or gives up a number, which any read
/// of a preference may do. So copy out of it what you want, and only then call anything that may run the
/// program's code: a decoder, a validator, a closure, a release that may be the last. What cannot be copied out
/// before is to be retained. A coding, or a deinitializer that runs here or at the thread's end, may itself read
/// preferences: nothing of ours is borrowed then.
@usableFromInline enum ThreadCache {
    /// What a cached object is found by on every thread; no two that live have the same, or ever had.
    @usableFromInline struct Number: ~Copyable, Sendable {
        @usableFromInline let value = ThreadCache.numbers.withLock { $0.take() }

        @usableFromInline init() {}

        deinit {
            let value = value
            ThreadCache.numbers.withLock { $0.giveBack(value) }
            // Other threads let go of theirs when they end, or when a new number has the place.
            ThreadCache.release(unsafe ps_forget(value))
        }
    }

    /// What this thread keeps under a number, if it is of this generation: borrowed, as said above.
    ///
    /// Behind a call that is never inlined, so that nothing about the thread can be remembered while an
    /// asynchronous caller moves to another one.
    @inlinable static func box(
        for number: borrowing Number, at generation: UInt64
    ) -> Unmanaged<AnyObject>? {
        guard let object = unsafe ps_kept(number.value, generation) else { return nil }
        return unsafe Unmanaged.fromOpaque(object)
    }

    /// Keeps an object on this thread in place of what it kept under that number before.
    static func keep(_ object: AnyObject, for number: borrowing Number, at generation: UInt64) {
        let kept = unsafe Unmanaged.passRetained(object).toOpaque()
        let displaced = unsafe ps_keep(number.value, generation, kept) { ThreadCache.release($0) }
        // Last, because this may run a deinitializer that reads preferences.
        release(displaced)
    }

    @safe private static func release(_ object: UnsafeMutableRawPointer?) {
        guard let object = unsafe object else { return }
        unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }

    fileprivate static let numbers = Lock(Numbers())
}

extension ThreadCache {
    /// Gives out numbers: a place in the lowest 16 bits, above it a count that never repeats.
    ///
    /// It is always the smallest free place, so that the threads' tables need be no larger than the number of
    /// caches that live.
    fileprivate struct Numbers {
        private var lastCount: UInt64 = 0
        /// The places that are taken, 64 to a word.
        private var taken: [UInt64] = []

        mutating func take() -> UInt64 {
            lastCount += 1
            return lastCount << 16 | UInt64(takePlace())
        }

        private mutating func takePlace() -> UInt16 {
            let open = taken.firstIndex { $0 != .max } ?? taken.count
            // More caches than there are places share them, and displace each other.
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
