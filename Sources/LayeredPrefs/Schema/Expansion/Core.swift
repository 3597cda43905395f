public import Synchronization

extension PrefsExpansion {
    /// The state of a schema instance: the storage it is bound to, and the generation for which its cells are
    /// valid.
    ///
    /// A nonisolated schema shows its storage's contents immediately and notifies observers afterwards. A
    /// schema isolated to an actor shows the last state it adopted, and adopts the next one on that actor,
    /// between notifying `willSet` and `didSet`.
    public struct Core: ~Copyable, Sendable {
        /// The address of the change source whose generation validates the cells, or 0 if nothing may be
        /// cached. ``Binding`` keeps every source that was ever stored here alive.
        @usableFromInline let clock = Atomic<UInt>(0)
        let binding = Binding()

        /// Creates the state of a schema that is not bound to a storage yet.
        public init() {}

        /// The generation a cached value must have to be valid; greater than any generation if nothing may be
        /// cached.
        @inlinable public var generation: UInt64 {
            guard let address = unsafe UnsafeRawPointer(bitPattern: clock.load(ordering: .acquiring)) else {
                return .max
            }
            return unsafe Unmanaged<PrefsChangeSource>.fromOpaque(address)
                ._withUnsafeGuaranteedRef { $0.generation }
        }
    }
}

extension PrefsExpansion.Core {
    /// Binds the schema to a storage, replacing the previous one if there is one.
    ///
    /// - Parameters:
    ///   - storage: The storage to show.
    ///   - mode: The schema's storage mode.
    ///   - path: The dotted path that precedes every key's name; empty except in a group.
    ///   - keys: The keys to declare to a stack. A group passes none: its schema's keys include the group's.
    ///   - notifyObservers: A callback that calls ``notifyObservers(_:of:by:)``.
    public borrowing func bind(
        to storage: some PrefsStorage,
        mode: PrefsStorageMode,
        under path: String = "",
        declaring keys: [PrefsKeyDescription] = [],
        notifyObservers: PrefsExpansion.Callback
    ) {
        let place = Binding.Place(storage: storage, mode: mode, path: path)
        let wasBound = binding.place != nil
        let source = binding.bind(to: place, notifyObservers: notifyObservers)
        let address = source.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        clock.store(address ?? 0, ordering: .releasing)
        place.declare(keys)
        if wasBound { notifyObservers.call() }
    }

    /// Notifies the observers of the properties whose value differs from the one they were last notified of.
    public borrowing func notifyObservers<Schema: Observable>(
        _ properties: [PrefsExpansion.AnyProperty<Schema>],
        of schema: Schema,
        by registrar: ObservationRegistrar
    ) {
        guard let (place, old, new) = binding.nextState() else { return }
        // Indices instead of elements, because arrays of a generic class go through unspecialised code.
        let touched = touched(properties, from: old, to: new, in: place)
        let changed = touched.filter { properties[$0].differs(between: old, and: new, in: place) }
        for index in changed { properties[index].willChange(in: schema, registrar) }
        binding.takeOver(new)
        for index in changed { properties[index].didChange(in: schema, registrar) }
    }

    /// Returns the indices of the properties whose value may have changed: all of them if the storage does
    /// not know what changed.
    private borrowing func touched<Schema: Observable>(
        _ properties: [PrefsExpansion.AnyProperty<Schema>],
        from old: PrefsSnapshot,
        to new: PrefsSnapshot,
        in place: Binding.Place
    ) -> [Int] {
        guard let changes = new.knownChanges(since: old) else { return Array(properties.indices) }
        if changes.isEmpty { return [] }
        let paths = binding.paths { properties.map { $0.paths(under: place.path) } }
        return paths.touched(by: changes)
    }

    /// Writes a property. A value that cannot be written is reported as a diagnostic and changes nothing.
    public borrowing func write<Schema, Value, Member>(
        _ value: Value,
        to property: PrefsExpansion.Property<Schema, Value, Member>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        guard let place = place(bind) else { return }
        let before = place.storage.changeSource == nil ? place.storage.snapshot : nil
        let key = property.key(under: place.path)
        place.storage.reporting(key: key.name.name) { try place.storage.set(key.typed, to: value) }
        binding.notifyIfIsolated()
        // A storage without a change source cannot notify of the change, so observers are notified here.
        if let before, property.differs(between: before, and: place.storage.snapshot, in: place) {
            property.willChange(in: schema, registrar)
            property.didChange(in: schema, registrar)
        }
    }

    /// Returns a property's current value and the generation for which it may be cached, or `nil` if it may
    /// not be cached.
    borrowing func read<Schema, Value, Member>(
        _ property: PrefsExpansion.Property<Schema, Value, Member>, bind: () -> Void
    ) -> (value: Value, generation: UInt64?) {
        guard let place = place(bind) else { return (property.key(under: "").typed.defaultValue, nil) }
        // Read the generation before the contents: contents newer than their generation are merely read once
        // more, whereas older contents would stay cached.
        let generation = generation
        let key = property.key(under: place.path)
        let answer = key.typed.resolve(candidates: binding.candidates(for: key.typed))
        if !answer.rejections.isEmpty { place.storage._noteRejection(of: key.typed) }
        return (answer.value, generation == .max ? nil : generation)
    }

    borrowing func place(_ bind: () -> Void) -> Binding.Place? {
        if let place = binding.place { return place }
        bind()
        return binding.place
    }
}
