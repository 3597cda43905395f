import Synchronization

/// An object that is created when it is first needed.
///
/// Works as `AtomicLazyReference` does. The standard library compiles that type only as generic code, which looks
/// up the object's metadata at each access. That takes longer than the rest of a read.
struct LazyObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of the object, which is retained; 0 if there is none.
    private let address = Atomic<UInt>(0)

    deinit { unsafe Self.object(at: address.load(ordering: .acquiring))?.release() }

    /// The object, if it has been created.
    var object: Object? { unsafe Self.object(at: address.load(ordering: .acquiring))?.takeUnretainedValue() }

    /// Keeps an object, unless another thread has already kept one. Returns the object that is kept.
    func keep(_ object: Object) -> Object {
        let new = unsafe Unmanaged.passRetained(object)
        let (isKept, present) = unsafe address.compareExchange(
            expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
        if isKept { return object }
        unsafe new.release()
        return unsafe Self.object(at: present)?.takeUnretainedValue() ?? object
    }

    private static func object(at address: UInt) -> Unmanaged<Object>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }
}
