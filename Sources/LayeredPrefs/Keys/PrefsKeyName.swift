import PrefsDocuments

/// All names that a key's value may be stored under.
package struct PrefsKeyName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The present name, which may be a dotted path.
    package var name: String
    /// Former names of the key. They are read, in this order, in a source that lacks the present name.
    package var formerNames: [String]
    /// The environment variable, if it is not derived from the name.
    package var environmentName: String?
    /// True if the value may also come from a file that an environment variable names.
    package var isSecret: Bool
    /// True if a command-line flag of the key needs no value; `nil` if the type of the key is not known.
    @Uncompared var isBoolean: Bool? = nil
    /// Returns the fields of a struct, which variables may set one by one; `nil` for any other key. Called only
    /// if there is such a variable.
    @Uncompared var fields: (@Sendable () -> [TextField])? = nil
    /// Parses the text of an entry of the dictionary that the key holds; `nil` unless the key merges dictionaries.
    @Uncompared var parseEntry: (@Sendable (_ path: [String], _ text: String) -> PrefsValue)? = nil
    /// Returns true if the value of the key may be a dictionary; `nil` if the type of the key is not known. Called
    /// only if one of the names is above another.
    @Uncompared var mayBeDictionary: (@Sendable () -> Bool)? = nil

    /// A field of a struct, with the parser of its text.
    struct TextField {
        let path: [String]
        let isBoolean: Bool
        let parse: (String) -> PrefsValue
    }

    /// Creates a key's names.
    package init(
        _ name: String, formerNames: [String] = [], environmentName: String? = nil, isSecret: Bool = false,
        mayBeDictionary: (@Sendable () -> Bool)? = nil
    ) {
        self.name = name
        self.formerNames = formerNames
        self.environmentName = environmentName
        self.isSecret = isSecret
        self.mayBeDictionary = mayBeDictionary
    }

    /// Creates a name from a literal, without former names.
    package init(stringLiteral value: String) { self.init(value) }

    /// Adds the properties of the type that another declaration of the key knows.
    mutating func adoptType(of other: PrefsKeyName) {
        isBoolean = isBoolean ?? other.isBoolean
        fields = fields ?? other.fields
        parseEntry = parseEntry ?? other.parseEntry
        mayBeDictionary = mayBeDictionary ?? other.mayBeDictionary
    }

    /// The paths where the value may be stored, the present name's path first.
    var paths: [PrefsPath] {
        formerNames.isEmpty ? [PrefsPath(name)] : ([name] + formerNames).map { PrefsPath($0) }
    }

    /// The paths where locks on the value, or on parts of it, may be. A former name above another name is not
    /// included, unless the value may be a dictionary, because the locks below it are on other keys.
    var lockablePaths: [PrefsPath] {
        let sections = sections
        if sections.isEmpty { return paths }
        return paths.filter { $0 == paths[0] || !sections.contains($0) }
    }

    /// Returns the value that texts set part by part: the known fields of a struct, or the entries of a
    /// dictionary. Returns `nil` if the key's value is set as a whole.
    func value(ofTexts texts: PrefsValue) -> PrefsValue? {
        guard let fields else { return parseEntry.map { texts.parsingTexts(at: [], $0) } }
        var value = PrefsValue.dictionary([:])
        for field in fields() {
            guard case .string(let text)? = texts.value(at: field.path[...]) else { continue }
            value.insert(field.parse(text), at: field.path[...])
        }
        return value == .dictionary([:]) ? nil : value
    }

    /// Returns true if the value at one of the names is a section of the file that holds other keys, and so not a
    /// value of the key.
    ///
    /// For the text `log.level`, formerly `log`:
    ///
    ///     {"log": "debug"}                            log is the value
    ///     {"log": {"file": "/x"}}                     log is a section
    package func isSection(_ value: PrefsValue, at path: PrefsPath) -> Bool {
        value.kind == .dictionary && sections.contains(path)
    }

    /// Returns true if a name is above another one.
    func isAboveOtherName(_ path: PrefsPath) -> Bool {
        !formerNames.isEmpty && paths.contains { $0 != path && path.contains($0) }
    }

    /// The names where a dictionary is a section: the names above another name, unless the value itself may be a
    /// dictionary.
    var sections: [PrefsPath] {
        if formerNames.isEmpty { return [] }
        let outer = paths.filter(isAboveOtherName)
        return outer.isEmpty || mayBeDictionary?() != false ? [] : outer
    }

    /// Returns the environment variable of the present name: the explicit one, or else the derived one.
    func variable(prefix: String) -> String {
        environmentName ?? EnvironmentName.name(forKey: name, prefix: prefix)
    }

    /// Returns the name of a field of the struct that the key holds. Its variable is `MYD_TLS_MINIMUM`, for
    /// example, or `TLS_MINIMUM` if the key declares the variable `TLS`.
    ///
    /// - Parameter parent: The path of the name that is looked up, if that is a former name.
    func field(_ path: [String], below parent: PrefsPath? = nil) -> PrefsKeyName {
        PrefsKeyName(
            PrefsPath(components: (parent ?? PrefsPath(name)).components + path).name,
            environmentName: environmentName.map {
                EnvironmentName.name(forKey: path.joined(separator: "."), prefix: "\($0)_")
            })
    }
}

