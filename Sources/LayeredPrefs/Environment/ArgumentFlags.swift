import PrefsDocuments

/// Command-line flags, looked up by key. `--listen-port 9090` and `--listen-port=9090` set `listen.port`.
/// `--features-tracing` and `--no-features-tracing` set the boolean `features.tracing`.
///
/// As with variables, a key determines its flag, but a flag does not determine its key.
package struct ArgumentFlags: SourceContents {
    /// A flag on the command line.
    fileprivate struct Flag {
        /// The name, with its hyphens.
        let name: String
        /// The text after the equals sign.
        var text: String?
        /// The next argument, unless it is a flag itself.
        var next: String?
        /// True if the flag is not UTF-8.
        var isUndecodable = false
        var isNextUndecodable = false
    }

    private let flags: [Flag]

    /// - Parameters:
    ///   - arguments: The arguments. Everything after `--` belongs to the program and is ignored.
    ///   - undecodable: The arguments that are not UTF-8.
    init(_ arguments: [String], _ undecodable: UndecodableArguments = .ofProcess) {
        let arguments = Array(arguments.prefix { $0 != "--" })
        flags = arguments.indices.compactMap { index in
            guard arguments[index].hasPrefix("--") else { return nil }
            let following = index + 1 < arguments.endIndex ? arguments[index + 1] : nil
            let next = following.flatMap { $0.hasPrefix("--") ? nil : $0 }
            var flag = Flag(arguments[index], next: next)
            flag.isUndecodable = undecodable.contains(arguments[index])
            flag.isNextUndecodable = next.map(undecodable.contains) ?? false
            return flag
        }
    }

    /// Returns the flag of a key: `--http-read-timeout` for `http.readTimeout`.
    package static func name(of key: String) -> String {
        let words = EnvironmentName.name(forKey: key, prefix: "").lowercased()
        return "--" + String(words.map { $0 == "_" ? "-" : $0 })
    }

    private static func negation(of flag: String) -> String { "--no-\(flag.dropFirst(2))" }

    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        if flags.isEmpty { return nil }
        let name = Self.name(of: path.name)
        guard let found = setting(of: name, isBoolean: key.isBoolean) else {
            return structure(of: key, name, at: path)
        }
        var value = LocatedValue(
            value: .string(found.text ?? ""), isText: true, content: nil, path: path, spelling: found.flag,
            file: nil)
        if found.text == nil { value.rejection = Self.missingValue(of: name, key.name) }
        if found.isUndecodable { value.rejection = .notUTF8(spelling: name, key: key.name) }
        return value
    }

    /// The text that a flag sets, and the flag as the command line spells it. The text is `nil` if the flag
    /// lacks one.
    private struct Found {
        let text: String?
        let flag: String
        var isUndecodable = false
    }

    /// Returns the text that a flag sets. If there are several such flags, the last one counts.
    ///
    /// - Parameter isBoolean: `nil` if the type of the key is not known.
    private func setting(of name: String, isBoolean: Bool?) -> Found? {
        let negation = isBoolean == false ? nil : Self.negation(of: name)
        guard let flag = flags.last(where: { $0.name == name || $0.name == negation && $0.text == nil })
        else {
            return nil
        }
        if flag.name == negation { return Found(text: "false", flag: flag.name) }
        return Found(
            text: flag.text ?? flag.separateText(isBoolean) ?? (isBoolean == false ? nil : "true"),
            flag: name,
            isUndecodable: flag.hasUndecodableText(isBoolean))
    }

    /// Returns the fields of a struct that flags set. For example, `--tls-minimum` sets the field `minimum`
    /// of `tls`.
    private func structure(of key: PrefsKeyName, _ name: String, at path: PrefsPath) -> LocatedValue? {
        guard let fields = key.fields else { return nil }
        let prefixes = [name, Self.negation(of: name)].map { "\($0)-" }
        guard flags.contains(where: { flag in prefixes.contains(where: flag.name.hasPrefix) }) else {
            return nil
        }
        var content = PrefsValue.dictionary([:])
        var spellings: [String] = []
        for field in fields() {
            let name = Self.name(of: key.field(field.path, below: path).name)
            guard let found = setting(of: name, isBoolean: field.isBoolean), let text = found.text,
                !found.isUndecodable
            else { continue }
            content.insert(field.parse(text), at: field.path[...])
            spellings.append(found.flag)
        }
        if spellings.isEmpty { return nil }
        return LocatedValue(
            value: content, isText: false, content: nil, path: path,
            spelling: spellings.joined(separator: ", "),
            file: nil)
    }

    func addKeys(below path: PrefsPath, claims: VariableClaims, to keys: inout PathList) {
        if flags.isEmpty { return }
        keys.append(
            contentsOf: claims.names.map { PrefsPath($0) }.filter {
                path.contains($0) && mayHoldOwnValue(at: $0, claims: claims)
            })
    }

    func unknownKeys(against known: KnownKeys) -> UnknownKeys {
        var unknown = UnknownKeys()
        if flags.isEmpty { return unknown }
        let declared = Self.declared(known)
        for flag in flags where flag.isUnknown(among: declared) {
            unknown.add(UnknownKey(key: flag.name, origin: PrefsOrigin(spelling: flag.name)))
        }
        return unknown
    }

    func spellings(of known: KnownKeys) -> [String] { Self.declared(known).keys.sorted() }
}

