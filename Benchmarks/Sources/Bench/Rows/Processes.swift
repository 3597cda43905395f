import CMeasuring
import FileWatching
import Foundation
import LayeredPrefs
import PrefsDocuments

/// The costs of a whole process: memory, startup, and activity while it is idle.
enum Processes {
    static let group = "The whole process"

    static let rows = [
        Row(
            "memory.100000", in: group, "100,000 keys held", unit: "MB",
            how: "anonymous memory according to smaps_rollup after malloc_trim, in one process per contender",
            measure: memory),
        Row(
            "start.first-value", in: group, "Process start to the first typed value, five layers",
            unit: "ms",
            how: """
                wall clock from posix_spawn until the program's output can be read, or until waitpid returns, \
                when the kernel has closed inotify; statically linked release programs
                """,
            measure: start),
        Row(
            "idle.wakeups", in: group, "Five layers while nothing happens", unit: "wake-ups",
            how: "voluntary context switches of all other threads in 5 s", measure: idle),
        Row(
            "idle.safety-poll", in: group, "With a safety poll every second", unit: "wake-ups",
            how: "voluntary context switches of all other threads in 5 s; 5 are due to the polls",
            measure: polling),
    ]

    // MARK: memory

    private static func memory(_ turns: inout Turns) throws {
        let folder = try Folder()
        let path = folder.path + "/large.plist"
        try folder.write(PropertyList.text(PropertyList.sample(100_000)), to: "large.plist")
        let parsed = "the parsed dictionary"
        let kinds: [(String, Figure.Role, String)] = [
            (parsed, .floor, "parsed"), ("a file layer", .ours, "file"),
            ("a dictionary layer", .ours, "dictionary"), ("Foundation's parsed Any", .peer, "foundation"),
        ]
        for (name, role, kind) in kinds {
            let bytes = try (0..<3).map { _ in try heap(kind, path) }
            turns.add(name, role, bytes.map { $0 / 1e6 })
        }
        turns.expect("a file layer", .atMost, 1.2, parsed)
        turns.expect("a dictionary layer", .atMost, 1.2, parsed)
    }

    /// Runs this program again to hold one object. Returns the bytes that the object takes.
    private static func heap(_ kind: String, _ path: String) throws -> Double {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--hold", kind, path]
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
    }

    private static func contents(of data: Data) throws -> [String: PrefsValue] {
        try PrefsDocument(parsing: [UInt8](data), as: .xmlPropertyList).content
    }

    /// Runs in the child process: holds one object, prints its bytes and returns.
    static func hold(_ kind: String, _ path: String) throws {
        let parse = { try contents(of: Data(contentsOf: URL(filePath: path))) }
        // Memory that is allocated once, on first use, must not count for any contender.
        _ = try contents(of: Data(PropertyList.text(PropertyList.sample(10)).utf8))
        _ = FilePrefsStorage(path: path + ".none")
        let before = bench_anonymous_bytes()
        var kept: Any = 0
        switch kind {
        case "parsed": kept = try parse()
        case "file": kept = stack(FilePrefsStorage(path: path))
        case "dictionary": kept = stack(DictionaryPrefsStorage(values: try parse()))
        default:
            kept = try PropertyListSerialization.propertyList(
                from: Data(contentsOf: URL(filePath: path)), format: nil)
        }
        withExtendedLifetime(kept) { print(bench_anonymous_bytes() - before) }
    }

    private static func stack(_ storage: any PrefsStorage) -> PrefsStack {
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.user, storage) }
        precondition(stack.get(.sample(50_000)) == 50_000)
        return stack
    }

    // MARK: start

    private static func start(_ turns: inout Turns) throws {
        // Do not use the folder for temporary files. To watch a folder, the kernel visits every name in its cache
        // for that folder, and these may include a million deleted files.
        let folder = try Folder.here()
        try folder.write(FiveLayers.user(port: 8443), to: "user.plist")
        try folder.write(PropertyList.text(FiveLayers.system), to: "system.plist")
        setenv("BENCH_FOLDER", folder.path, 1)
        guard let empty = Peer.path(of: "StartEmpty"), let prefs = Peer.path(of: "StartPrefs") else {
            return turns.skip("all", because: "StartEmpty and StartPrefs are not built; run Scripts/bench")
        }
        try turns.alternate(
            samples: 101,
            [
                Contender("an empty program with FoundationEssentials", .floor) { bench_run(empty, 0) },
                Contender("five layers, one value", .ours) { bench_run(prefs, 0) },
                Contender("five layers, until it has ended", .ours) { bench_run(prefs, 1) },
            ])
        for statistic in [Goal.Statistic.least, .median] {
            turns.expect(
                "five layers, one value", .above, 2, "an empty program with FoundationEssentials",
                by: statistic)
        }
    }

    // MARK: idle

    private static func idle(_ turns: inout Turns) throws {
        let layers = try FiveLayers(in: .here())
        let observation = layers.storage.observe(.port) { _ in }
        turns.add("five layers, one observer", .ours, [wakeUps()])
        observation.cancel()
        turns.expect("five layers, one observer", .absolute, 0)
    }

    private static func polling(_ turns: inout Turns) throws {
        let folder = try Folder.here()
        try folder.write(FiveLayers.user(port: 1), to: "user.plist")
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .kernel, safetyPoll: .seconds(1))
        let storage = FilePrefsStorage(path: folder.path + "/user.plist", options: options)
        turns.add("a file storage", .ours, [wakeUps()])
        withExtendedLifetime(storage) {}
        turns.expect("a file storage", .absolute, 6)
    }

    /// Returns the wake-ups of all other threads within five seconds, after the setup has settled.
    private static func wakeUps() -> Double {
        usleep(1_000_000)
        let before = OtherThreads.sleeps()
        usleep(5_000_000)
        let after = OtherThreads.sleeps()
        // The count of a thread that has ended is lost. Ending woke the thread once.
        let ended = before.keys.filter { after[$0] == nil }.count
        return Double(after.map { $0.value - (before[$0.key] ?? 0) }.reduce(ended, +))
    }
}

/// The kernel's counters of this process's other threads.
private enum OtherThreads {
    /// Returns how often each of these threads went to sleep, by thread ID.
    static func sleeps() -> [String: Int] {
        let own = "\(bench_thread_id())"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return Dictionary(uniqueKeysWithValues: names.filter { $0 != own }.map { ($0, sleeps(of: $0)) })
    }

    private static func sleeps(of thread: String) -> Int {
        let status =
            (try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
}
