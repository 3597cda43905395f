import PrefsFiles
import PrefsDocuments
import PrefsSystem

/// The environment's text, found by key.
///
/// A variable's name does not tell which key it is for (`MYD_HTTP_PORT` could be `http.port` or `httpPort`),
/// so a key finds its variable, never the other way round.
struct EnvironmentVariables: Sendable {
    let prefix: String
    let variables: [String: String]
    let secrets = SecretFiles()
    /// Whether any variable has the prefix: as a rule none has, and then no name need be derived.
    private let areOurs: Bool

    init(prefix: String, variables: [String: String]) {
        self.prefix = prefix
        self.variables = variables
        areOurs = variables.keys.contains { $0.hasPrefix(prefix) }
    }

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
        guard areOurs || key.environmentName != nil || key.isSecret else { return nil }
        let name = variable(for: key)
        guard let text = variables[name] else { return key.isSecret ? secret(of: key, name, layer) : nil }
        if let claimants = claims[name, prefix: prefix], claimants != [owner] { return nil }
        return PrefsCandidate(.string(text), isText: true, origin: PrefsOrigin(layer: layer, spelling: name))
    }
}

extension EnvironmentVariables {
    /// The text of a secret that is kept in a file: the one `MYD_TOKEN_FILE` names, as containers do it, or
    /// the one of the key's name in `$CREDENTIALS_DIRECTORY`, as systemd does.
    private func secret(of key: PrefsKeyName, _ variable: String, _ layer: String?) -> PrefsCandidate? {
        let named = variables["\(variable)_FILE"].map { ("\(variable)_FILE", $0) }
        let credential = variables["CREDENTIALS_DIRECTORY"].map {
            ("CREDENTIALS_DIRECTORY", "\($0)/\(key.name)")
        }
        for (spelling, path) in [named, credential].compactMap(\.self) {
            let origin = PrefsOrigin(layer: layer, file: path, spelling: spelling)
            do throws(PrefsError) {
                guard let text = try secrets.text(at: path) else { continue }
                return PrefsCandidate(.string(text), isText: true, origin: origin)
            } catch {
                var error = error
                error.origin = origin
                return PrefsCandidate("", isText: true, origin: origin, rejection: error)
            }
        }
        return nil
    }
}

/// The files of secrets, each read once, when first asked for.
final class SecretFiles: Sendable {
    private let texts = Lock<[String: Result<String?, PrefsError>]>([:])

    /// A file's text without the newline at its end; `nil` if there is no file.
    func text(at path: String) throws(PrefsError) -> String? {
        let result = texts.withLock { texts in
            let result = texts[path] ?? Self.read(path)
            texts[path] = result
            return result
        }
        return try result.get()
    }

    private static func read(_ path: String) -> Result<String?, PrefsError> {
        do throws(PrefsError) {
            guard let bytes = try PrefsFileReader.read(path)?.bytes else { return .success(nil) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .failure(PrefsError(.syntax, reason: "is not UTF-8 text"))
            }
            return .success(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        } catch {
            return .failure(error)
        }
    }
}

/// Which declared keys claim which variable, by prefix.
///
/// Two names can derive one variable (`cache.size` and `cacheSize`), which then serves neither of them.
struct VariableClaims: Sendable, Equatable {
    private var claimants: [String: [String: Set<String>]] = [:]
    /// The keys that have lost a variable to each other.
    private(set) var contestants: Set<String> = []

    /// The keys that claim a variable, by present name; `nil` when none does.
    subscript(variable: String, prefix prefix: String) -> Set<String>? { claimants[prefix]?[variable] }

    /// The keys that some variable is there for.
    func keys(setBy variables: EnvironmentVariables) -> Set<String> {
        let claimed = claimants[variables.prefix] ?? [:]
        return Set(variables.variables.keys.flatMap { claimed[$0] ?? [] })
    }

    /// Adds a key's claims, and returns the variables that it now shares with other keys.
    mutating func insert(_ key: PrefsKeyName, prefix: String) -> [String] {
        let variables = EnvironmentVariables(prefix: prefix, variables: [:])
        let names = [key] + key.formerNames.map { PrefsKeyName($0) }
        return names.compactMap { name in
            let variable = variables.variable(for: name)
            claimants[prefix, default: [:]][variable, default: []].insert(key.name)
            guard let rivals = claimants[prefix]?[variable], rivals.count > 1 else { return nil }
            contestants.formUnion(rivals)
            return variable
        }
    }
}