extension ArgumentFlags {
    /// Returns an error for each flag that sets no declared key, lacks its value, or has a value although it
    /// takes none.
    ///
    /// - Parameters:
    ///   - options: The library's options that set no key. The command line may misspell them.
    ///   - own: The program's flags that set no key.
    func problems(
        against known: KnownKeys, besides options: [String], ignoring own: Set<String>
    ) -> [PrefsError] {
        let declared = Self.declared(known)
        let names = declared.keys.sorted() + options
        return flags.compactMap { flag in
            if own.contains(flag.name) { return nil }
            if let key = declared[flag.name] {
                if flag.hasUndecodableText(key.isBoolean) {
                    return .notUTF8(spelling: flag.name, key: key.name)
                }
                let isComplete = key.isBoolean != false || flag.text != nil || flag.next != nil
                return isComplete ? nil : Self.missingValue(of: flag.name, key.name)
            }
            guard flag.isUnknown(among: declared) else { return nil }
            let reason =
                if flag.text != nil, Flag(flag.name).isKnown(among: declared) {
                    "takes no value"
                } else {
                    "unknown flag\(SpellingSuggestion.hint(SpellingSuggestion.nearest(to: flag.name, among: names)))"
                }
            return PrefsError(.usage, origin: PrefsOrigin(spelling: flag.name), reason: reason)
        }
    }

    /// Returns the declared keys and fields by their flags. If several have one flag, the first of them counts.
    private static func declared(_ known: KnownKeys) -> [String: PrefsKeyName] {
        let fields = known.names.flatMap { name in
            (name.fields?() ?? []).map { field in
                var names = name.field(field.path)
                names.isBoolean = field.isBoolean
                return names
            }
        }
        let all = (known.names + known.fields + fields).flatMap { name in
            ([name.name] + name.formerNames).map { (Self.name(of: $0), name) }
        }
        return Dictionary(all) { first, _ in first }
    }

    private static func missingValue(of flag: String, _ key: String) -> PrefsError {
        PrefsError(
            .usage, key: key, origin: PrefsOrigin(spelling: flag),
            reason: "expected a value, as in \(flag) VALUE; one that begins with “--” needs an equals sign")
    }
}

extension ArgumentFlags.Flag {
    fileprivate init(_ argument: String, next: String? = nil) {
        // Bytes, because finding the characters of a hostile text takes longer than its length.
        let equals = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        name = String(argument[..<(equals ?? argument.endIndex)])
        text = equals.map { String(argument[argument.utf8.index(after: $0)...]) }
        self.next = next
    }

    /// Returns the next argument, if it is the text of the flag.
    fileprivate func separateText(_ isBoolean: Bool?) -> String? {
        text == nil && isBoolean != true ? next : nil
    }

    /// Returns true if the text of the flag is not UTF-8.
    fileprivate func hasUndecodableText(_ isBoolean: Bool?) -> Bool {
        isUndecodable || separateText(isBoolean) != nil && isNextUndecodable
    }

    fileprivate func isUnknown(among declared: [String: PrefsKeyName]) -> Bool {
        name != "--help" && !isKnown(among: declared)
    }

    fileprivate func isKnown(among declared: [String: PrefsKeyName]) -> Bool {
        if declared[name] != nil { return true }
        guard name.hasPrefix("--no-"), text == nil, let key = declared["--\(name.dropFirst(5))"] else {
            return false
        }
        return key.isBoolean != false
    }
}
