import Foundation

/// What /proc tells about this process.
enum ProcessState {
    /// What each open descriptor is.
    static var descriptors: [Int32: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.reduce(into: [:]) { found, name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            if let number = Int32(name), let target { found[number] = target }
        }
    }

    /// How many descriptors are open, without the timers that the test runner makes.
    static var ownDescriptors: Int {
        descriptors.values.count { $0 != "anon_inode:[timerfd]" }
    }

    /// The inotify instances that this process opened.
    ///
    /// libinotifytools opens its own without close-on-exec, so a process that is started in the moment before
    /// the flag is set inherits one. `inherited` was read before anything else.
    static func inotifyDescriptors(besides inherited: [Int32]) -> [Int32] {
        allInotifyDescriptors.filter { !inherited.contains($0) }
    }

    static var allInotifyDescriptors: [Int32] {
        descriptors.filter { $0.value == "anon_inode:inotify" }.map(\.key)
    }

    /// The `open` flags of a descriptor.
    static func flags(of descriptor: Int32) -> Int? {
        field("flags", in: "/proc/self/fdinfo/\(descriptor)").flatMap { Int($0, radix: 8) }
    }

    /// How many inotify watches a descriptor has.
    static func watches(of descriptor: Int32) -> Int {
        text("/proc/self/fdinfo/\(descriptor)").components(separatedBy: "inotify wd:").count - 1
    }

    /// The /proc directories of the package's threads.
    static var watcherThreads: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.map { "/proc/self/task/" + $0 }.filter { text($0 + "/comm") == "file-watching\n" }
    }

    static func field(_ name: String, in file: String) -> String? {
        let line = text(file).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }

    /// Files of /proc have no size, so they are read to their end.
    private static func text(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }
}

/// Whether `condition` comes true before `timeout` is over, for what sends no event to wait for.
func eventually(_ timeout: Duration = .seconds(10), _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + timeout
    while !condition() {
        guard .now < deadline else { return false }
        // Between two looks; the wait ends with the condition or the deadline.
        usleep(1_000)
    }
    return true
}
