import FileWatching
import Foundation
import Testing

/// Many swaps of a ConfigMap's `..data`. The watcher must not miss any of them. `FILEWATCHING_REPEAT=5000`
/// makes that many swaps.
@Suite struct SwapTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["FILEWATCHING_REPEAT"].flatMap(Int.init) ?? 50

    @Test(arguments: [FileWatcherEngine.kernel, .inotifyTools])
    func `every swap is noticed with its content`(_ engine: FileWatcherEngine) throws {
        let sandbox = try Sandbox()
        let files = FileManager.default
        func makeFolder(_ round: Int) throws {
            try files.createDirectory(atPath: sandbox("..\(round)"), withIntermediateDirectories: false)
            try sandbox.write("\(round)", to: "..\(round)/f")
        }
        try makeFolder(0)
        try files.createSymbolicLink(atPath: sandbox("..data"), withDestinationPath: "..0")
        try files.createSymbolicLink(atPath: sandbox("f"), withDestinationPath: "..data/f")
        let recorder = Recorder()
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let watch = watcher.watch(sandbox("f")) { recorder.record($0) }
        for round in 1...Self.rounds {
            try makeFolder(round)
            try files.createSymbolicLink(atPath: sandbox("..tmp"), withDestinationPath: "..\(round)")
            try #require(unsafe rename(sandbox("..tmp"), sandbox("..data")) == 0)
            try files.removeItem(atPath: sandbox("..\(round - 1)"))
            let isSeen = recorder.wait(.seconds(60)) { $0.last?.content == "\(round)" }
            try #require(isSeen, "round \(round): \(recorder.records.suffix(3))")
        }
        watch.cancel()
    }
}
