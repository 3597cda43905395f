import LayeredPrefs

/// The preferences of this program.
@PrefsSchema final class Prefs {
    @Storage var storage = LayeredPrefsStorage.standard(domain: Configuration.domainName)

    @PrefGroup var http: HTTPPrefs

    /// The least severe level that is logged.
    @Pref(key: "log.level") var logLevel: LogLevel = .notice

    /// The token that clients must present.
    @Pref(secret: true) var token: String?
}

/// The preferences of the HTTP server.
@PrefsGroup final class HTTPPrefs {
    /// The host to listen on.
    @Pref var host: String = "localhost"

    /// The port to listen on.
    @Pref(in: 1...65535, formerly: "listenPort") var port: Int = 8080

    /// The number of requests served concurrently.
    @Pref(in: 1...64, needsRestart: true) var workers: Int = 4
}

enum LogLevel: String, CaseIterable, Sendable {
    case debug, notice, error
}
