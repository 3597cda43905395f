import Foundation

/// The state of this process, as /proc reports it.
enum ProcessState {
    /// The targets of the open descriptors, by number.
    static var descriptors: [Int32: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.reduce(into: [:]) { found, name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            if let number = Int32(name), let target { found[number] = target }
        }
    }

    /// The number of open descriptors, except the timers that the test runner creates.
    static var ownDescriptors: Int {
        descriptors.values.count { $0 != "anon_inode:[timerfd]" }
    }

    /// Returns the inotify instances that this process opened.
    ///
    /// libinotifytools opens its instance without close-on-exec, so a process that is started just before the
    /// flag is set inherits one. Read `inherited` before anything else.
    static func inotifyDescriptors(besides inherited: [Int32]) -> [Int32] {
        allInotifyDescriptors.filter { !inherited.contains($0) }
    }

    static var allInotifyDescriptors: [Int32] {
        descriptors.filter { $0.value == "anon_inode:inotify" }.map(\.key)
    }

    /// Returns the `open` flags of a descriptor.
    static func flags(of descriptor: Int32) -> Int? {
        field("flags", in: "/proc/self/fdinfo/\(descriptor)").flatMap { Int($0, radix: 8) }
    }

    /// Returns the number of inotify watches of a descriptor.
    static func watches(of descriptor: Int32) -> Int {
        text("/proc/self/fdinfo/\(descriptor)").components(separatedBy: "inotify wd:").count - 1
    }

    /// The /proc directories of the package's threads.
    static var watcherThreads: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.map { "/proc/self/task/" + $0 }.filter { text($0 + "/comm") == "prefs-loop\n" }
    }

    static func field(_ name: String, in file: String) -> String? {
        let line = text(file).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }

    /// Reads a file of /proc to its end, because such files have no size.
    private static func text(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }
}

/// Returns true if `condition` becomes true before `timeout` ends. It is for conditions without an event to
/// wait for.
func eventually(_ timeout: Duration = .seconds(60), _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + timeout
    while !condition() {
        guard .now < deadline else { return false }
        // This is the pause between two checks. The wait ends with the condition or the deadline.
        usleep(1_000)
    }
    return true
}
