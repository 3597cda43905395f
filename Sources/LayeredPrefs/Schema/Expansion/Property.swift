#if Macros
    import PrefsDocuments
    import PrefsSystem

    extension PrefsExpansion {
        /// A preference of a schema class, regardless of its type.
        ///
        /// Sendable: it has no state of its own, and only ``KeyProperty`` is ever created, because the
        /// initializers are internal.
        open class AnyProperty<Schema: Observable>: @unchecked Sendable {
            init() {}

            /// The description of the property's key, as `keys` lists it.
            public var description: PrefsKeyDescription { neverCalled() }

            /// Returns true if the property's value differs between two states of a storage. Rejected values are
            /// reported.
            func differs(
                between old: PrefsSnapshot, and new: PrefsSnapshot, in location: SchemaStorageBinding.Location
            ) -> Bool { neverCalled() }

            /// Returns the paths where the property's value may be stored. In a group, they begin with the group's
            /// path.
            func paths(under group: String) -> [PrefsPath] { neverCalled() }

            func willChange(in schema: Schema, _ registrar: ObservationRegistrar) { neverCalled() }
            func didChange(in schema: Schema, _ registrar: ObservationRegistrar) { neverCalled() }
        }

        /// A preference of a schema class, as its accessors use it.
        ///
        /// `Value` has no constraint. So a type that cannot be stored causes one compiler error, at the creation
        /// of the key, instead of one at each mention.
        ///
        /// Sendable: it has no state of its own, and only ``KeyProperty`` is ever created.
        open class Property<Schema: Observable, Value>: AnyProperty<Schema>, @unchecked Sendable {
            /// The value if there is no storage.
            var defaultValue: Value { neverCalled() }

            /// Reads the value that a schema currently shows. Rejected values are reported.
            func read(from binding: SchemaStorageBinding, in location: SchemaStorageBinding.Location) -> Value
            {
                neverCalled()
            }

            /// Writes the value. A failure is reported as a diagnostic and changes nothing.
            func write(_ value: Value, in location: SchemaStorageBinding.Location) { neverCalled() }

            /// Writes the difference that a change in place has made. A failure is reported as a diagnostic and
            /// changes nothing.
            func change(from before: Value, to after: Value, in location: SchemaStorageBinding.Location) {
                neverCalled()
            }

            /// Returns the property's key. In a group, its name begins with the group's path.
            func typedKey(under group: String) -> any Sendable { neverCalled() }

            /// Returns true if two values have the same stored form. Values without a stored form must be
            /// `Equatable` and equal.
            func isEqual(_ old: Value, _ new: Value) -> Bool { neverCalled() }
        }

        /// Creates a property.
        ///
        /// - Parameters:
        ///   - path: The key path that observation uses: the property's own key path or, if the property is
        ///     isolated to an actor, its stand-in's.
        ///   - key: The name, type, default and coding.
        ///   - body: Sets the remaining options.
        public static func property<Schema: Observable, Value: Sendable, Member>(
            _ path: KeyPath<Schema, Member>,
            _ key: PersistentKey<Value>,
            _ body: (inout PropertyOptions<Value>) -> Void
        ) -> Property<Schema, Value> {
            var options = PropertyOptions<Value>(key.coding, merge: key.traits.merge)
            body(&options)
            return KeyProperty(path, key, options)
        }

        /// Prevents a second error for a type that cannot be stored.
        ///
        /// This function is never called, because no ``UnsuitableKey`` can be created.
        public static func property<Schema: Observable, Value, Member>(
            _ path: KeyPath<Schema, Member>,
            _ key: UnsuitableKey<Value>,
            _ body: (inout PropertyOptions<Never>) -> Void
        ) -> Property<Schema, Value> {
        }
    }

    /// A requirement of the abstract classes above. It is never called: only ``KeyProperty`` is ever created, and
    /// it overrides all of them.
    private func neverCalled(_ name: StaticString = #function) -> Never {
        preconditionFailure("\(name) must be overridden")
    }

    /// A preference of a schema class with its key.
    ///
    /// Sendable: all stored properties are immutable or protected by a mutex. The key path refers to a property,
    /// so it captures no arguments; it is compared and hashed, but never used to access a value.
    private final class KeyProperty<Schema: Observable, Value: Sendable, Member>:
        PrefsExpansion.Property<Schema, Value>, @unchecked Sendable
    {
        typealias Location = SchemaStorageBinding.Location

        private let path: KeyPath<Schema, Member>
        private let key: SchemaKey<Value>
        private let options: PrefsExpansion.PropertyOptions<Value>
        /// The keys of the same property in groups, by the groups' paths.
        private let groupKeys = Lock<[String: SchemaKey<Value>]>([:])

        init(
            _ path: KeyPath<Schema, Member>, _ key: PersistentKey<Value>,
            _ options: PrefsExpansion.PropertyOptions<Value>
        ) {
            self.path = path
            var key = key
            key.replaceTraits(options.traits)
            self.key = SchemaKey(key)
            self.options = options
            super.init()
        }

        /// Returns the key. In a group, its name begins with the group's path.
        private func key(under group: String) -> SchemaKey<Value> {
            if group.isEmpty { return key }
            return groupKeys.withLock { keys in
                if let key = keys[group] { return key }
                let key = SchemaKey(key.typed.placed(under: group))
                keys[group] = key
                return key
            }
        }

        override var description: PrefsKeyDescription {
            PrefsKeyDescription(key.typed, swiftType: options.swiftType)
        }

        override var defaultValue: Value { key.typed.defaultValue }

        override func typedKey(under group: String) -> any Sendable { key(under: group).typed }

        override func read(from binding: SchemaStorageBinding, in location: Location) -> Value {
            let key = key(under: location.path).typed
            let answer = key.resolve(candidates: binding.candidates(for: key))
            if !answer.rejections.isEmpty { location.storage._noteRejection(of: key) }
            return answer.value
        }

        override func write(_ value: Value, in location: Location) {
            let key = key(under: location.path)
            location.storage.reporting(key: key.name.name) { try location.storage.set(key.typed, to: value) }
        }

        override func change(from before: Value, to after: Value, in location: Location) {
            let key = key(under: location.path)
            location.storage.reporting(key: key.name.name) {
                try location.storage.change(key.typed, from: before, to: after)
            }
        }

        override func isEqual(_ old: Value, _ new: Value) -> Bool { key.isEqual(old, new) }

        override func differs(
            between old: PrefsSnapshot, and new: PrefsSnapshot, in location: Location
        ) -> Bool {
            key(under: location.path).differs(between: old, and: new, in: location.storage)
        }

        override func paths(under group: String) -> [PrefsPath] { key(under: group).paths }

        override func willChange(in schema: Schema, _ registrar: ObservationRegistrar) {
            registrar.willSet(schema, keyPath: path)
        }

        override func didChange(in schema: Schema, _ registrar: ObservationRegistrar) {
            registrar.didSet(schema, keyPath: path)
        }
    }
#endif
