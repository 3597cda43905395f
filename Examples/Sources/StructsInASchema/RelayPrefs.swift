import LayeredPrefs
import Logging

/// The host that receives the mail for a domain.
struct Route: Codable, Sendable {
    var domain: String
    var host: String
    var timeout: Duration
}

enum TLSVersion: String, Codable, CaseIterable, Sendable { case tls12 = "1.2", tls13 = "1.3" }

struct TLSOptions: Codable, Sendable {
    var minimum = TLSVersion.tls12
    var handshake = Duration.seconds(10)
    var certificate: String?
}

@PrefsSchema final class RelayPrefs {
    @Storage var storage: PrefsStack

    /// The routes of mail; a file that sets them replaces all of them.
    @Pref var routes: [Route] = []

    /// The protocol and certificate of connections; a file may set single fields.
    @Pref var tls: TLSOptions = TLSOptions()

    /// The time between two attempts to deliver a message.
    @Pref(in: .seconds(1) ... .seconds(86400)) var retry: Duration = .seconds(300)

    /// The size of the messages that may wait for delivery.
    @Pref(key: "queue.limit", in: .mebibytes(1) ... .gibibytes(1))
    var queueLimit: PrefsByteCount = .mebibytes(64)
}

extension PersistentKey where Value == Logger.Level {
    /// The least severe level to log.
    static var logLevel: Self { Self("log.level", defaultValue: .info) }
}
