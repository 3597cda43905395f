import LayeredPrefs
import LayeredPrefsInspection

/// The declared keys of a program and the places that it reads.
struct ProgramSchema {
    let keys: DeclaredKeys
    /// The path of the schema; `nil` if the application itself declares the keys.
    let path: String?
    /// The keywords of the schema that are not checked. Each is listed once, with its first place.
    var unchecked: [PrefsError] = []
    /// The locations of the program's files, if the schema states them.
    var locations: PrefsFileLocations?
    /// The prefix of the program's environment variables, if the schema states it.
    var environmentPrefix: String?
}

extension DeclaredKeys? {
    /// The program's secrets. Without a schema, these are the keys whose names suggest a secret.
    var secrets: SecretPaths { self?.secrets ?? .suspected }
}

extension DeclaredKeys {
    func below(_ prefix: String) -> [PrefsKeyDescription] { all.filter { $0.name.isBelow(prefix) } }
}

extension String {
    /// Returns true if this name's path equals `prefix` or is below it. Every name is below the empty prefix.
    func isBelow(_ prefix: String) -> Bool {
        prefix.isEmpty || PrefsPath(prefix).contains(PrefsPath(self))
    }
}
