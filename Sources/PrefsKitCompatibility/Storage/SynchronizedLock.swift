import LayeredPrefs

/// A variable that can be read and replaced from any thread.
///
/// Reading and then writing it are two steps; the wrapper makes each of them atomic, not both together.
// Sendable: a mutex protects the value; as in PrefsKit, the wrapper accepts values that are not Sendable, which
// the program then shares on its own account.
@propertyWrapper
public struct SynchronizedLock<Value>: @unchecked Sendable {
    private struct Held: @unchecked Sendable {
        let value: Value
    }

    private let current: Replaceable<Held>

    /// Creates a variable with an initial value.
    public init(wrappedValue: Value) { current = Replaceable(Held(value: wrappedValue)) }

    /// The value.
    public var wrappedValue: Value {
        get { current.value.value }
        nonmutating set { current.replace(with: Held(value: newValue)) }
    }
}
