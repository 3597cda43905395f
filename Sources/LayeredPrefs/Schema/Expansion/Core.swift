public import Synchronization

extension PrefsExpansion {
    /// What every schema instance has: the storage it is bound to, and the generation its cells hold for.
    ///
    /// A schema isolated to no actor shows its storage's contents at once, and tells observers after. One
    /// isolated to an actor shows the state it last took over, and takes over the next one on that actor,
    /// between telling `willSet` and `didSet`.
    public struct Core: ~Copyable, Sendable {
        /// The address of the change source whose generation the cells hold for, or 0 where nothing is kept.
        /// ``Binding`` keeps every source alive that was ever put here.
        @usableFromInline let clock = Atomic<UInt>(0)
        let binding = Binding()

        public init() {}

        /// The generation that a kept value must have to be shown; larger than any where nothing is kept.
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
    /// Begins to show a storage, or shows another one from now on.
    ///
    /// - Parameters:
    ///   - path: The dotted path before every key's name; empty but in a group.
    ///   - keys: What to declare to a stack; the keys of a group are among those of its schema.
    ///   - tell: Calls ``tell(_:of:by:)``.
    public borrowing func bind(
        to storage: some PrefsStorage,
        mode: PrefsStorageMode,
        under path: String = "",
        declaring keys: [PrefsKeyDescription] = [],
        tell: PrefsExpansion.Callback
    ) {
        let place = Binding.Place(storage: storage, mode: mode, path: path)
        let wasBound = binding.place != nil
        let source = binding.bind(to: place, tell: tell)
        let address = source.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        clock.store(address ?? 0, ordering: .releasing)
        place.declare(keys)
        if wasBound { tell.call() }
    }

    /// Tells the observers of those properties that read differently than when last told.
    public borrowing func tell<Schema: Observable>(
        _ properties: [PrefsExpansion.AnyProperty<Schema>],
        of schema: Schema,
        by registrar: ObservationRegistrar
    ) {
        guard let (place, old, new) = binding.nextState() else { return }
        // Places in the list, because arrays of a generic class go through unspecialised code.
        let touched = touched(properties, from: old, to: new, in: place)
        let changed = touched.filter { properties[$0].differs(between: old, and: new, in: place) }
        for index in changed { properties[index].willChange(in: schema, registrar) }
        binding.takeOver(new)
        for index in changed { properties[index].didChange(in: schema, registrar) }
    }

    /// The properties that may read differently: all of them, where the storage does not know what changed.
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

    /// Writes a property; what cannot be written is reported and changes nothing.
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
        do {
            try place.storage.write(value, for: key.typed)
        } catch {
            place.storage.report(PrefsFailure.error(error, key: key.name.name))
        }
        binding.tellIfIsolated()
        // A storage that cannot say that it changed is told for here.
        if let before, property.differs(between: before, and: place.storage.snapshot, in: place) {
            property.willChange(in: schema, registrar)
            property.didChange(in: schema, registrar)
        }
    }

    /// What a property is now, and the generation it may be kept for, if it may.
    borrowing func read<Schema, Value, Member>(
        _ property: PrefsExpansion.Property<Schema, Value, Member>, bind: () -> Void
    ) -> (value: Value, generation: UInt64?) {
        guard let place = place(bind) else { return (property.key(under: "").typed.defaultValue, nil) }
        // The number first: contents that are newer than their number are only read once more.
        let generation = generation
        let key = property.key(under: place.path)
        let answer = key.typed.resolve(candidates: binding.candidates(for: key.typed))
        if !answer.rejections.isEmpty { place.storage.noteRefusal(of: key.typed) }
        return (answer.value, generation == .max ? nil : generation)
    }

    borrowing func place(_ bind: () -> Void) -> Binding.Place? {
        if let place = binding.place { return place }
        bind()
        return binding.place
    }
}
