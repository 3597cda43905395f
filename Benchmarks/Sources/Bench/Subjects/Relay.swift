import LayeredPrefs
import Synchronization

/// A struct of ten fields.
struct Relay: Codable, Equatable, Sendable {
    var host = "relay.example.org, a name that does not fit into sixteen bytes"
    var port = 25
    var banner = "ready"
    var timeout = Duration.seconds(30)
    var weight = 0.5
    var isEnabled = true
    var retries = 3
    var spool = PrefsByteCount.mebibytes(64)
    var level = Level.info
    var names = ["mx1", "mx2"]

    enum Level: String, Codable, CaseIterable, Sendable { case debug, info, warning }
}

extension PersistentKey where Value == Relay {
    static var relay: Self { relayKey }
}

/// A constant key, so that it keeps the last decoded value.
private let relayKey = PersistentKey("relay", defaultValue: Relay())

/// A struct that counts how often each numbered value is decoded.
struct CountedRoute: Codable, Equatable, Sendable {
    static let decodings = Mutex<[Int: Int]>([:])

    var number: Int
    var timeout = Duration.seconds(30)
    var host = "host"

    init(number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let number = try container.decode(Int.self, forKey: .number)
        self.number = number
        timeout = try container.decode(Duration.self, forKey: .timeout)
        host = try container.decode(String.self, forKey: .host)
        Self.decodings.withLock { $0[number, default: 0] += 1 }
    }
}
