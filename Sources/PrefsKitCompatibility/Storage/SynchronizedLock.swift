import LayeredPrefs

/// A variable that any thread can read and replace.
///
/// Reading it and then writing it are two steps. The wrapper makes each of them atomic, but not both together.
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
