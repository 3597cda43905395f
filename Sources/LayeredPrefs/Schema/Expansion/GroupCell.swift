import PrefsSystem

extension PrefsExpansion {
    /// Where a group's values are: the storage and mode of the schema that holds it, and a path.
    public final class GroupPlace: Sendable {
        private let name: String
        private let current: Replaceable<Binding.Place>

        init(_ name: String, in place: Binding.Place) {
            self.name = name
            current = Replaceable(Self.place(name, in: place))
        }

        /// The storage of the schema that holds the group.
        public var storage: any PrefsStorage { current.value.storage }

        /// The mode of the schema that holds the group.
        public var storageMode: PrefsStorageMode { current.value.mode }

        /// The dotted path of the group.
        public var path: String { current.value.path }

        /// Has `body` called after the storage or mode was exchanged.
        public func whenReplaced(_ body: Callback) { current.whenReplaced(body) }

        /// Follows the schema that holds the group.
        func move(to place: Binding.Place) {
            let place = Self.place(name, in: place)
            let present = current.value
            guard present.storage !== place.storage || present.mode != place.mode else { return }
            current.replace(with: place, isElsewhere: true)
        }

        private static func place(_ name: String, in outer: Binding.Place) -> Binding.Place {
            var place = outer
            place.path = outer.path.isEmpty ? name : "\(outer.path).\(name)"
            return place
        }
    }

    /// Holds a group of a schema, made when it is first used.
    public final class GroupCell<Group: PrefsGroup & Sendable>: Sendable {
        private let name: String
        private let group = Lock<Group?>(nil)

        public init(_ name: String) { self.name = name }

        /// The group.
        ///
        /// - Parameter make: Creates it in its place; called outside the lock, and once more where two threads
        ///   are first at the same time, whose groups then share everything but identity.
        public func value(
            in core: borrowing Core, bind: () -> Void, make: (GroupPlace) -> Group
        ) -> Group {
            if let group = group.withLock({ $0 }) { return group }
            // `bind` is the expansion's, which binds the core to the schema's storage before it returns.
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
