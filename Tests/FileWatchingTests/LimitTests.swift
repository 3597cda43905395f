import FileWatching
import Foundation
import Testing

private let isLimited = ProcessInfo.processInfo.environment["FILEWATCHING_LIMITED"] != nil

/// The kernel first denies inotify and grants it later. Each test runs in a user namespace with its own limits.
@Suite struct LimitTests {
    @Test(arguments: ["an instance limit degrades", "a watch limit degrades"])
    func `limits degrade watching inside a user namespace`(_ test: String) throws {
        guard Shell.run("unshare -Ur true 2> /dev/null", in: "/") == 0 else {
            try Test.cancel("requires permission to create a user namespace")
        }
        let program = URL(filePath: CommandLine.arguments[0]).path
        let arguments = "--testing-library swift-testing --filter '\(test)'"
        let command =
            program.hasSuffix(".xctest") || !program.contains("swiftpm-testing-helper")
            ? "'\(program)' \(arguments)"
            : "'\(program)' --test-bundle-path '\(CommandLine.arguments.last ?? "")' \(arguments)"
        let run = "FILEWATCHING_LIMITED=1 unshare -Ur \(command) > log 2>&1"
        let script = "\(run) && grep -q 'with 1 test' log || { cat log; exit 1; }"
        let sandbox = try Sandbox()
        #expect(Shell.run(script, in: sandbox.path) == 0)
    }
}

/// A directory that the process may search, but not read.
@Suite struct PermissionTests {
    @Test func `an unreadable directory degrades the path until it is readable`() async throws {
        guard getuid() == 0 else { try Test.cancel("requires root, to switch to another user") }
        await #expect(processExitsWith: .success) {
            let sandbox = try Sandbox()
            try #require(
                Shell.run("mkdir d; printf old > d/f; chmod 711 d; chmod 755 .", in: sandbox.path) == 0)
            try #require(seteuid(65_534) == 0)
            let watcher = FileWatcher(engine: .kernel, safetyPoll: nil)
            let recorder = Recorder()
            let watch = watcher.watch(sandbox("d/f")) { recorder.record($0) }
            try #require(watcher.status.paths.first?.engine == .polling)
            try #require(watcher.status.paths.first?.reason?.contains("read permission") == true)
            try #require(seteuid(0) == 0)
            try sandbox.replace("d/f", by: "new")
            try #require(recorder.hasCaughtUp(with: sandbox("d/f"), after: 0))
            try #require(Shell.run("chmod 755 d", in: sandbox.path) == 0)
            try #require(eventually { watcher.status.paths.first?.engine == .kernel })
            watch.cancel()
        }
    }
}

/// Tests that only ``LimitTests`` runs.
@Suite(.enabled(if: isLimited)) struct LimitedTests {
    private let sandbox: Sandbox
    private let watcher = FileWatcher(engine: .kernel, safetyPoll: nil)
    private let recorder = Recorder()

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("old", to: "f")
    }

    @Test func `a watch limit degrades the path until it is raised`() throws {
        try setLimit("watches", 1)
        try degradeAndRecover(saying: "raise fs.inotify.max_user_watches") {
            try setLimit("watches", 1000)
        }
    }

    @Test func `an instance limit degrades every path until it is raised`() throws {
        try setLimit("instances", 0)
        try degradeAndRecover(saying: "raise fs.inotify.max_user_instances") {
            try setLimit("instances", 100)
        }
    }

    private func degradeAndRecover(saying hint: String, raise: () throws -> Void) throws {
        let watch = watcher.watch(sandbox("f")) { [recorder] in recorder.record($0) }
        let path = try #require(watcher.status.paths.first)
        #expect(path.engine == .polling)
        #expect(path.reason?.contains(hint) == true)
        #expect(try noticesEdit(by: .poll))
        try raise()
        #expect(eventually { watcher.status.paths.first?.engine == .kernel })
        #expect(try noticesEdit(by: .inotify))
        watch.cancel()
    }

    /// Edits the file. Returns true if the watcher notices the edit through the expected source. A mount by
    /// another test makes the watcher check every path, perhaps before it would notice the edit otherwise.
    /// Only in that case, edits the file again.
    private func noticesEdit(by source: FileEvent.Source) throws -> Bool {
        while true {
            let count = recorder.count
            try sandbox.replace("f", by: "version \(count)")
            guard recorder.hasCaughtUp(with: sandbox("f"), after: count) else { return false }
            let found = recorder.records.last?.event.source
            if found != .mount { return found == source }
        }
    }

    private func setLimit(_ name: String, _ value: Int) throws {
        try Data("\(value)".utf8).write(to: URL(filePath: "/proc/sys/user/max_inotify_\(name)"))
    }
}
