#if OpenCombine
    public import LayeredPrefs

    extension PersistentKeyValueStore {
        /// A key's value now and after every change, as a publisher.
        public func publisher<Key: PersistentKeyProtocol>(
            for key: Key,
            bufferingPolicy: PersistentKeyValuePublisher<Key>.BufferingPolicy = .bufferingNewest(1)
        ) -> PersistentKeyValuePublisher<Key> {
            PersistentKeyValuePublisher(key, store: self, bufferingPolicy: bufferingPolicy)
        }

        /// A key's value after every change, as a publisher.
        public func changesPublisher<Key: PersistentKeyProtocol>(
            for key: Key,
            bufferingPolicy: PersistentKeyValuePublisher<Key>.BufferingPolicy = .bufferingNewest(1)
        ) -> PersistentKeyValuePublisher<Key> {
            PersistentKeyValuePublisher(
                key, store: self, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
        }
    }

    extension PersistentKeyProtocol {
        /// The value now and after every change, as a publisher.
        public func publisher(in store: any PersistentKeyValueStore) -> PersistentKeyValuePublisher<Self> {
            PersistentKeyValuePublisher(self, store: store)
        }

        /// The value after every change, as a publisher.
        public func changesPublisher(
            in store: any PersistentKeyValueStore
        ) -> PersistentKeyValuePublisher<Self> {
            PersistentKeyValuePublisher(self, store: store, emitsInitialValue: false)
        }
    }

    extension PersistentKeyValues {
        /// The same values as a publisher, for its operators: `settings.$volume.publisher.map { … }`.
        public var publisher: PersistentKeyValuePublisher<Key> { PersistentKeyValuePublisher(self) }
    }
#endif
