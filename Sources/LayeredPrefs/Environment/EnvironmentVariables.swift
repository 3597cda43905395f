import PrefsFiles
import PrefsDocuments
import PrefsSystem

/// Environment variables, looked up by key.
///
/// A key determines its variable, but a variable does not determine its key: `MYD_HTTP_PORT` could be
/// `http.port` or `httpPort`.
struct EnvironmentVariables: Sendable {
    let prefix: String
    let variables: [String: String]
    let secrets = SecretFiles()
    /// True if any variable has the prefix. Usually none has, and then no variable names need to be derived.
    private let areOurs: Bool

    init(prefix: String, variables: [String: String]) {
        self.prefix = prefix
        self.variables = variables
        areOurs = variables.keys.contains { $0.hasPrefix(prefix) }
    }

    /// Returns the variable of a key: its explicit environment name, or else the one derived from its name.
    func variable(for key: PrefsKeyName) -> String {
        key.environmentName ?? EnvironmentName.name(forKey: key.name, prefix: prefix)
    }

    /// Returns the text for a key, unless the variable belongs to another declared key or to several.
    ///
    /// If `cache.size` and `cacheSize` are both declared, `MYD_CACHE_SIZE` sets neither of them. If only
    /// `cache.size` is declared, the variable does not set `cacheSize`. An undeclared key that shares its
    /// variable with no declared key is set.
    ///
    /// - Parameters:
    ///   - key: The key, under its present name or a former one.
    ///   - owner: The key's present name.
    func candidate(
        for key: PrefsKeyName, of owner: String, layer: String?, claims: VariableClaims
    ) -> PrefsCandidate? {
        guard areOurs || key.environmentName != nil || key.isSecret else { return nil }
        let name = variable(for: key)
        guard let text = variables[name] else { return key.isSecret ? secret(of: key, name, layer) : nil }
        if let claimants = claims[name, prefix: prefix], claimants != [owner],
            !Mutant.isActive(.contestedVariableRead)
        {
            return nil
        }
        return PrefsCandidate(.string(text), isText: true, origin: PrefsOrigin(layer: layer, spelling: name))
    }
}

extension EnvironmentVariables {
    /// Returns the text of a secret from a file: the file that `MYD_TOKEN_FILE` names, as is usual for
    /// containers, or the file with the key's name in `$CREDENTIALS_DIRECTORY`, as provided by systemd.
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

/// The contents of secret files, each read once on first use.
final class SecretFiles: Sendable {
    private let texts = Lock<[String: Result<String?, PrefsError>]>([:])

    /// Returns a file's text without a trailing newline; `nil` if there is no such file.
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
                return .failure(PrefsError(.syntax, reason: "the file is not valid UTF-8"))
            }
            return .success(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        } catch {
            return .failure(error)
        }
    }
}

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

    /// Returns the declared keys whose variable is set.
    func keys(setBy variables: EnvironmentVariables) -> Set<String> {
        let claimed = claimants[variables.prefix] ?? [:]
        return Set(variables.variables.keys.flatMap { claimed[$0] ?? [] })
    }

    /// Adds a key's variables and returns those that it shares with other keys.
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
