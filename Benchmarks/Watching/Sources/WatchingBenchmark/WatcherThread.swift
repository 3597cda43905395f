import Glibc

/// What the kernel counts for the package's own thread.
struct WatcherThread {
    private let directory: String

    /// The first of them, if one runs.
    init?() {
        guard let tasks = opendir("/proc/self/task") else { return nil }
        defer { closedir(tasks) }
        while let entry = readdir(tasks) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            let directory = "/proc/self/task/" + name
            if Self.text(directory + "/comm") == "file-watching\n" {
                self.directory = directory
                return
            }
        }
        return nil
    }

    /// How often it went to sleep.
    var sleeps: Int {
        let lines = Self.text(directory + "/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }

    /// Nanoseconds it ran.
    var cpu: Int64 {
        Self.text(directory + "/schedstat").split(separator: " ").first.flatMap { Int64($0) } ?? 0
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
