#if Macros
    extension PrefsExpansion {
        /// Returns the concatenation of several lists.
        public static func joined(_ lists: [[PrefsKeyDescription]]) -> [PrefsKeyDescription] {
            lists.flatMap(\.self)
        }

        /// Returns the keys of a group below a path.
        public static func keys<Group: PrefsGroup>(of: Group.Type, under path: String)
            -> [PrefsKeyDescription]
        {
            Group.keys(under: path)
        }

        /// Returns no keys. Chosen for a type that is not a group, which the compiler reports elsewhere.
        @_disfavoredOverload
        public static func keys<Other>(of: Other.Type, under path: String) -> [PrefsKeyDescription] { [] }

        /// Does nothing; a call compiles only if the value is `Sendable`.
        public static func requireSendable<Value: Sendable>(_: Value) {}
    }

    extension PrefsDeclaring {
        /// Returns the keys as they are in a schema that holds this class below a path.
        ///
        /// For example, below the path `http`, the key `port` with the former name `listen` becomes `http.port`
        /// with the former name `http.listen`. The expansion of `@PrefGroup` uses this method.
        public static func keys(under path: String) -> [PrefsKeyDescription] {
            keys.map { key in
                var key = key
                key.name = "\(path).\(key.name)"
                key.path = key.path.isEmpty ? path : "\(path).\(key.path)"
                key.formerNames = key.formerNames.map { "\(path).\($0)" }
                return key
            }
        }
    }
#endif
