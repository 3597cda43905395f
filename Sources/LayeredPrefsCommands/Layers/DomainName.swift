import LayeredPrefs

/// The domain that a command line means.
enum DomainName {
    /// Returns the named domain, else that of `$PREFS_DOMAIN`, else, if that may be guessed, the only one whose
    /// schema is installed; `nil` if there is none.
    static func resolve(_ name: String?, guessing: Bool) throws -> String? {
        let variable = PrefsFileLocations.trustedEnvironment["PREFS_DOMAIN"].flatMap { $0.isEmpty ? nil : $0 }
        if let name = name ?? variable { return try full(name) }
        let installed = guessing ? SchemaPlaces.domains : []
        return installed.count == 1 ? installed.first : nil
    }

    /// Completes the last part of a domain, such as `relay`, to the domain whose schema is installed:
    /// `org.example.relay`. Any other name, also one whose own schema is installed, is returned unchanged.
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

    /// Throws a usage error if a name cannot be that of a domain's files.
    static func check(_ name: String) throws {
        if ["", ".", ".."].contains(name) || name.utf8.contains(UInt8(ascii: "/")) {
            throw CommandFailure.usage(
                "“\(name)” is not a domain; expected a file name without its ending, such as com.example.myd"
            )
        }
    }
}
