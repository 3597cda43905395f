import LayeredPrefs
import LayeredPrefsInspection

/// What the commands know of a program: its keys, and the places that it reads.
struct ProgramSchema {
    let keys: DeclaredKeys
    /// The path of the schema; `nil` if the application itself declares the keys.
    let path: String?
    /// The keywords of the schema that are not checked, each once, with its first place.
    var unchecked: [PrefsError] = []
    /// The locations of the program's files, if the schema states them.
    var locations: PrefsFileLocations?
    /// The prefix of the program's environment variables, if the schema states it.
    var environmentPrefix: String?
}

extension DeclaredKeys? {
    /// The secrets of the program; without a schema, the keys whose names suggest one.
    var secrets: SecretPaths { self?.secrets ?? .suspected }
}

extension DeclaredKeys {
    func below(_ prefix: String) -> [PrefsKeyDescription] { all.filter { $0.name.isBelow(prefix) } }
}

extension String {
    /// Returns true if this name's path is that of `prefix` or is below it; every name is below the empty one.
    func isBelow(_ prefix: String) -> Bool {
        prefix.isEmpty || PrefsPath(prefix).contains(PrefsPath(self))
    }
}
