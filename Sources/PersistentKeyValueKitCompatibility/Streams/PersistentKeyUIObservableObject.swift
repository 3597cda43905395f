#if OpenCombine
    import LayeredPrefs
    public import OpenCombine
    import PrefsSystem

    /// An observable object that reads and writes a typed key in a store, for a user interface over OpenCombine.
    ///
    /// ```swift
    /// let volume = PersistentKeyUIObservableObject(.volume, store: .local)
    /// let cancellable = volume.objectWillChange.sink { view.setNeedsDisplay() }
    /// volume.value = 0.5
    /// ```
    ///
    /// An assignment is announced before it is stored. Any other change is announced on the main actor, soon after
    /// the new value can be read.
    @MainActor
    public final class PersistentKeyUIObservableObject<Key: PersistentKeyProtocol>: ObservableObject {
        /// The typed key.
        public let key: Key
        /// The store that holds the value.
        public let store: any PersistentKeyValueStore
        /// Announces changes of ``value``.
        public let objectWillChange = ObservableObjectPublisher()

        /// True while the object itself stores a value, which it has announced.
        private nonisolated let isStoring = Lock(false)
        private var observation: PrefsObservation?

        /// Creates an object for a key in a store.
        public init(_ key: Key, store: any PersistentKeyValueStore) {
            self.key = key
            self.store = store
            let follower = StoreFollower(key: key, store: AnyStore(store: store))
            observation = follower.follow(first: { _ in }) { [weak self] _ in
                guard let self, !isStoring.withLock({ $0 }) else { return }
                Task { @MainActor [weak self] in self?.objectWillChange.send() }
            }
        }

        /// The value in the store. Assigning stores a value; a failure is reported as a diagnostic.
        public var value: Key.Value {
            get { store.get(key) }
            set {
                objectWillChange.send()
                isStoring.withLock { $0 = true }
                store.set(key, to: newValue)
                isStoring.withLock { $0 = false }
            }
        }
    }
#endif
