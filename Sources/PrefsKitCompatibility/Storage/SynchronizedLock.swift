import PrefsSystem

/// A variable that any thread can read and replace.
///
/// Reading it and then writing it are two steps. The wrapper makes each of them atomic, but not both together.
// Sendable: a mutex protects the value. As in PrefsKit, the wrapper accepts values that are not Sendable, and the
// program is responsible for sharing them.
@propertyWrapper
public struct SynchronizedLock<Value>: @unchecked Sendable {
    private struct Held: @unchecked Sendable {
        let value: Value
    }

    private final class Box: Sendable {
        let held: Lock<Held>

        init(_ value: Held) { held = Lock(value) }
    }

    private let box: Box

    /// Creates a variable with an initial value.
    public init(wrappedValue: Value) { box = Box(Held(value: wrappedValue)) }

    /// The value.
    public var wrappedValue: Value {
        get { box.held.withLock { $0 }.value }
        nonmutating set {
            let new = Held(value: newValue)
            // The old value is released without the mutex, because that may run code of the program.
            box.held.withLockReleasing { held in
                defer { held = new }
                return held
            }
        }
    }
}
