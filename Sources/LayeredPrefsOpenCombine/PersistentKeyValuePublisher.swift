#if OpenCombine
    public import LayeredPrefs
    public import OpenCombine

    /// An OpenCombine publisher of a key's values as they change. It never finishes and never fails.
    ///
    /// ```swift
    /// storage.publisher(for: .logLevel).removeDuplicates().sink { logger.logLevel = $0 }.store(in: &kept)
    /// ```
    ///
    /// **Demand.** Each subscriber registers with the store when it subscribes. This happens before the current value
    /// is read, so no change is missed in between. A subscriber never receives more values than it demands. While it
    /// demands none, the current value waits, together with the changes that the buffering policy keeps: by default
    /// only the newest.
    ///
    /// **Cancellation.** The registration ends when the subscription is cancelled or released. A value that another
    /// thread has just taken may still be delivered.
    ///
    /// **Threads.** Values are delivered one at a time, in order, and no mutex is held. A waiting value is delivered
    /// on the thread that demands it. Later values are delivered on the thread that calls the store's observers,
    /// which for a stack is a thread of the library. Use `receive(on:)` to receive values elsewhere. A subscriber may
    /// read, write, demand more values and cancel.
    public struct PersistentKeyValuePublisher<Value: Sendable>: Publisher {
        /// The type of the key's values.
        public typealias Output = Value
        /// The publisher never fails.
        public typealias Failure = Never
        /// The policy for changes that occur while the subscriber demands no values.
        public typealias BufferingPolicy = PersistentKeyValues<Value>.BufferingPolicy

        private let values: PersistentKeyValues<Value>

        /// Creates a publisher of the same values that an asynchronous sequence delivers.
        public init(_ values: PersistentKeyValues<Value>) { self.values = values }

        /// Creates a publisher of a key's values in a store.
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - store: The store that holds the value.
        ///   - emitsInitialValue: Whether to publish the current value first. It does not count as buffered.
        ///   - bufferingPolicy: The policy for changes that occur while the subscriber demands no values.
        public init(
            _ key: PersistentKey<Value>,
            store: any PrefsStorage,
            emitsInitialValue: Bool = true,
            bufferingPolicy: BufferingPolicy = .bufferingNewest(1)
        ) {
            self.init(
                PersistentKeyValues(
                    key, store: store, emitsInitialValue: emitsInitialValue,
                    bufferingPolicy: bufferingPolicy))
        }

        /// Registers with the store and attaches the subscriber.
        public func receive(subscriber: some Subscriber<Value, Never>) {
            let subscription = ValueSubscription(
                subscriber, policy: values.bufferingPolicy, waitsForFirst: values.emitsInitialValue)
            subscription.hold(values.sink { [weak subscription] in subscription?.offer($0) })
            subscriber.receive(subscription: subscription)
        }
    }
#endif
