import FoundationEssentials
import PrefsSystem
import LayeredPrefs

/// The locations where packages install the schemas of their programs: `prefs/schemas/<domain>.schema.json` in
/// each folder of `$XDG_DATA_DIRS`. By default, these folders are `/usr/local/share` and `/usr/share`.
enum SchemaPlaces {
    static func candidates(for domain: String) -> [String] {
        folders.map { "\($0)/\(domain)\(ending)" }
    }

    /// The domains whose schemas are installed, sorted.
    static var domains: [String] {
        let names = folders.flatMap { entryNames(in: $0) }.filter { $0.hasSuffix(ending) }
        return Set(names.map { String($0.dropLast(ending.count)) }).sorted()
    }

    private static let ending = ".schema.json"

    private static var folders: [String] {
        let environment = PrefsFileLocations.trustedEnvironment
        let named = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init)
        let absolute = named.filter { $0.hasPrefix("/") }
        let directories = absolute.isEmpty ? ["/usr/local/share", "/usr/share"] : absolute
        return directories.map { "\($0)/prefs/schemas" }
    }

    /// Returns the bytes of the first schema that exists.
    ///
    /// - Throws: ``PrefsError`` that lists the possible places if no schema exists.
    static func bytes(for domain: String) throws(PrefsError) -> [UInt8] {
        let places = candidates(for: domain)
        for path in places {
            if let bytes = try PrefsFileReader.read(path)?.bytes { return bytes }
        }
        throw PrefsError(.missing, reason: "no schema in \(places.joined(separator: ", "))")
    }

    /// Reads the first schema that exists; returns `nil` if none does.
    static func installed(for domain: String) throws(PrefsError) -> ProgramSchema? {
        for path in candidates(for: domain) where unsafe access(path, F_OK) == 0 {
            return try SchemaFile.read(path)
        }
        return nil
    }
}
