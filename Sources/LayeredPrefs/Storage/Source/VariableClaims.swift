/// The declared keys that map to each variable, by prefix.
///
/// Two keys can map to one variable, such as `cache.size` and `cacheSize`, which then sets neither of them.
struct VariableClaims: Sendable, Equatable {
    /// The present names of the keys, by prefix and variable.
    private var claimants: [String: [String: Set<String>]] = [:]
    /// The keys that share a variable with another key.
    private(set) var contestants: Set<String> = []

    /// The present names of the keys that map to a variable; `nil` if none does.
    subscript(variable: String, prefix prefix: String) -> Set<String>? { claimants[prefix]?[variable] }

    /// Returns the declared keys that map to some variables.
    func keys(setBy variables: [String: String], prefix: String) -> Set<String> {
        var keys: Set<String> = []
        for (variable, claimants) in claimants[prefix] ?? [:] where variables[variable] != nil {
            keys.formUnion(claimants)
        }
        return keys
    }

    /// Adds a key's variables and returns those that it shares with other keys.
    mutating func insert(_ key: PrefsKeyName, prefix: String) -> [String] {
        let names = [key] + key.formerNames.map { PrefsKeyName($0) }
        return names.compactMap { name in
            let variable = name.variable(prefix: prefix)
            claimants[prefix, default: [:]][variable, default: []].insert(key.name)
            guard let rivals = claimants[prefix]?[variable], rivals.count > 1 else { return nil }
            contestants.formUnion(rivals)
            return variable
        }
    }
}
