import PrefsDocuments

/// The declared key that each environment variable sets.
///
/// Two keys can map to one variable, such as `cache.size` and `cacheSize`. The variable sets the key that was
/// declared first. The other key has no variable.
struct VariableClaims: Sendable, Equatable {
    /// A present or former name of a key, and the variable that it maps to.
    private struct Claim: Hashable {
        let name: String
        let variable: String
    }

    /// The present names of the keys, by variable.
    private var keys: [String: String] = [:]
    /// The names that have no variable, because their variable sets a key that was declared before.
    private var late: Set<Claim> = []
    /// The declared secrets by their present names.
    private var secretsByName: [String: PrefsKeyName] = [:]

    /// Returns the key that a variable sets; `nil` if no declared key maps to it.
    subscript(variable: String) -> String? { keys[variable] }

    /// The present names of the declared keys that have a variable.
    var names: Set<String> { Set(keys.values) }

    /// The declared secrets, which may be in files.
    var secrets: some Sequence<PrefsKeyName> { secretsByName.values }

    /// Returns a key as the secret that it is declared to be. So its file is also found by a caller that only
    /// knows the key's name.
    func asDeclared(_ key: PrefsKeyName) -> PrefsKeyName {
        guard !key.isSecret, !secretsByName.isEmpty, let secret = secretsByName[key.name] else { return key }
        var key = key
        key.isSecret = true
        key.environmentName = key.environmentName ?? secret.environmentName
        return key
    }

    /// Returns true if a name has no variable, because the variable sets a key that was declared before.
    func isLate(_ name: String, for variable: String) -> Bool {
        !late.isEmpty && late.contains(Claim(name: name, variable: variable))
    }

    /// Returns the paths of the names that have lost their variable since earlier claims.
    func losses(since other: VariableClaims) -> [PrefsPath] {
        late.subtracting(other.late).map { PrefsPath($0.name) }
    }

    /// Adds a key's variables, and returns an error for each variable that sets another key.
    mutating func insert(_ key: PrefsKeyName, prefix: String) -> [PrefsError] {
        if key.isSecret, secretsByName[key.name] == nil { secretsByName[key.name] = key }
        let names = [key] + key.formerNames.map { PrefsKeyName($0) }
        return names.compactMap { name in
            let variable = name.variable(prefix: prefix)
            guard let first = keys[variable], first != key.name else {
                keys[variable] = key.name
                return nil
            }
            guard late.insert(Claim(name: name.name, variable: variable)).inserted else { return nil }
            return PrefsError(
                .invalid, key: key.name,
                reason: "\(variable) already sets “\(first)”; give one of the keys another environment name")
        }
    }
}
