import PrefsDocuments
import PrefsSystem

extension PrefsExpansion {
    /// One preference of a schema class, whatever its type.
    ///
    /// Sendable: it has no state of its own, and only ``Property`` inherits from it, the initializer being
    /// internal.
    open class AnyProperty<Schema: Observable>: @unchecked Sendable {
        init() {}

        /// Whether the property reads differently from two states of a storage; refused values are reported.
        func differs(between old: PrefsSnapshot, and new: PrefsSnapshot, in place: Binding.Place) -> Bool {
            false
        }

        /// Where the property's value may be, in a group under the group's path.
        func paths(under group: String) -> [PrefsPath] { [] }

        func willChange(in schema: Schema, _ registrar: ObservationRegistrar) {}
        func didChange(in schema: Schema, _ registrar: ObservationRegistrar) {}

        /// What `keys` says of it.
        // Never called: there is no property that is not a `Property`, which overrides it.
        public var description: PrefsKeyDescription { preconditionFailure("a property without a key") }
    }

    /// One preference of a schema class: what is declared of it, and the key path it is observed by.
    ///
    /// Sendable: all that is stored is immutable or behind a lock. The key path is that of a property, so it
    /// holds no arguments; it is compared and hashed, and never followed.
    public final class Property<Schema: Observable, Value: Sendable, Member>: AnyProperty<Schema>,
        @unchecked Sendable
    {
        /// The property's own, or where that is isolated to an actor, its stand-in's.
        public let path: KeyPath<Schema, Member>
        private let declaration: Declaration<Value>
        private let key: PlacedKey<Value>
        /// The keys of the same property in groups, by the groups' paths.
        private let groupKeys = Lock<[String: PlacedKey<Value>]>([:])

        /// - Parameter body: Says what is declared beside name, type, default and coding.
        public init(
            _ path: KeyPath<Schema, Member>,
            _ declaration: Declaration<Value>,
            _ body: (inout Declaration<Value>) -> Void = { _ in }
        ) {
            self.path = path
            var declaration = declaration
            body(&declaration)
            self.declaration = declaration
            key = PlacedKey(declaration.key(under: ""))
        }

        /// The typed key, in a group under the group's path.
        func key(under group: String) -> PlacedKey<Value> {
            if group.isEmpty { return key }
            return groupKeys.withLock { keys in
                if let key = keys[group] { return key }
                let key = PlacedKey(declaration.key(under: group))
                keys[group] = key
                return key
            }
        }

        override func differs(
            between old: PrefsSnapshot, and new: PrefsSnapshot, in place: Binding.Place
        ) -> Bool {
            let key = key(under: place.path)
            return key.plainlyDiffers(between: old, and: new)
                ?? key.typed.differs(between: old, and: new, in: place.storage)
        }

        override func paths(under group: String) -> [PrefsPath] { key(under: group).paths }

        override func willChange(in schema: Schema, _ registrar: ObservationRegistrar) {
            registrar.willSet(schema, keyPath: path)
        }

        override func didChange(in schema: Schema, _ registrar: ObservationRegistrar) {
            registrar.didSet(schema, keyPath: path)
        }

        public override var description: PrefsKeyDescription { declaration.description }
    }
}
