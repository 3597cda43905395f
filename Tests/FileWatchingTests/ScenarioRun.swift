import FileWatching
import Foundation
import Testing

/// A run of one scenario on one engine.
final class ScenarioRun {
    let recorder = Recorder()
    private let scenario: Scenario
    private let engine: FileWatcherEngine
    private let sandbox: Sandbox
    private var watch: FileWatch?

    init(_ scenario: Scenario, on engine: FileWatcherEngine) throws {
        self.scenario = scenario
        self.engine = engine
        sandbox = try Sandbox()
    }

    deinit {
        watch?.cancel()
        cleanUp()
    }

    private var path: String { sandbox(scenario.watched) }

    /// Prepares the directory and watches it. The safety poll is off unless only a poll can notice the change.
    func begin() throws {
        try run("before")
        let poll: Duration? = scenario.isSeenByPollOnly ? .milliseconds(200) : nil
        // A change by truncate(2) is noticed only at the limit.
        let settling = FileSettling(quiet: .milliseconds(50), limit: .seconds(1))
        let watcher = FileWatcher(engine: engine, settling: settling, safetyPoll: poll)
        watch = watcher.watch(path) { [recorder] in recorder.record($0) }
    }

    func change() throws {
        try run("change")
    }

    /// Empties the directory and prepares it again while the watch goes on.
    func startOver() throws {
        cleanUp()
        // Use the shell, because a name need not be UTF-8.
        try #require(Shell.run("find . -mindepth 1 -delete", in: sandbox.path) == 0)
        try run("before")
    }

    func expectLastContent(after count: Int) {
        let isSilent = engine == .polling && scenario.leavesNoTrace
        #expect(
            isSilent || recorder.hasCaughtUp(with: path, after: count),
            "\(scenario.name), \(engine): \(recorder.records), content: \(content(of: path) ?? "none")")
    }

    /// Expects that inotify noticed the change without polling, if inotify can see it.
    func expectSources() {
        var expected: Set<FileEvent.Source> = engine == .polling ? [.poll] : [.inotify, .mount]
        if scenario.isSeenByPollOnly { expected.insert(.poll) }
        #expect(
            recorder.records.allSatisfy { expected.contains($0.event.source) },
            "\(scenario.name), \(engine): \(recorder.records)")
    }

    private func cleanUp() {
        if let script = scenario.parts["after"] { _ = Shell.run(script, in: sandbox.path) }
    }

    private func run(_ part: Substring) throws {
        let status = Shell.run(scenario.parts[part] ?? "", in: sandbox.path)
        if status == 77 { try Test.cancel("\(scenario.name) cannot run on this machine") }
        try #require(status == 0)
    }
}
