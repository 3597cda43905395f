#if OpenCombine
    public import LayeredPrefs
    public import OpenCombine

    /// A key's values as they change, as an OpenCombine publisher that never ends and never fails.
    ///
    /// ```swift
    /// storage.publisher(for: .logLevel).removeDuplicates().sink { logger.logLevel = $0 }.store(in: &kept)
    /// ```
    ///
    /// **Demand.** Each subscriber registers with the store when it subscribes, before the current value is
    /// read, so that no change falls between. It gets no more values than it asks for. While it asks for none
    /// the current value waits, and beside it what the buffering policy keeps: by default the newest change.
    ///
    /// **Cancellation.** The registration ends once: when the subscription is cancelled, or when nobody holds
    /// it any more. No value begins to be delivered after that.
    ///
    /// **Threads.** Values come one at a time, in order, under no lock: the ones that wait on the thread that
    /// asks for them, later ones where the store calls its observers, which for a stack is the delivery
    /// thread. Use `receive(on:)` to have them elsewhere. A subscriber may read, write, ask for more and
    /// cancel.
    public struct PersistentKeyValuePublisher<Key: PersistentKeyProtocol>: Publisher {
        public typealias Output = Key.Value
        public typealias Failure = Never
        /// What happens to changes while nobody asks for the next one.
        public typealias BufferingPolicy = PersistentKeyValues<Key>.BufferingPolicy

        private let values: PersistentKeyValues<Key>

        /// A publisher of the same values as a sequence.
        public init(_ values: PersistentKeyValues<Key>) { self.values = values }

        /// - Parameter emitsInitialValue: Whether the current value comes first. It does not count as
        ///   buffered.
        public init(
            _ key: Key,
            store: any PersistentKeyValueStore,
            emitsInitialValue: Bool = true,
            bufferingPolicy: BufferingPolicy = .bufferingNewest(1)
        ) {
            self.init(
                PersistentKeyValues(
                    key, store: store, emitsInitialValue: emitsInitialValue,
                    bufferingPolicy: bufferingPolicy))
        }

        public func receive(subscriber: some Subscriber<Key.Value, Never>) {
            let subscription = ValueSubscription(
                subscriber, policy: values.bufferingPolicy, waitsForFirst: values.emitsInitialValue)
            subscription.hold(values.sink { [weak subscription] in subscription?.offer($0) })
            subscriber.receive(subscription: subscription)
        }
    }
#endif