extension PrefsValue {
    /// Returns a dictionary of texts with each of them parsed.
    fileprivate func parsingTexts(
        at path: [String], _ parse: (_ path: [String], _ text: String) -> PrefsValue
    ) -> PrefsValue {
        switch self {
        case .string(let text): return parse(path, text)
        case .dictionary(var content):
            for (key, value) in content { content[key] = value.parsingTexts(at: path + [key], parse) }
            return .dictionary(content)
        default: return self
        }
    }
}

/// The properties of a key's type that locks on parts of a dictionary depend on.
struct KeyTyping {
    /// Returns the key's default in stored form, which supplies a locked entry that no layer at or below the
    /// locking layer sets.
    let storedDefault: () -> PrefsValue?
    let parse: (String) -> PrefsValue?
    /// True if dictionaries are merged with the dictionaries of lower layers. A locked entry then only needs to be
    /// removed from a dictionary above.
    let mergesDeeply: Bool
}

extension PersistentKey {
    /// The names that this key's value may be stored under.
    var name: PrefsKeyName {
        var name = isPlain ? PrefsKeyName(id) : declaredName
        name.isBoolean = isBoolean
        return name
    }

    /// True if a command-line flag of the key needs no value. For a key of stored values, the coding knows their
    /// type.
    private var isBoolean: Bool {
        if Value.self == PrefsValue?.self { return (coding as? any FlagCoding)?.isBoolean ?? false }
        return Value.self == Bool.self || Value.self == Bool?.self
    }

    private var declaredName: PrefsKeyName {
        let traits = traits
        var name = PrefsKeyName(
            id, formerNames: traits.formerNames, environmentName: traits.environmentName,
            isSecret: traits.isSecret)
        if let merge = fieldMerge {
            name.fields = { merge.textFields }
        } else if traits.mergesDeeply {
            name.parseEntry = { [coding] in coding.storedType.storedForm(ofText: $1, at: $0[...]) }
        }
        if !traits.formerNames.isEmpty {
            name.mayBeDictionary = { [coding] in coding.storedType.mayBeDictionary }
        }
        return name
    }

    /// The stored form of the default, if it has one.
    var storedDefault: PrefsValue? { (try? coding.encode(defaultValue)) ?? nil }

    /// The properties of this key's type that a snapshot needs.
    var typing: KeyTyping {
        KeyTyping(
            storedDefault: { storedDefault }, parse: { storedForm(ofText: $0) },
            mergesDeeply: traits.mergesDeeply)
    }

    /// Returns true if two values have the same stored form. Reals are compared by bit pattern.
    ///
    /// Values without a stored form are compared with `==` if they are `Equatable`. Otherwise, they always differ.
    func isSame(_ old: Value, _ new: Value) -> Bool {
        guard let first = try? coding.encode(old), let second = try? coding.encode(new) else {
            return (old as? any Equatable)?.isEqual(to: new) ?? false
        }
        return first == second
    }
}

extension Equatable {
    /// Returns true if another value has the same type and is equal.
    func isEqual(to other: Any) -> Bool { self == other as? Self }
}
