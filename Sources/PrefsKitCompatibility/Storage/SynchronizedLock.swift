import PrefsSystem

/// A variable that can be read and replaced from any thread.
///
/// Reading and then writing it are two steps; the wrapper makes each of them atomic, not both together.
// Sendable: a mutex protects the value; as in PrefsKit, the wrapper accepts values that are not Sendable, which
// the program then shares on its own account.
@propertyWrapper
public struct SynchronizedLock<Value>: @unchecked Sendable {
    private struct Held: @unchecked Sendable {
        var value: Value
    }

    private final class Box: Sendable {
        let held: Lock<Held>

        init(_ value: Value) { held = Lock(Held(value: value)) }
    }

    private let box: Box

    /// Creates a variable with an initial value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value.
    public var wrappedValue: Value {
        get { box.held.withLock { $0 }.value }
        nonmutating set {
            let new = Held(value: newValue)
            box.held.withLock { $0 = new }
        }
    }
}
