import LayeredPrefs
import Logging

struct Relay: Codable, Sendable {
    var listen = Listener()
    var log = Log()
    @Setting("Sent to each client", validate: { $0.isEmpty ? "expected some text" : nil })
    var greeting = "hello"
    @Setting(secret: true) var token = ""
}

struct Listener: Codable, Sendable {
    var host = "127.0.0.1"
    @Setting(in: 1...65535) var port = 8080
}

struct Log: Codable, Sendable {
    var level = Logger.Level.info
}
