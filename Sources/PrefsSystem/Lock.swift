#if !TSAN
    public import Synchronization
#endif

/// The mutex of this package: a value that is accessible only while the mutex is held.
///
/// It is `Synchronization.Mutex`. ThreadSanitizer cannot see through that type's futex and reports every
/// contended use as a race, so builds with `-DTSAN` use a pthread mutex, which it understands.
///
/// Public for speed, not for use elsewhere: only public declarations can be inlined into other modules. As a
/// `package` type, it was called from other modules through unspecialised generic code, which cost more than the
/// locking.
@_documentation(visibility: internal)
public struct Lock<Value>: ~Copyable {
    #if TSAN
        @usableFromInline
        let box: PthreadBox<Value>

        /// Creates a mutex around a value.
        @inlinable
        public init(_ value: sending Value) {
            box = PthreadBox(value)
        }

        /// Runs `body` with exclusive access to the value.
        @inlinable
        public borrowing func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try box.withLock(body)
        }
    #else
        @usableFromInline
        let mutex: Mutex<Value>

        /// Creates a mutex around a value.
        @inlinable
        public init(_ value: sending Value) {
            mutex = Mutex(value)
        }

        /// Runs `body` with exclusive access to the value.
        @inlinable
        public borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    #endif
}

extension Lock {
    /// Removes something from the value, and releases it once the mutex is free.
    ///
    /// Releasing an object may run its `deinit`, and releasing a closure may run the `deinit` of a captured
    /// object. These may need the same mutex.
    @inlinable
    public borrowing func withLockReleasing<Removed: Sendable>(_ body: (inout Value) -> Removed) {
        let removed = withLock { value in body(&value) }
        _ = removed
    }
}

#if TSAN
    // Sendable: `content` is only touched between lock and unlock.
    extension Lock: @unchecked Sendable {}

    // Sendable: the mutex's address never changes, and `content` is only touched with the mutex held.
    @usableFromInline
    @safe final class PthreadBox<Value>: @unchecked Sendable {
        // The mutex needs a stable address, which a class's stored property does not promise.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        // The spare byte gives a zero-sized value an address of its own. Otherwise, ThreadSanitizer would use the
        // object's address for the value, and every caller reads that address.
        private var content: (value: Value, spare: UInt8)

        @usableFromInline
        init(_ value: Value) {
            content = (value, 0)
            unsafe pthread_mutex_init(mutex, nil)
        }

        deinit {
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deallocate()
        }

        @usableFromInline
        func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            unsafe pthread_mutex_lock(mutex)
            defer { unsafe pthread_mutex_unlock(mutex) }
            return try body(&content.value)
        }
    }
#else
    extension Lock: Sendable {}
#endif
