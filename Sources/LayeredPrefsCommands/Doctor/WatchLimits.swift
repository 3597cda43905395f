import LayeredPrefs

/// The kernel's limits on inotify, per user; `nil` where they cannot be read.
struct WatchLimits {
    let instances: Int?
    let watches: Int?

    init() {
        instances = Self.read("max_user_instances")
        watches = Self.read("max_user_watches")
    }

    /// A remark about a limit that is too low for several programs that watch files.
    var remark: String? {
        let limits = [("max_user_instances", instances, 64), ("max_user_watches", watches, 1024)]
        for case (let name, let limit?, let least) in limits where limit < least {
            return "fs.inotify.\(name) is \(limit); raise it, or this user's programs may have to poll"
        }
        return nil
    }

    var json: OrderedJSON {
        .object([
            ("instances", instances.map { OrderedJSON($0) } ?? .null),
            ("watches", watches.map { OrderedJSON($0) } ?? .null),
        ])
    }

    private static func read(_ name: String) -> Int? {
        guard let (bytes, _) = try? PrefsFileReader.read("/proc/sys/fs/inotify/\(name)") else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber))
    }
}
