#if OpenCombine
    import LayeredPrefs
    import LayeredPrefsOpenCombine
    public import OpenCombine

    /// A publisher of a key's values as they change. It never finishes and never fails.
    ///
    /// Each subscriber registers with the store when it subscribes. While a subscriber demands no values, the current
    /// value waits, together with the newest change. The registration ends when the subscription is cancelled or
    /// released.
    public struct PersistentKeyValuePublisher<Key: PersistentKeyProtocol>: Publisher {
        public typealias Failure = Never
        public typealias Output = Key.Value

        /// Whether the current value comes first.
        public let emitsInitialValue: Bool
        /// The typed key.
        public let key: Key
        /// The store that holds the value.
        public let store: any PersistentKeyValueStore

        /// Creates a publisher of a key's values in a store.
        public init(_ key: Key, store: any PersistentKeyValueStore, emitsInitialValue: Bool = true) {
            self.key = key
            self.store = store
            self.emitsInitialValue = emitsInitialValue
        }

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Key.Value, Downstream.Failure == Never {
            let subscription = ValueSubscription(
                subscriber, policy: .bufferingNewest(1), waitsForFirst: emitsInitialValue)
            let observation = StoreFollower(key: key, store: AnyStore(store: store)).follow(
                first: { if emitsInitialValue { subscription.offer($0) } },
                { [weak subscription] in subscription?.offer($0) })
            subscription.hold(observation)
            subscriber.receive(subscription: subscription)
        }
    }

    extension PersistentKeyValueStore {
        /// Returns a publisher of a key's current value, if wanted, and every later value.
        public func publisher<Key: PersistentKeyProtocol>(
            for key: Key, emitsInitialValue: Bool = true
        ) -> PersistentKeyValuePublisher<Key> {
            PersistentKeyValuePublisher(key, store: self, emitsInitialValue: emitsInitialValue)
        }

        /// Returns a publisher of a key's value after every change.
        public func changesPublisher<Key: PersistentKeyProtocol>(
            for key: Key
        ) -> PersistentKeyValuePublisher<Key> {
            publisher(for: key, emitsInitialValue: false)
        }
    }

    extension PersistentKeyProtocol {
        /// Returns a publisher of the current value, if wanted, and every later value.
        public func publisher(
            in store: any PersistentKeyValueStore, emitsInitialValue: Bool = true
        ) -> PersistentKeyValuePublisher<Self> {
            PersistentKeyValuePublisher(self, store: store, emitsInitialValue: emitsInitialValue)
        }

        /// Returns a publisher of the value after every change.
        public func changesPublisher(
            in store: any PersistentKeyValueStore
        ) -> PersistentKeyValuePublisher<Self> {
            publisher(in: store, emitsInitialValue: false)
        }
    }
#endif
