public import FoundationEssentials

/// The environment variables of this process as a read-only layer of text.
///
/// A key has exactly one variable: `http.readTimeout` is `MYD_HTTP_READ_TIMEOUT` under the prefix `MYD_`.
/// The text is parsed by the key's type; text that does not parse is refused and the layer beneath answers.
/// The environment is read once, when the storage is made.
public final class EnvironmentPrefsStorage: PrefsStorage {
    private let published: PublishedSource

    /// - Parameters:
    ///   - prefix: What every variable's name begins with, underscore included.
    ///   - environment: The variables; this process's by default.
    public init(prefix: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let contents = EnvironmentVariables(prefix: prefix, variables: environment)
        published = PublishedSource(PrefsSource(.variables(contents), isText: true))
    }

    public var snapshot: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { published.changes }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage {
    /// The environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> EnvironmentPrefsStorage {
        EnvironmentPrefsStorage(prefix: prefix)
    }
}
