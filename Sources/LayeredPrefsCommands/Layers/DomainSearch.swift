import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// Finds misspelt domains. No file, schema or running process has such a domain.
enum DomainSearch {
    /// Returns the reason to doubt a domain without a schema, and suggests the most similar known domain. Returns
    /// `nil` if a file or a running process has the domain.
    static func doubt(about domain: String, at locations: PrefsFileLocations) -> String? {
        let paths = locations.system.map(\.path) + [locations.user].compactMap(\.self)
        if paths.contains(where: isUsed) || !LiveProcess.sockets(domain: domain).isEmpty { return nil }
        let files = paths.flatMap { entryNames(in: ConfigurationName(path: $0).folder) }
            .compactMap(ConfigurationName.stem)
        let running = LiveProcess.sockets(domain: nil).map(\.domain)
        let hint = hint(domain, among: SchemaPlaces.domains + running + files)
        return "\(domain): no file, schema or running process has this domain\(hint)"
    }

    /// Returns a suggestion for the message that no process has a domain: the most similar domain of a running
    /// process.
    static func hintOfRunning(_ domain: String?) -> String {
        domain.map { hint($0, among: LiveProcess.sockets(domain: nil).map(\.domain)) } ?? ""
    }

    /// Returns a suggestion for the end of a message. Only parts that differ are compared: `com.example.relay` is
    /// not similar to `com.example.notes`.
    private static func hint(_ domain: String, among known: [String]) -> String {
        let parts = domain.split(separator: ".")
        let similar = Set(known).sorted().first { other in
            let others = other.split(separator: ".")
            let shared = zip(parts, others).prefix { $0 == $1 }.count
            let rest = parts.dropFirst(shared).joined(separator: ".")
            return SpellingSuggestion.nearest(
                to: rest, among: [others.dropFirst(shared).joined(separator: ".")]) != nil
        }
        return SpellingSuggestion.hint(similar)
    }

    /// Returns true if the location has a main file, a drop-in folder or a locks file, in any format.
    private static func isUsed(_ path: String) -> Bool {
        let name = ConfigurationName(path: path)
        return name.readNames.contains { isPresent("\(name.folder)/\($0)") }
    }
}

/// The name of a main file. The names of the files beside it derive from it.
struct ConfigurationName {
    /// The path of the folder, without a slash at the end.
    let folder: String
    /// The name without its format's extension.
    let base: String
    /// The names that the library reads in the folder: the main file, the drop-in folder and the locks file, in
    /// any format.
    let readNames: [String]

    init(path: String) {
        let slash = path.lastIndex(of: "/")
        folder = slash.map { String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let stem = PrefsFileFormat.stem(of: name)
        base = stem ?? name
        let mains = stem.map { stem in PrefsFileFormat.extensions.map { "\(stem).\($0)" } } ?? [name]
        readNames = mains + mains.map { "\($0).d" } + ["\(base).locks"]
    }

    /// Returns the name of a main file, a drop-in folder or a locks file without its ending; `nil` for any other
    /// name.
    static func stem(of name: String) -> String? {
        if name.hasSuffix(".locks") { return String(name.dropLast(6)) }
        return PrefsFileFormat.stem(of: name.hasSuffix(".d") ? String(name.dropLast(2)) : name)
    }
}
