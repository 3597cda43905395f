import PrefsSystem

extension PrefsExpansion {
    /// The location of a group's values: the storage of the schema that holds it, and a path.
    public final class GroupPlace: Sendable {
        private let name: String
        private let current: Replaceable<Binding.Place>

        init(_ name: String, in place: Binding.Place) {
            self.name = name
            current = Replaceable(Self.place(name, in: place))
        }

        /// The storage of the schema that holds the group.
        public var storage: any PrefsStorage { current.value.storage }

        /// True if the schema that holds the group caches values until its storage reports a change.
        public var cachesValues: Bool { current.value.cachesValues }

        /// The dotted path of the group.
        public var path: String { current.value.path }

        /// Registers a callback that is called after the storage was replaced.
        public func whenReplaced(_ body: Callback) { current.whenReplaced(body) }

        /// Adopts the place of the schema that holds the group, and calls the callback if it
        /// differs.
        func move(to place: Binding.Place) {
            let place = Self.place(name, in: place)
            let present = current.value
            guard present.storage !== place.storage || present.cachesValues != place.cachesValues else {
                return
            }
            current.replace(with: place, isElsewhere: true)
        }

        private static func place(_ name: String, in outer: Binding.Place) -> Binding.Place {
            var place = outer
            place.path = outer.path.isEmpty ? name : "\(outer.path).\(name)"
            return place
        }
    }

    /// Holds a group of a schema, which is created when it is first used.
    public final class GroupCell<Group: PrefsGroup & Sendable>: Sendable {
        private let name: String
        private let group = Lock<Group?>(nil)

        /// Creates the cell of a group with this key.
        public init(_ name: String) { self.name = name }

        /// Returns the group, creating it on first use.
        ///
        /// - Parameters:
        ///   - core: The state of the schema that holds the group.
        ///   - bind: Binds `core` to the schema's storage.
        ///   - make: Creates the group. It is called outside the mutex, so it may be called twice if two
        ///     threads use the group for the first time simultaneously; both then get the same group.
        public func value(
            in core: borrowing Core, bind: () -> Void, make: (GroupPlace) -> Group
        ) -> Group {
            if let group = group.withLock({ $0 }) { return group }
            // `bind` comes from the expansion and binds the core to the schema's storage before it returns.
            guard let place = core.place(bind) else { preconditionFailure("a schema without storage") }
            let groupPlace = GroupPlace(name, in: place)
            let made = make(groupPlace)
            let kept = group.withLock { group in
                if group == nil { group = made }
                return group ?? made
            }
            if kept === made { core.binding.add(groupPlace) }
            return kept
        }
    }
}
