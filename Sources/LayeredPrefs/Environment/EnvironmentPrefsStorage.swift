/// A read-only storage of environment variables.
///
/// Each key has exactly one variable: with the prefix `MYD_`, `http.readTimeout` is `MYD_HTTP_READ_TIMEOUT`.
/// The text is parsed by the key's type; text that does not parse is rejected, and the value of the next
/// lower layer is effective. The environment is read once, when the storage is created. A set-uid process,
/// whose caller must not choose its settings, reads none unless the program passes the variables itself.
public final class EnvironmentPrefsStorage: SelfContainedPrefsStorage {
    private let published: PublishedSource
    let prefix: String

    /// Creates a storage of the variables with a prefix.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every variable's name, including the underscore.
    ///   - environment: The variables; by default this process's, and none in a set-uid process.
    public init(prefix: String, environment: [String: String]? = nil) {
        let environment = environment ?? ProcessPrivilege.trustedEnvironment
        let contents = EnvironmentVariables(prefix: prefix, variables: environment)
        published = PublishedSource(PrefsSource(variables: contents))
        self.prefix = prefix
    }

    /// The variables as text.
    public var snapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications; the variables never change.
    public var changeSource: PrefsChangeSource? { published.changes }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage {
    /// The environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> EnvironmentPrefsStorage {
        EnvironmentPrefsStorage(prefix: prefix)
    }
}
