extension PrefsExpansion {
    /// The complete declaration of a preference.
    public struct Declaration<Value: Sendable>: Sendable {
        let name: String
        let defaultValue: Value
        let coding: any PrefsValueCoding<Value>
        var traits = PrefsKeyTraits<Value>()
        var validation: String?

        /// The Swift type as spelled in the source; empty if it is inferred.
        public var swiftType = ""
        /// The documentation comment.
        public var documentation: String? {
            get { traits.documentation }
            set { traits.documentation = newValue }
        }
        /// True if the value must not appear in anything shown to people.
        public var isSecret: Bool {
            get { traits.isSecret }
            set { traits.isSecret = newValue }
        }
        /// The environment variable, if the declaration names one.
        public var environmentName: String? {
            get { traits.environmentName }
            set { traits.environmentName = newValue }
        }
        /// The former names of the key.
        public var formerNames: [String] {
            get { traits.formerNames }
            set { traits.formerNames = newValue }
        }
        /// The way in which dictionaries of several layers are combined.
        public var merge: PrefsMerge {
            get { traits.merge }
            set { traits.merge = newValue }
        }
        /// True if a change takes effect only after a restart.
        public var needsRestart: Bool {
            get { traits.needsRestart }
            set { traits.needsRestart = newValue }
        }

        init(
            _ name: String,
            _ defaultValue: Value,
            _ coding: some PrefsValueCoding<Value>
        ) {
            self.name = name
            self.defaultValue = defaultValue
            self.coding = coding
        }
    }
}

extension PrefsExpansion.Declaration {
    /// Returns the typed key, below the group's path in a group.
    func key(under path: String) -> PersistentKey<Value> {
        func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        var key = PersistentKey(
            place(name), defaultValue: defaultValue, erasedCoding: coding)
        key.traits = traits
        key.traits.formerNames = traits.formerNames.map(place)
        return key
    }

    var description: PrefsKeyDescription {
        PrefsKeyDescription(
            key(under: ""), swiftType: swiftType, validation: validation
        ) { [self] stack, path in
            stack.declare(key(under: path))
        }
    }
}

extension PersistentKey {
    /// Creates a key with a coding of which only the value type is statically known.
    init(
        _ id: String,
        defaultValue: Value,
        erasedCoding coding: any PrefsValueCoding<Value>
    ) {
        func open(_ coding: some PrefsValueCoding<Value>) -> Self {
            Self(id, defaultValue: defaultValue, coding: coding)
        }
        self = open(coding)
    }
}
