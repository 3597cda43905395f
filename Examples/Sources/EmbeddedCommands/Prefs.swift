import LayeredPrefs

/// What this program can be told.
@PrefsSchema final class Prefs {
    @Storage var storage = LayeredPrefsStorage.standard(domain: Configuration.domainName)

    @PrefGroup var http: HTTPPrefs

    /// How much is logged.
    @RawRepresentablePref(key: "log.level") var logLevel: LogLevel = .notice

    /// What callers have to know.
    @Pref(secret: true) var token: String?
}

/// Where requests are taken.
@PrefsGroup final class HTTPPrefs {
    /// The host to listen on.
    @Pref var host: String = "localhost"

    /// The port to listen on.
    @Pref(in: 1...65535, formerly: "listenPort") var port: Int = 8080

    /// How many requests are served at a time.
    @Pref(in: 1...64, needsRestart: true) var workers: Int = 4
}

enum LogLevel: String, CaseIterable, Sendable {
    case debug, notice, error
}
