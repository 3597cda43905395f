import PrefsDocuments

/// The contents of a source, looked up by key.
///
/// A ``PrefsTree`` holds values by key path. The environment holds text by variable. There, a variable has no
/// path until a key is looked up or declared.
protocol SourceContents: Sendable {
    /// The prefix of the variables' names; `nil` for contents that keys name directly.
    var variablePrefix: String? { get }

    /// Returns the value of a key under one of its names.
    ///
    /// - Parameters:
    ///   - key: All names of the key.
    ///   - path: The path of the name to look up.
    ///   - claims: The declared key that each variable sets.
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue?

    /// Returns true if a path itself may have a value: an empty dictionary, or anything else than a
    /// dictionary. Decodes no value.
    func mayHoldOwnValue(at path: PrefsPath, claims: VariableClaims) -> Bool

    /// Adds the keys at or below a path that have a value, including hidden ones.
    func addKeys(below path: PrefsPath, claims: VariableClaims, to keys: inout PathList)

    /// Returns the keys or variables that are neither declared nor below a declared key, and the former names
    /// in use.
    func unknownKeys(against known: KnownKeys) -> UnknownKeys

    /// Returns the unknown fields of the structs in the array that a key holds.
    func unknownFields(of elements: ElementFields) -> UnknownKeys

    /// Returns the spellings of the declared keys. One of them may be the correct spelling of an unknown key.
    func spellings(of known: KnownKeys) -> [String]
}

extension SourceContents {
    var variablePrefix: String? { nil }

    func mayHoldOwnValue(at path: PrefsPath, claims: VariableClaims) -> Bool {
        value(for: PrefsKeyName(path.name), at: path, claims: claims) != nil
    }

    func unknownFields(of elements: ElementFields) -> UnknownKeys { UnknownKeys() }

    func spellings(of known: KnownKeys) -> [String] { known.spellings(prefix: variablePrefix) }
}
