import LayeredPrefs

/// A whole configuration of forty fields.
struct Settings: Codable, Sendable {
    var http = HTTP()
    var relay = Relay()
    var cache = Cache()
    var groups = Groups()

    struct HTTP: Codable, Sendable {
        var port = 80
        var host = "localhost"
        var timeout = Duration.seconds(30)
        var keepsAlive = true
    }

    struct Cache: Codable, Sendable {
        var path = "/var/cache/bench"
        var size = PrefsByteCount.mebibytes(64)
        var lifetime = Duration.seconds(3600)
        var isShared = false
        var shards = 4
        var ratio = 0.5
    }

    struct Groups: Codable, Sendable {
        var first = Group()
        var second = Group()
    }

    struct Group: Codable, Sendable {
        var one = 1
        var two = 2
        var three = 3
        var name = "a name"
        var title = "a title that does not fit into sixteen bytes"
        var isOn = true
        var weight = 0.25
        var pause = Duration.milliseconds(100)
        var level = Relay.Level.info
        var tags = ["a", "b"]
    }
}
