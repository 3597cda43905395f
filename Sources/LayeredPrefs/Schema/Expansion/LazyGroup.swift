#if Macros
    import PrefsSystem

    extension PrefsExpansion {
        /// The location of a group's values: the storage of the schema that holds it, and a path.
        public final class GroupLocation: Sendable {
            private let name: String
            private let current: Replaceable<SchemaStorageBinding.Location>

            init(_ name: String, in location: SchemaStorageBinding.Location) {
                self.name = name
                current = Replaceable(Self.location(name, in: location))
            }

            /// The storage of the schema that holds the group.
            public var storage: any PrefsStorage { current.value.storage }

            /// A Boolean value that indicates whether the schema that holds the group caches values until its
            /// storage reports a change.
            public var cachesValues: Bool { current.value.cachesValues }

            /// The dotted path of the group.
            public var path: String { current.value.path }

            /// Registers a callback that is called after the storage was replaced.
            public func whenReplaced(_ body: Callback) { current.whenReplaced(body) }

            /// Adopts the location of the schema that holds the group, and calls the callback if it
            /// differs.
            func move(to location: SchemaStorageBinding.Location) {
                let location = Self.location(name, in: location)
                let present = current.value
                guard present.storage !== location.storage || present.cachesValues != location.cachesValues
                else {
                    return
                }
                current.replace(with: location, isElsewhere: true)
            }

            private static func location(_ name: String, in outer: SchemaStorageBinding.Location)
                -> SchemaStorageBinding.Location
            {
                var location = outer
                location.path = outer.path.isEmpty ? name : "\(outer.path).\(name)"
                return location
            }
        }

        /// A group of a schema, which is created when it is first used.
        public final class LazyGroup<Group: PrefsGroup & Sendable>: Sendable {
            private let name: String
            private let group = Lock<Group?>(nil)

            /// Creates the holder of a group with this key.
            public init(_ name: String) { self.name = name }

            /// Returns the group, and creates it on first use.
            ///
            /// - Parameters:
            ///   - state: The state of the schema that holds the group.
            ///   - bind: Binds `state` to the schema's storage.
            ///   - make: Creates the group. It is called outside the mutex. If two threads use the group for the
            ///     first time simultaneously, it may be called twice; both threads then get the same group.
            public func value(
                in state: borrowing SchemaState, bind: () -> Void, make: (GroupLocation) -> Group
            ) -> Group {
                if let group = group.withLock({ $0 }) { return group }
                // `bind` comes from the expansion and binds the state to the schema's storage before it returns.
                guard let location = state.location(bind) else {
                    preconditionFailure("a schema without storage")
                }
                let groupLocation = GroupLocation(name, in: location)
                let made = make(groupLocation)
                let kept = group.withLock { group in
                    if group == nil { group = made }
                    return group ?? made
                }
                if kept === made { state.binding.add(groupLocation) }
                return kept
            }
        }
    }
#endif
