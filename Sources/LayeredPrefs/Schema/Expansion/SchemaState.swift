#if Macros
    public import Synchronization

    extension PrefsExpansion {
        /// The state of a schema instance: the storage that it is bound to, and the generation of its valid
        /// caches.
        ///
        /// A nonisolated schema shows its storage's contents immediately and notifies observers afterwards. A
        /// schema that is isolated to an actor shows the last state that it adopted. It adopts the next state on
        /// that actor, between notifying `willSet` and `didSet`.
        public struct SchemaState: ~Copyable, Sendable {
            /// The address of the change source whose generation validates the caches, or 0 if nothing may be
            /// cached. ``SchemaStorageBinding`` keeps every source that was ever stored here alive.
            @usableFromInline let clock = Atomic<UInt>(0)
            let binding = SchemaStorageBinding()

            /// Creates the state of a schema that is not bound to a storage yet.
            public init() {}

            /// The generation that a cached value must have to be valid.
            ///
            /// It is greater than any generation if nothing may be cached.
            @inlinable public var generation: UInt64 {
                guard let address = unsafe UnsafeRawPointer(bitPattern: clock.load(ordering: .acquiring))
                else {
                    return .max
                }
                // Releasing the schema, if this is its last use, would release the source.
                return withExtendedLifetime(self) {
                    unsafe Unmanaged<PrefsChangeSource>.fromOpaque(address)
                        ._withUnsafeGuaranteedRef { $0.generation }
                }
            }
        }
    }

    extension PrefsExpansion.SchemaState {
        /// Binds the schema to a storage, instead of the previous one if there is one.
        ///
        /// If another thread replaces the storage meanwhile, the schema is bound to that thread's storage.
        ///
        /// - Parameters:
        ///   - storage: The storage to show.
        ///   - cachesValues: Whether a decoded value may be cached until the storage reports a change, however
        ///     the storage detects changes.
        ///   - path: The dotted path that precedes every key's name; empty except in a group.
        ///   - keys: The keys to declare to a stack. A group passes none, because its schema's keys include the
        ///     group's.
        ///   - notifyObservers: A callback that calls ``notifyObservers(_:of:by:)``.
        public borrowing func bind(
            to storage: @autoclosure () -> any PrefsStorage,
            cachesValues: @autoclosure () -> Bool = true,
            under path: String = "",
            declaring keys: [PrefsKeyDescription] = [],
            notifyObservers: PrefsExpansion.Callback
        ) {
            let wasBound = binding.location != nil
            let number = binding.beginBinding()
            let location = SchemaStorageBinding.Location(
                storage: storage(), cachesValues: cachesValues(), path: path)
            let isNewest = binding.bind(number, to: location, notifyObservers: notifyObservers) { source in
                let address = source.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
                clock.store(address ?? 0, ordering: .releasing)
            }
            guard isNewest else { return }
            location.declare(keys)
            if wasBound { notifyObservers.call() }
        }

        /// Notifies the observers of each property whose value differs from the value that they were last
        /// notified of.
        public borrowing func notifyObservers<Schema: Observable>(
            _ properties: [PrefsExpansion.AnyProperty<Schema>],
            of schema: Schema,
            by registrar: ObservationRegistrar
        ) {
            guard let next = binding.nextState() else { return }
            defer { binding.end(next) }
            let (location, old, new) = (next.location, next.old, next.new)
            // Indices instead of elements, because arrays of a generic class go through unspecialised code.
            let touched = touched(properties, from: old, to: new, in: location)
            let changed = touched.filter { properties[$0].differs(between: old, and: new, in: location) }
            let reads = binding.snapshotReads?.changes(from: old, to: new) ?? []
            for index in changed { properties[index].willChange(in: schema, registrar) }
            for read in reads { read.willChange() }
            binding.adopt(new)
            for index in changed { properties[index].didChange(in: schema, registrar) }
            for read in reads { read.didChange() }
        }

        /// Returns the indices of the properties whose value may have changed: all of them if the storage does
        /// not know what changed.
        private borrowing func touched<Schema: Observable>(
            _ properties: [PrefsExpansion.AnyProperty<Schema>],
            from old: PrefsSnapshot,
            to new: PrefsSnapshot,
            in location: SchemaStorageBinding.Location
        ) -> [Int] {
            guard let changes = new.knownChanges(since: old) else { return Array(properties.indices) }
            if changes.isEmpty { return [] }
            let byPath = binding.properties { properties.map { $0.paths(under: location.path) } }
            return byPath.elements(touchedBy: changes)
        }

        /// Writes a property. A value that cannot be written is reported as a diagnostic and changes nothing.
        public borrowing func write<Schema, Value>(
            _ value: Value,
            to property: PrefsExpansion.Property<Schema, Value>,
            of schema: Schema,
            by registrar: ObservationRegistrar,
            bind: () -> Void
        ) {
            store(property, of: schema, by: registrar, bind: bind) { property.write(value, in: $0) }
        }

        /// Writes the difference that a change in place has made to a property, or nothing if the value has not
        /// changed.
        ///
        /// - Parameters:
        ///   - before: The value before the access.
        ///   - after: The value after the access, even if the code that changes the value has thrown an error.
        public borrowing func change<Schema, Value>(
            from before: Value,
            to after: Value,
            of property: PrefsExpansion.Property<Schema, Value>,
            in schema: Schema,
            by registrar: ObservationRegistrar,
            bind: () -> Void
        ) {
            if property.isEqual(before, after) { return }
            store(property, of: schema, by: registrar, bind: bind) {
                property.change(from: before, to: after, in: $0)
            }
        }

        private borrowing func store<Schema, Value>(
            _ property: PrefsExpansion.Property<Schema, Value>,
            of schema: Schema,
            by registrar: ObservationRegistrar,
            bind: () -> Void,
            _ write: (SchemaStorageBinding.Location) -> Void
        ) {
            guard let location = location(bind) else { return }
            let before = binding.isNotified ? nil : property.read(from: binding, in: location)
            write(location)
            binding.notifyIfIsolated()
            // A storage that does not report its changes cannot notify of this one, so observers are notified
            // here.
            if let before, !property.isEqual(before, property.read(from: binding, in: location)) {
                property.willChange(in: schema, registrar)
                property.didChange(in: schema, registrar)
            }
        }

        /// Returns the object that registers reads of the schema's snapshots for observation.
        ///
        /// The schema is bound first, so that it is notified of changes.
        public borrowing func snapshotReads(
            of keys: @autoclosure () -> [PrefsKeyDescription], bind: () -> Void
        ) -> PrefsExpansion.SnapshotReads? {
            if let reads = binding.snapshotReads { return reads }
            _ = location(bind)
            return binding.keepSnapshotReads(PrefsExpansion.SnapshotReads(of: keys()))
        }

        /// Returns a property's current value, and the generation that it may be cached for; `nil` if it may not
        /// be cached.
        borrowing func read<Schema, Value>(
            _ property: PrefsExpansion.Property<Schema, Value>, bind: () -> Void
        ) -> (value: Value, generation: UInt64?) {
            // Read the generation before the contents: contents newer than their generation are merely read once
            // more, whereas older contents would stay cached.
            _ = location(bind)
            guard let (location, generation) = binding.location({ generation }) else {
                return (property.defaultValue, nil)
            }
            let value = property.read(from: binding, in: location)
            return (value, generation == .max ? nil : generation)
        }

        /// Returns the storage of the schema, and binds the schema to it first if necessary.
        package borrowing func storage(_ bind: () -> Void) -> (any PrefsStorage)? { location(bind)?.storage }

        borrowing func location(_ bind: () -> Void) -> SchemaStorageBinding.Location? {
            if let location = binding.location { return location }
            bind()
            return binding.location
        }
    }
#endif
