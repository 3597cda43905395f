import LayeredPrefs

/// The keys of this daemon, declared once.
struct DaemonKeys: Sendable {
    let host = PersistentKey("http.host", defaultValue: "localhost")
    let port = PersistentKey("http.port", defaultValue: 80, in: 1...65535)
    let workers = PersistentKey("http.workers", defaultValue: 1)
    let logLevel = PersistentKey("log.level", defaultValue: "notice")
    let telemetry = PersistentKey("telemetry", defaultValue: true)
}

/// The same keys, for inspection and for the schema that the package installs.
final class DaemonPrefs: PrefsDeclaring {
    static let keys = PrefsKeyDescription.all(in: DaemonKeys())
}
