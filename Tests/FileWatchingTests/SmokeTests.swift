import FileWatching
import Foundation
import Testing

@Test(arguments: [FileWatcherEngine.kernel, .inotifyTools, .polling])
func smoke(_ engine: FileWatcherEngine) throws {
    let dir = FileManager.default.temporaryDirectory.appendingPathComponent("fw-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: dir) }
    let watcher = FileWatcher(engine: engine, safetyPoll: nil)
    let recorder = Recorder()
    let path = dir + "/sub/file"
    let watch = watcher.watch(path) { recorder.record($0) }
    func sh(_ s: String) throws { let p = try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "cd \(dir) 2>/dev/null; " + s]); p.waitUntilExit() }
    var n = 0
    for s in ["mkdir -p \(dir)/sub; echo 1 > \(dir)/sub/file", "echo 2 > sub/file", "echo 33 > sub/t; mv sub/t sub/file", "rm sub/file", "echo 4 > sub/file", "rm sub/file; echo 55 > sub/file", "ln -sfn /etc/passwd sub/file", "rm -r sub", "mkdir sub2; echo x > sub2/file; mv sub2 sub"] {
        let start = ContinuousClock.now
        try sh(s)
        #expect(recorder.wait { $0.count > n }, "\(s)")
        print(engine, s, start.duration(to: .now), recorder.events.dropFirst(n).map(\.source))
        Thread.sleep(forTimeInterval: 0.4)
        n = recorder.events.count
    }
    print(watcher.status)
    watch.cancel()
}
