public import PrefsDocuments
public import FoundationEssentials

extension LayeredPrefsStorage {
    /// The standard stack of a domain, from the lowest to the highest: `defaults` · `system` · `user` ·
    /// `environment` · `arguments` · `debug` (in development builds of this library) · `overrides`.
    ///
    /// A set-uid process has no user, environment and arguments layers: whoever starts it must not choose
    /// its settings.
    ///
    /// - Parameters:
    ///   - domain: The program's name in reverse-DNS form; it names the files.
    ///   - defaults: Values given in code, beneath every file.
    ///   - places: Where the files are; the domain's standard places by default.
    ///   - environment: The variables; this process's by default.
    ///   - prefix: What the names of the domain's variables begin with; by default the domain's last part,
    ///     `MYD_` for `com.example.myd`.
    ///   - arguments: The command line without the program's name; this process's by default.
    ///   - options: How the files are read and watched, and where problems are reported.
    public static func standard(
        domain: String,
        defaults: [String: PrefsValue] = [:],
        places: PrefsPlaces? = nil,
        environment: [String: String] = PrefsPlaces.trustedEnvironment,
        prefix: String? = nil,
        arguments: [String] = Array(ProcessInfo.processInfo.arguments.dropFirst()),
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> LayeredPrefsStorage {
        let places = places ?? .standard(domain: domain, environment: environment)
        let prefix = prefix ?? EnvironmentName.prefix(forDomain: domain)
        let isTrusted = !ProcessPrivilege.isRaised
        return LayeredPrefsStorage(
            burst: options.burst, settles: options.settles, diagnostics: options.diagnostics
        ) {
            PrefsLayer.defaults(defaults)
            PrefsLayer(.system, SystemPrefsStorage(places: places.system, options: options))
            if isTrusted {
                if let user = places.user {
                    PrefsLayer(.user, FilePrefsStorage(path: user, options: options))
                }
                PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: prefix, environment: environment))
                PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments))
            }
            #if DEBUG
                PrefsLayer.debug(DictionaryPrefsStorage())
            #endif
            PrefsLayer.overrides
        }
    }
}
