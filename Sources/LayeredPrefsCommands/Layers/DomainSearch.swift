import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// Notices a misspelt domain: one that no file, schema or running process has.
enum DomainSearch {
    /// Returns the reason to doubt a domain without a schema, with the most similar known one; `nil` if a file or a
    /// running process has it.
    static func doubt(about domain: String, at locations: PrefsFileLocations) -> String? {
        let paths = locations.system.map(\.path) + [locations.user].compactMap(\.self)
        if paths.contains(where: isUsed) || !LiveProcess.sockets(domain: domain).isEmpty { return nil }
        let files = paths.flatMap { entryNames(in: ConfigurationName(path: $0).folder) }
            .compactMap(ConfigurationName.stem)
        let running = LiveProcess.sockets(domain: nil).map(\.domain)
        let hint = hint(domain, among: SchemaPlaces.domains + running + files)
        return "\(domain): no file, schema or running process has this domain\(hint)"
    }

    /// Returns the end of a message that no process has a domain: the most similar one that a process has.
    static func hintOfRunning(_ domain: String?) -> String {
        domain.map { hint($0, among: LiveProcess.sockets(domain: nil).map(\.domain)) } ?? ""
    }

    /// Returns the end of a message that suggests a domain. Only the parts that differ count: `com.example.relay` is not
    /// similar to `com.example.notes`.
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

    /// Returns true if there is a main file, a folder of drop-ins or a locks file of the place, in any format.
    private static func isUsed(_ path: String) -> Bool {
        let name = ConfigurationName(path: path)
        return name.readNames.contains { isPresent("\(name.folder)/\($0)") }
    }
}

/// The name of a main file, from which those of the other files beside it derive.
struct ConfigurationName {
    /// The path of its folder, without a slash at the end.
    let folder: String
    /// The name without the extension of its format.
    let base: String
    /// The names that are read in the folder: the main file, the folder of drop-ins and the locks file, in any format.
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

    /// Returns the name without the ending of a main file, a folder of drop-ins or a locks file; `nil` for any other
    /// name.
    static func stem(of name: String) -> String? {
        if name.hasSuffix(".locks") { return String(name.dropLast(6)) }
        return PrefsFileFormat.stem(of: name.hasSuffix(".d") ? String(name.dropLast(2)) : name)
    }
}
