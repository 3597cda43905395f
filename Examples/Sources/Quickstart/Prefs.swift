import LayeredPrefs

struct Listener: Codable, Sendable { var host = "127.0.0.1", port = 8080 }
enum LogLevel: String, CaseIterable { case debug, info, warning, error }

@PrefsSchema final class Prefs {
    @Storage var storage = LayeredPrefsStorage.standard(domain: "com.example.myd")

    @Pref var http: Listener = Listener()
    @Pref(key: "log.level") var logLevel: LogLevel = .info
    @Pref(in: .seconds(1) ... .seconds(300)) var timeout: Duration = .seconds(30)
}
