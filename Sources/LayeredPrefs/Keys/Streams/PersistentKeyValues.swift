/// A key's values as they change, as an asynchronous sequence.
///
/// ```swift
/// for await level in storage.values(for: .logLevel) {
///     logger.logLevel = level
/// }
/// ```
///
/// Each iterator registers with the store when it is created, before the first value is read, so no change is
/// lost in between. It deregisters once, when its task is cancelled or it is released. Successive equal
/// values appear once.
///
/// A ``LayeredPrefsStorage`` delivers every committed value in the order of the generations, and a storage of
/// this library that holds one file or dictionary delivers every value it held, so with `.unbounded` none is
/// missing. Any other store is read again when it reports a change: the last value is always delivered, one
/// that was soon replaced may not be. A store that cannot report changes delivers the current value, and then
/// none until the task is cancelled.
public struct PersistentKeyValues<Key: PersistentKeyProtocol>: AsyncSequence {
    public typealias Element = Key.Value
    public typealias Failure = Never
    /// The policy for changes that arrive before the next element is requested.
    public typealias BufferingPolicy = AsyncStream<Key.Value>.Continuation.BufferingPolicy

    /// The key observed.
    public let key: Key
    /// The store observed.
    public let store: any PrefsStorage
    /// True if the current value comes first. It does not count as buffered.
    public let emitsInitialValue: Bool
    /// The policy for changes that arrive before the next element is requested.
    public let bufferingPolicy: BufferingPolicy

    /// Creates a sequence of a key's values in a store.
    public init(
        _ key: Key,
        store: any PrefsStorage,
        emitsInitialValue: Bool = true,
        bufferingPolicy: BufferingPolicy = .bufferingNewest(1)
    ) {
        self.key = key
        self.store = store
        self.emitsInitialValue = emitsInitialValue
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> ValueIterator<Key.Value> {
        ValueIterator(
            emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy, keys: [key], of: store
        ) {
            [key, store] in
            key.reading(of: store)
        } reading: {
            [key] in
            key.reading(at: $0)
        }
    }
}

extension PersistentKeyValues: Sendable {}
