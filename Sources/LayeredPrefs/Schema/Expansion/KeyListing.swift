extension PrefsExpansion {
    /// One list of many.
    public static func joined(_ lists: [[PrefsKeyDescription]]) -> [PrefsKeyDescription] {
        lists.flatMap(\.self)
    }

    /// The keys of a group under a path.
    public static func keys<Group: PrefsGroup>(of: Group.Type, under path: String) -> [PrefsKeyDescription] {
        Group.keys(under: path)
    }

    /// Chosen for what is no group, of which the compiler complains elsewhere.
    @_disfavoredOverload
    public static func keys<Other>(of: Other.Type, under path: String) -> [PrefsKeyDescription] { [] }

    /// Compiles for what threads may share.
    public static func requireSendable<Value: Sendable>(_: Value) {}
}

extension PrefsDeclaring {
    /// The keys as a schema has them that holds this class under a path. For the expansion of `@PrefGroup`.
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
