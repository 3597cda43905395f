import PrefsDocuments
/// Every name under which a key's value may be stored.
public struct PrefsKeyName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name, or dotted path.
    public var name: String
    /// Names the key had; within one layer they count where the present name is absent, in this order.
    public var formerNames: [String]
    /// The environment variable, where it is not the one derived from the name.
    public var environmentName: String?
    /// Whether the value may also come from a file that the environment names.
    public var isSecret: Bool

    public init(
        _ name: String, formerNames: [String] = [], environmentName: String? = nil, isSecret: Bool = false
    ) {
        self.name = name
        self.formerNames = formerNames
        self.environmentName = environmentName
        self.isSecret = isSecret
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// Where the value may be, the present name's place first.
    var paths: [PrefsPath] { ([name] + formerNames).map(PrefsPath.init) }
}

extension PersistentKeyProtocol {
    /// The names under which this key's value may be stored.
    var name: PrefsKeyName {
        let traits = traits
        return PrefsKeyName(
            id, formerNames: traits.formerNames, environmentName: traits.environmentName,
            isSecret: traits.isSecret)
    }

    /// The stored form of the default, where it has one.
    var storedDefault: PrefsValue? { (try? representation.encode(defaultValue)) ?? nil }

    /// What a snapshot needs of this key's type.
    var typing: PrefsSnapshot.Typing {
        PrefsSnapshot.Typing(
            storedDefault: { storedDefault }, parse: { representation.storedForm(ofText: $0) },
            mergesDeeply: traits.mergesDeeply)
    }

    /// Whether two values are one and the same to whoever stores them: reals by bit pattern.
    func isSame(_ old: Value, _ new: Value) -> Bool where Value: Equatable {
        guard let old = try? representation.encode(old), let new = try? representation.encode(new) else {
            return old == new
        }
        return old == new
    }
}
