import LayeredPrefs

/// An asynchronous sequence of a key's values as they change.
///
/// Each iterator registers with the store when it is created, before the first value is read. The registration ends
/// when its task is cancelled or the iterator is released. A store that also notifies of equal values, such as
/// `UserDefaults` or ``InMemoryPersistentKeyValueStore``, delivers them again.
public struct PersistentKeyValues<Key: PersistentKeyProtocol>: AsyncSequence {
    public typealias Element = Key.Value
    public typealias Failure = Never
    /// The policy for changes that arrive before the next element is requested.
    public typealias BufferingPolicy = AsyncStream<Key.Value>.Continuation.BufferingPolicy
    public typealias AsyncIterator = Iterator

    /// The policy for changes that arrive before the next element is requested.
    public let bufferingPolicy: BufferingPolicy
    /// Whether the current value comes first. It does not count as buffered.
    public let emitsInitialValue: Bool
    /// The typed key.
    public let key: Key
    /// The store that holds the value.
    public let store: any PersistentKeyValueStore

    /// Creates a sequence of a key's values in a store.
    public init(
        _ key: Key,
        store: any PersistentKeyValueStore,
        emitsInitialValue: Bool = true,
        bufferingPolicy: BufferingPolicy = .bufferingNewest(1)
    ) {
        self.key = key
        self.store = store
        self.emitsInitialValue = emitsInitialValue
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator over the values from the moment of its creation.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Element = Key.Value
        public typealias Failure = Never

        private var changes: AsyncStream<Key.Value>.Iterator
        private var initial: Key.Value?

        init(_ values: PersistentKeyValues) {
            let (stream, continuation) = AsyncStream<Key.Value>.makeStream(
                bufferingPolicy: values.bufferingPolicy)
            var first: Key.Value?
            let observation = StoreFollower(key: values.key, store: AnyStore(store: values.store))
                .follow(first: { first = $0 }) { continuation.yield($0) }
            // Called when the task is cancelled or the last copy of the iterator is released.
            continuation.onTermination = { _ in observation.cancel() }
            initial = values.emitsInitialValue ? first : nil
            changes = stream.makeAsyncIterator()
        }

        /// Returns the next value, or `nil` after the task has been cancelled.
        public mutating func next() async -> Key.Value? { await next(isolation: nil) }

        /// Returns the next value, or `nil` after the task has been cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Key.Value? {
            if let value = initial {
                initial = nil
                if !Task.isCancelled { return value }
            }
            return await changes.next(isolation: actor)
        }
    }
}

// Sendable: the key and its values are, and the protocol requires that a store may be used from any thread.
extension PersistentKeyValues: @unchecked Sendable {}
