import LayeredPrefs

/// The kernel's limits on inotify, per user; `nil` where they cannot be read.
struct WatchLimits {
    let instances: Int?
    let watches: Int?

    init() {
        instances = Self.read("max_user_instances")
        watches = Self.read("max_user_watches")
    }

    /// A remark on a limit that is too low for several programs that watch files.
    var remark: String? {
        if let instances, instances < 64 {
            return
                "fs.inotify.max_user_instances is \(instances); raise it, or this user's programs may have to poll"
        }
        if let watches, watches < 1024 {
            return
                "fs.inotify.max_user_watches is \(watches); raise it, or this user's programs may have to poll"
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
