#if Macros
    extension PrefsSchema {
        /// A property of the schema, such as `\.http.port`, for ``key(_:)-method``.
        public typealias KeyPathOf<Value: Sendable> = KeyPath<
            PrefsExpansion.KeyScope<PropertyKeys>, PersistentKey<Value>
        >

        /// Returns the key of a property, with all of its options.
        ///
        /// Use it for anything that a storage does with keys:
        ///
        /// ```swift
        /// let prefs = Prefs()
        /// prefs.storage.lock(prefs.key(\.http.port).id, at: "system")
        /// ```
        ///
        /// - Parameter property: The property, whether it is in a group or not: `\.http.port`.
        public func key<Value>(_ property: KeyPathOf<Value>) -> PersistentKey<Value> { Self.key(property) }

        /// Returns the key of a property, with all of its options.
        public static func key<Value>(_ property: KeyPathOf<Value>) -> PersistentKey<Value> {
            PrefsExpansion.KeyScope<PropertyKeys>(path: "")[keyPath: property]
        }

        /// Calls a closure with every change of a property's effective value, as ``PrefsStorage/observe(_:_:)``
        /// does.
        ///
        /// ```swift
        /// let observation = prefs.observe(\.http.port) { change in print(change.new.value) }
        /// ```
        ///
        /// - Returns: The observation, which keeps the registration alive.
        public func observe<Value>(
            _ property: KeyPathOf<Value>, _ body: @escaping @Sendable (PrefsChange<Value>) -> Void
        ) -> PrefsObservation {
            storage.observe(key(property), body)
        }

        /// Returns a sequence of a property's current value and its value after every change.
        public func values<Value>(for property: KeyPathOf<Value>) -> PersistentKeyValues<Value> {
            storage.values(for: key(property))
        }

        /// Changes a property's value without losing a change by another process.
        ///
        /// The method reads the value, calls a closure with it, and stores the result:
        ///
        /// ```swift
        /// try prefs.update(\.openCount) { $0 += 1 }
        /// ```
        ///
        /// See ``PrefsStorage/update(_:_:)``. If the schema is isolated to an actor, its property shows the new
        /// value when the actor has run.
        ///
        /// - Returns: The outcome. In a stack, a higher layer may shadow the value.
        /// - Throws: Any error that `change` throws, and ``PrefsError``. Nothing is changed then, unless the code
        ///   is `notDurable`.
        @discardableResult
        public func update<Value>(
            _ property: KeyPathOf<Value>, _ change: (inout Value) throws -> Void
        ) throws -> PrefsWriteOutcome {
            try storage.update(key(property), change)
        }

        /// The values of all properties at one moment, which later edits do not change.
        ///
        /// ```swift
        /// let now = prefs.snapshot
        /// listen(on: now.http.host, port: now.http.port)     // from the same edit
        /// ```
        ///
        /// Observation follows the values that you read from the snapshot. For example,
        /// `Observations { prefs.snapshot.http.port }` yields again when the port changes, and only then. Take
        /// the snapshot within the closure, because a snapshot that was taken outside keeps its values.
        public var snapshot: PrefsExpansion.SchemaSnapshot<PropertyKeys> {
            // Before the values, so that no change of them is missed.
            let reads = _$snapshotReads()
            return PrefsExpansion.SchemaSnapshot(
                values: storage.snapshot, scope: PrefsExpansion.KeyScope(path: ""), reads: reads)
        }
    }

    extension PrefsSchema where SchemaStorage == PrefsStack {
        /// Returns a property's effective value with its origin, lock and other candidates.
        public func resolution<Value>(for property: KeyPathOf<Value>) -> PrefsResolution<Value> {
            storage.resolution(for: key(property))
        }
    }

    extension PrefsExpansion {
        /// The keys of a schema, or of one of its groups, by the names of their properties.
        ///
        /// It is the root of the key paths that ``PrefsSchema/key(_:)-method`` takes.
        @dynamicMemberLookup
        public struct KeyScope<Properties: PropertyKeys>: Sendable {
            /// The dotted path of the group; empty for a schema.
            private let path: String
            private let properties = Properties()

            fileprivate init(path: String) { self.path = path }

            /// The key of a property.
            public subscript<Schema, Value: Sendable>(
                dynamicMember property: KeyPath<Properties, Property<Schema, Value>>
            ) -> PersistentKey<Value> {
                guard let key = properties[keyPath: property].typedKey(under: path) as? PersistentKey<Value>
                else {
                    // Not reached: only `KeyProperty` is ever created, which returns a key of its own `Value`.
                    preconditionFailure("a property's key has the property's type")
                }
                return key
            }

            /// The keys of a group.
            public subscript<Group>(
                dynamicMember group: KeyPath<Properties, GroupKeys<Group>>
            ) -> KeyScope<Group.PropertyKeys> {
                let name = properties[keyPath: group].name
                return KeyScope<Group.PropertyKeys>(path: path.isEmpty ? name : "\(path).\(name)")
            }
        }

        /// The values of a schema's properties at one moment, as ``PrefsSchema/snapshot`` returns them.
        @dynamicMemberLookup
        public struct SchemaSnapshot<Properties: PropertyKeys>: Sendable {
            // Private, so that no property of a schema has the name of another member.
            fileprivate let values: PrefsSnapshot
            fileprivate let scope: KeyScope<Properties>
            fileprivate let reads: SnapshotReads?

            /// The value of a property.
            public subscript<Schema, Value: Sendable>(
                dynamicMember property: KeyPath<Properties, Property<Schema, Value>>
            ) -> Value {
                let key = scope[dynamicMember: property]
                reads?.access(key.id)
                return values.get(key)
            }

            /// The values of a group.
            public subscript<Group>(
                dynamicMember group: KeyPath<Properties, GroupKeys<Group>>
            ) -> SchemaSnapshot<Group.PropertyKeys> {
                SchemaSnapshot<Group.PropertyKeys>(
                    values: values, scope: scope[dynamicMember: group], reads: reads)
            }
        }
    }
#endif
