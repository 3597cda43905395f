import LayeredPrefs

/// The keys of this daemon, declared once.
extension PersistentKey where Value == Int {
    static var port: Self { Self("http.port", defaultValue: 80, in: 1...65535) }
    static var workers: Self { Self("http.workers", defaultValue: 1) }
}

extension PersistentKey where Value == String {
    static var host: Self { Self("http.host", defaultValue: "localhost") }
    static var logLevel: Self { Self("log.level", defaultValue: "notice") }
}

extension PersistentKey where Value == Bool {
    static var telemetry: Self { Self("telemetry", defaultValue: true) }
}

/// The declared keys, for inspection and for the schema that the package installs.
final class DaemonPrefs: PrefsDeclaring {
    static var keys: [PrefsKeyDescription] {
        [
            PrefsKeyDescription(.host), PrefsKeyDescription(.port), PrefsKeyDescription(.workers),
            PrefsKeyDescription(.logLevel), PrefsKeyDescription(.telemetry),
        ]
    }
}
