import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Objects that a program creates and releases many times leave nothing behind.
///
/// `LEAKS=100000 ./Scripts/test --filter LeakTests` sets the number of times.
struct LeakTests {
    private static let rounds = ProcessInfo.processInfo.environment["LEAKS"].flatMap(Int.init) ?? 500

    /// Repeats a body many times, and expects the process to have as many files and threads afterwards as
    /// after the first tenth.
    ///
    /// Memory is compared only in long runs, with a leak of 200 bytes a round: in short runs the allocator's
    /// own growth is larger.
    static func repeating(_ body: (Int) throws -> Void) rethrows {
        for round in 0..<(rounds / 10) { try body(round) }
        #expect(eventually { FileWatcher.shared.status.paths.isEmpty && !isWatching })
        let (before, memory) = (ProcessCounts.now, ProcessCounts.residentMemory)
        for round in 0..<rounds { try body(round) }
        #expect(eventually { FileWatcher.shared.status.paths.isEmpty && !isWatching })
        #expect(eventually { ProcessCounts.now.files <= before.files })
        #expect(eventually { ProcessCounts.now.threads <= before.threads + 2 })
        guard rounds >= 8_000 else { return }
        let growth = ProcessCounts.residentMemory - memory
        #expect(growth < 1 << 20 + rounds * 200, "\(growth) bytes in \(rounds) rounds")
    }

    /// True while threads of the event loop exist. They end a moment after the last watch.
    private static var isWatching: Bool {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.contains { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name == "prefs-loop\n"
        }
    }

    @Test func `stacks that are dropped leave nothing`() async {
        await #expect(processExitsWith: .success) {
            let sandbox = try PrefsSandbox()
            try sandbox.write(["http": ["port": 1]], to: sandbox.vendor)
            try sandbox.write(["http": ["port": 2]], to: "\(sandbox.vendor).d/10-site.plist")
            try sandbox.write("http.host\n", to: sandbox.root + "/etc/xdg/com.example.myd.locks")
            try sandbox.write(["http": ["port": 3]], to: sandbox.user)
            try LeakTests.repeating { _ in
                let stack = sandbox.standard()
                let observation = stack.observe(PersistentKey("http.port", defaultValue: 0)) { _ in }
                try #require(stack.value(forKey: "http.port") == 3)
                observation.cancel()
            }
        }
    }

    @Test func `stacks that are dropped with their observations and locks leave nothing`() async {
        await #expect(processExitsWith: .success) {
            let sandbox = try PrefsSandbox()
            LeakTests.repeating { round in
                let stack = sandbox.standard()
                _ = stack.observe(PersistentKey("http.port", defaultValue: 0)) { [stack] _ in
                    _ = stack.value(forKey: "http.port")
                }
                _ = try? stack.set(PersistentKey("n", defaultValue: 0), to: round, in: .overrides)
            }
        }
    }

    @Test func `cancelled observers leave nothing`() async {
        await #expect(processExitsWith: .success) {
            let storage = DictionaryPrefsStorage()
            let stack = PrefsStack { PrefsLayer("memory", storage) }
            let key = PersistentKey("n", defaultValue: 0)
            LeakTests.repeating { round in
                let observation = stack.observe(key) { _ in }
                _ = try? storage.set(key, to: round)
                observation.cancel()
            }
        }
    }

    @Test func `cancelled streams leave nothing`() async {
        await #expect(processExitsWith: .success) {
            let storage = DictionaryPrefsStorage()
            let stack = PrefsStack { PrefsLayer("memory", storage) }
            let key = PersistentKey("n", defaultValue: 0)
            LeakTests.repeating { round in
                let isOver = Latch()
                let task = Task.detached {
                    for await _ in stack.values(for: key) { break }
                    isOver.open()
                }
                isOver.wait()
                task.cancel()
                _ = try? storage.set(key, to: round)
            }
        }
    }

    @Test func `file storages that are dropped leave nothing`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = try folder.write("<plist><dict><key>a</key><true/></dict></plist>", to: "f.plist")
            try LeakTests.repeating { _ in
                let storage = FilePrefsStorage(path: path)
                let observation = storage.changeSource?.observe {}
                try #require(storage.snapshot["a"] == true)
                observation?.cancel()
            }
        }
    }
}
