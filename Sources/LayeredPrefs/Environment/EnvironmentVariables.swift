/// The environment's text, found by key.
///
/// A variable's name does not tell which key it is for (`MYD_HTTP_PORT` could be `http.port` or `httpPort`),
/// so a key finds its variable, never the other way round.
struct EnvironmentVariables: Sendable {
    let prefix: String
    let variables: [String: String]

    /// The variable of a key: the one it names, else the one derived from its present name.
    func variable(for key: PrefsKeyName) -> String {
        key.environmentName ?? EnvironmentName.name(forKey: key.name, prefix: prefix)
    }

    /// The text for a key, unless its variable is another declared key's, or claimed by two.
    ///
    /// - Parameter owner: The key's present name.
    func candidate(
        for key: PrefsKeyName, of owner: String, layer: String?, claims: VariableClaims
    ) -> PrefsCandidate? {
        let name = variable(for: key)
        guard let text = variables[name] else { return nil }
        if let claimants = claims[name, prefix: prefix], claimants != [owner] { return nil }
        return PrefsCandidate(.string(text), isText: true, origin: PrefsOrigin(layer: layer, spelling: name))
    }
}

/// Which declared keys claim which variable, by prefix.
///
/// Two names can derive one variable (`cache.size` and `cacheSize`), which then serves neither of them.
struct VariableClaims: Sendable, Equatable {
    private var claimants: [String: [String: Set<String>]] = [:]

    /// The keys that claim a variable, by present name; `nil` when none does.
    subscript(variable: String, prefix prefix: String) -> Set<String>? { claimants[prefix]?[variable] }

    /// Adds a key's claims, and returns the variables that it now shares with other keys.
    mutating func insert(_ key: PrefsKeyName, prefix: String) -> [String] {
        let variables = EnvironmentVariables(prefix: prefix, variables: [:])
        let names = [key] + key.formerNames.map { PrefsKeyName($0) }
        return names.compactMap { name in
            let variable = variables.variable(for: name)
            claimants[prefix, default: [:]][variable, default: []].insert(key.name)
            return claimants[prefix]?[variable]?.count ?? 0 > 1 ? variable : nil
        }
    }
}
