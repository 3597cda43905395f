import LayeredPrefs

/// The keys of this daemon, declared once.
extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    static var port: Self { Self("http.port", defaultValue: 80, in: 1...65535) }
    static var workers: Self { Self("http.workers", defaultValue: 1) }
}

extension PersistentKeyProtocol where Self == PersistentKey<String> {
    static var host: Self { Self("http.host", defaultValue: "localhost") }
    static var logLevel: Self { Self("log.level", defaultValue: "notice") }
}

extension PersistentKeyProtocol where Self == PersistentKey<Bool> {
    static var telemetry: Self { Self("telemetry", defaultValue: true) }
}
