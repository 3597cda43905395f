#if OpenCombine
    public import LayeredPrefs

    extension PrefsStorage {
        /// Returns a publisher of a key's current value and of the value after every change.
        public func publisher<Value>(
            for key: PersistentKey<Value>,
            bufferingPolicy: PersistentKeyValuePublisher<Value>.BufferingPolicy = .bufferingNewest(1)
        ) -> PersistentKeyValuePublisher<Value> {
            PersistentKeyValuePublisher(key, store: self, bufferingPolicy: bufferingPolicy)
        }

        /// Returns a publisher of a key's value after every change.
        public func changesPublisher<Value>(
            for key: PersistentKey<Value>,
            bufferingPolicy: PersistentKeyValuePublisher<Value>.BufferingPolicy = .bufferingNewest(1)
        ) -> PersistentKeyValuePublisher<Value> {
            PersistentKeyValuePublisher(
                key, store: self, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
        }
    }

    extension PersistentKey {
        /// Returns a publisher of the current value and of the value after every change.
        public func publisher(in store: any PrefsStorage) -> PersistentKeyValuePublisher<Value> {
            PersistentKeyValuePublisher(self, store: store)
        }

        /// Returns a publisher of the value after every change.
        public func changesPublisher(
            in store: any PrefsStorage
        ) -> PersistentKeyValuePublisher<Value> {
            PersistentKeyValuePublisher(self, store: store, emitsInitialValue: false)
        }
    }

    extension PersistentKeyValues {
        /// A publisher of the same values. Use it to apply operators: `settings.$volume.publisher.map { … }`.
        public var publisher: PersistentKeyValuePublisher<Value> { PersistentKeyValuePublisher(self) }
    }
#endif
