import PrefsDocuments

/// Environment variables, looked up by key.
///
/// A key determines its variable, but a variable does not determine its key: `MYD_HTTP_PORT` could be
/// `http.port` or `httpPort`.
struct EnvironmentVariables: SourceContents {
    let prefix: String
    let variables: [String: String]
    /// The files that the variables name.
    let secrets: SecretFiles
    /// The file that assigns the variables, and the places of their values; `nil` for a process's variables.
    private let file: (path: String, positions: [String: PrefsPosition])?
    /// True if any variable has the prefix. Usually, no variable has it, and then no variable names need to
    /// be derived.
    private let areOurs: Bool

    init(
        prefix: String, variables: [String: String], secrets: SecretFiles = SecretFiles(),
        in file: (path: String, positions: [String: PrefsPosition])? = nil
    ) {
        self.secrets = secrets
        self.file = file
        self.prefix = prefix
        self.variables = variables
        areOurs = variables.keys.contains { $0.hasPrefix(prefix) }
    }

    var variablePrefix: String? { prefix }

    /// Returns the text for a key, unless its variable sets a key that was declared before.
    ///
    /// If `cache.size` and `cacheSize` are declared, in this order, `MYD_CACHE_SIZE` sets only `cache.size`.
    /// An undeclared key has its variable, even if the variable also sets another key.
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        // A former name has neither the variable nor the files that the present one declares.
        let isPresent = path.name == key.name || path == PrefsPath(key.name)
        let name = isPresent ? claims.asDeclared(key) : PrefsKeyName(path.name)
        guard areOurs || name.environmentName != nil || name.isSecret else { return nil }
        let variable = name.variable(prefix: prefix)
        if claims.isLate(name.name, for: variable) {
            return name.isSecret ? credential(of: name, at: path) : nil
        }
        guard let text = variables[variable] else {
            if let structure = structure(of: name, variable, claims, at: path) { return structure }
            return name.isSecret ? secret(of: name, variable, at: path) : nil
        }
        return located(text, at: path, spelling: variable)
    }

    /// Returns the fields of a struct that variables set. For example, `MYD_TLS_MINIMUM` sets the field
    /// `minimum` of the key `tls`. A variable of the key itself contains the whole struct as JSON and hides
    /// the fields. A variable that sets a declared key does not set a field.
    private func structure(
        of key: PrefsKeyName, _ variable: String, _ claims: VariableClaims, at path: PrefsPath
    ) -> LocatedValue? {
        guard let fields = key.fields, variables.keys.contains(where: { $0.hasPrefix(variable + "_") }) else {
            return nil
        }
        var content = PrefsValue.dictionary([:])
        var found: [String] = []
        for field in fields() {
            let variable = key.field(field.path).variable(prefix: prefix)
            guard let text = variables[variable], claims[variable] == nil else { continue }
            content.insert(field.parse(text), at: field.path[...])
            found.append(variable)
        }
        guard let first = found.first else { return nil }
        var structure = LocatedValue(
            value: content, isText: false, content: nil, path: path, spelling: found.joined(separator: ", "),
            file: file?.path)
        structure.statedOrigin = origin(of: first, spelling: structure.spelling)
        return structure
    }

    func addKeys(below path: PrefsPath, claims: VariableClaims, to keys: inout PathList) {
        let named = variables.keys.compactMap { claims[$0] }
        let inFiles = claims.secrets.filter(isInFile).map(\.name)
        keys.append(contentsOf: (named + inFiles).map { PrefsPath($0) }.filter(path.contains))
    }

    /// Returns true if a declared secret may be in a file.
    private func isInFile(_ key: PrefsKeyName) -> Bool {
        variables["CREDENTIALS_DIRECTORY"] != nil || variables["\(key.variable(prefix: prefix))_FILE"] != nil
    }

    func unknownKeys(against known: KnownKeys) -> UnknownKeys {
        let declared = Set(known.fields.map { $0.variable(prefix: prefix) }).union(
            known.names.flatMap { name in
                let variable = name.variable(prefix: prefix)
                return [variable] + (name.isSecret ? ["\(variable)_FILE"] : [])
                    + name.formerNames.map { PrefsKeyName($0).variable(prefix: prefix) }
            })
        var unknown = UnknownKeys()
        for variable in variables.keys.filter({ $0.hasPrefix(prefix) && !declared.contains($0) }).sorted() {
            unknown.add(UnknownKey(key: variable, origin: PrefsOrigin(spelling: variable)))
        }
        return unknown
    }

    private func located(
        _ text: String, at path: PrefsPath, spelling: String, file: String? = nil,
        rejection: PrefsError? = nil
    ) -> LocatedValue {
        var found = LocatedValue(
            value: .string(text), isText: true, content: nil, path: path, spelling: spelling,
            file: file ?? self.file?.path)
        found.rejection = rejection
        // A secret may be in a file that the variable names.
        if file == nil { found.statedOrigin = origin(of: spelling, spelling: spelling) }
        return found
    }

    /// Returns the place that assigns a variable; `nil` for a process's variable.
    private func origin(of variable: String, spelling: String) -> PrefsOrigin? {
        file.map { PrefsOrigin(file: $0.path, position: $0.positions[variable], spelling: spelling) }
    }
}

extension EnvironmentVariables {
    /// Returns the text of a secret from a file. For containers, this usually is the file that
    /// `MYD_TOKEN_FILE` names. For systemd, it is the file with the key's name in `$CREDENTIALS_DIRECTORY`.
    ///
    /// If a named file does not exist, the value is rejected. No other file replaces it.
    private func secret(of key: PrefsKeyName, _ variable: String, at path: PrefsPath) -> LocatedValue? {
        let naming = "\(variable)_FILE"
        if let file = variables[naming] { return secret(in: file, naming, namedBy: naming, at: path) }
        return credential(of: key, at: path)
    }

    private func credential(of key: PrefsKeyName, at path: PrefsPath) -> LocatedValue? {
        variables["CREDENTIALS_DIRECTORY"].flatMap { folder in
            secret(in: "\(folder)/\(key.name)", "CREDENTIALS_DIRECTORY", namedBy: nil, at: path)
        }
    }

    private func secret(
        in file: String, _ spelling: String, namedBy variable: String?, at path: PrefsPath
    ) -> LocatedValue? {
        var file = file
        do throws(PrefsError) {
            file = try secrets.paths.absolute(file)
            let text = try secrets.text(at: file, namedBy: variable)
            return text.map { located($0, at: path, spelling: spelling, file: file) }
        } catch {
            return located("", at: path, spelling: spelling, file: file, rejection: error)
        }
    }
}
