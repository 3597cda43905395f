import PrefsDocuments
import PrefsSystem

extension PrefsExpansion {
    /// A type-erased preference of a schema class.
    ///
    /// Sendable: it has no state of its own, and only ``Property`` inherits from it, because the initializer
    /// is internal.
    open class AnyProperty<Schema: Observable>: @unchecked Sendable {
        init() {}

        /// Indicates whether the property's value differs between two states of a storage; rejected values
        /// are reported.
        func differs(between old: PrefsSnapshot, and new: PrefsSnapshot, in place: Binding.Place) -> Bool {
            false
        }

        /// Returns the paths at which the property's value may be stored, below the group's path in a group.
        func paths(under group: String) -> [PrefsPath] { [] }

        func willChange(in schema: Schema, _ registrar: ObservationRegistrar) {}
        func didChange(in schema: Schema, _ registrar: ObservationRegistrar) {}

        /// The description of the property's key, as `keys` lists it.
        // Never called: every property is a `Property`, which overrides it.
        public var description: PrefsKeyDescription { preconditionFailure("a property without a key") }
    }

    /// A preference of a schema class: its declaration, and the key path by which it is observed.
    ///
    /// Sendable: all stored properties are immutable or protected by a mutex. The key path refers to a
    /// property, so it captures no arguments; it is compared and hashed, but never used to access a value.
    public final class Property<Schema: Observable, Value: Sendable, Member>: AnyProperty<Schema>,
        @unchecked Sendable
    {
        /// The key path of the property, or of its stand-in if the property is isolated to an actor.
        public let path: KeyPath<Schema, Member>
        private let declaration: Declaration<Value>
        private let key: PlacedKey<Value>
        /// The keys of the same property in groups, by the groups' paths.
        private let groupKeys = Lock<[String: PlacedKey<Value>]>([:])

        /// Creates a property.
        ///
        /// - Parameters:
        ///   - path: The key path by which the property is observed.
        ///   - declaration: The name, type, default and coding.
        ///   - body: Sets the remaining options of the declaration.
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

        /// Returns the typed key, below the group's path in a group.
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

        /// The description of the property's key, as `keys` lists it.
        public override var description: PrefsKeyDescription { declaration.description }
    }
}
