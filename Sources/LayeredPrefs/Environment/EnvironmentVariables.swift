/// The environment's text, found by key.
///
/// A variable's name does not tell which key it is for (`MYD_HTTP_PORT` could be `http.port` or `httpPort`),
/// so a key finds its variable, never the other way round.
struct EnvironmentVariables: Sendable {
    let prefix: String
    let variables: [String: String]
    /// Variables that two keys claim, and that therefore serve neither.
    var contested: Set<String> = []

    /// The variable of a key: the one it names, else the one derived from its present name.
    func variable(for key: PrefsKeyName) -> String {
        key.environmentName ?? EnvironmentName.name(forKey: key.name, prefix: prefix)
    }

    func candidate(for key: PrefsKeyName, layer: String?) -> PrefsCandidate? {
        let names = [variable(for: key)] + key.formerNames.map { variable(for: PrefsKeyName($0)) }
        for name in names where !contested.contains(name) {
            guard let text = variables[name] else { continue }
            return PrefsCandidate(
                .string(text), isText: true, origin: PrefsOrigin(layer: layer, spelling: name))
        }
        return nil
    }
}
