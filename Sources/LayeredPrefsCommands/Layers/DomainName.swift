import LayeredPrefs

/// The domain that a command line means.
enum DomainName {
    /// Returns the named domain, otherwise the domain in `$PREFS_DOMAIN`. If neither exists and `guessing` is
    /// true, returns the domain of the only installed schema. Returns `nil` if there is none.
    static func resolve(_ name: String?, guessing: Bool) throws -> String? {
        let variable = PrefsFileLocations.trustedEnvironment["PREFS_DOMAIN"].flatMap { $0.isEmpty ? nil : $0 }
        if let name = name ?? variable { return try full(name) }
        let installed = guessing ? SchemaPlaces.domains : []
        return installed.count == 1 ? installed.first : nil
    }

    /// Completes the last part of a domain, such as `relay`, to a domain that has an installed schema, such as
    /// `org.example.relay`. Returns any other name unchanged, even if it has an installed schema itself.
    static func full(_ name: String) throws -> String {
        try check(name)
        guard !name.contains(".") else { return name }
        let installed = SchemaPlaces.domains
        if installed.contains(name) { return name }
        let matches = installed.filter { $0.hasSuffix(".\(name)") }
        guard matches.count < 2 else {
            throw CommandFailure.usage(
                "“\(name)” is short for several domains: \(matches.joined(separator: ", "))")
        }
        return matches.first ?? name
    }

    /// Throws a usage error if a name cannot be used as the file name of a domain.
    static func check(_ name: String) throws {
        if ["", ".", ".."].contains(name) || name.utf8.contains(UInt8(ascii: "/")) {
            throw CommandFailure.usage(
                "“\(name)” is not a domain; expected a file name without its ending, such as com.example.myd"
            )
        }
    }
}
