#if Macros
    extension PrefsExpansion {
        /// The preferences of a class with `@PrefsSchema` or `@PrefsGroup` by the names of their properties.
        public protocol PropertyKeys: Sendable {
            /// Every preference that the class declares, as listed in ``PrefsDeclaring/keys``.
            static var all: [PrefsKeyDescription] { get }

            /// Creates the list; all lists of a class are alike.
            init()
        }

        /// The preferences of a class that a macro has not expanded. None of them can be named.
        public struct NoPropertyKeys: PropertyKeys {
            public static var all: [PrefsKeyDescription] { [] }

            public init() {}
        }

        /// The keys of a group within a schema or another group.
        public struct GroupKeys<Group: PrefsGroup>: Sendable {
            let name: String
        }

        /// Returns the keys of a group below a path.
        public static func groupKeys<Group: PrefsGroup>(of: Group.Type, under path: String) -> GroupKeys<
            Group
        > {
            GroupKeys(name: path)
        }

        /// Returns no keys. Chosen for a type that is not a group, which the compiler reports elsewhere.
        @_disfavoredOverload
        public static func groupKeys<Other>(of: Other.Type, under path: String) -> NoPropertyKeys {
            NoPropertyKeys()
        }
    }
#endif
