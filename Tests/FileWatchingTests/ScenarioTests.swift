import FileWatching
import Foundation
import Testing

/// The engines under test. Without the trait `InotifyTools`, `.inotifyTools` is the kernel's inotify again.
let engines: [FileWatcherEngine] = [.kernel, .inotifyTools, .polling]

/// The number of repetitions of each scenario: `FILEWATCHING_REPEAT=100 ./Scripts/test --filter ScenarioTests`.
private let repetitions = ProcessInfo.processInfo.environment["FILEWATCHING_REPEAT"].flatMap(Int.init) ?? 1

@Suite struct ScenarioTests {
    @Test(arguments: Scenario.all, engines)
    func `every way of changing a file is noticed`(_ scenario: Scenario, _ engine: FileWatcherEngine) throws {
        if let obstacle = scenario.obstacle { try Test.cancel("\(obstacle)") }
        for _ in 0..<(engine == .polling ? 1 : repetitions) {
            let trial = try ScenarioRun(scenario, on: engine)
            try trial.begin()
            let records = trial.recorder.count
            try trial.change()
            trial.expectLastContent(after: records)
            trial.expectSources()
        }
    }

    @Test(arguments: Scenario.all, engines)
    func `the last content is read after back-to-back changes`(
        _ scenario: Scenario, _ engine: FileWatcherEngine
    ) throws {
        if let obstacle = scenario.obstacle { try Test.cancel("\(obstacle)") }
        let trial = try ScenarioRun(scenario, on: engine)
        try trial.begin()
        let records = trial.recorder.count
        try trial.change()
        for _ in 0..<(engine == .polling ? 1 : repetitions) {
            try trial.startOver()
            try trial.change()
        }
        trial.expectLastContent(after: records)
    }
}
