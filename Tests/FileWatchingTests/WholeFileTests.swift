import Foundation
import PrefsSystem
import Testing

import FileWatching

/// A file that is written in place again and again. The revision of an event is always whole.
@Suite struct WholeFileTests {
    @Test(arguments: [FileWatcherEngine.kernel, .inotifyTools])
    func `the version of an event is whole, and so is what is read if it is the same`(
        _ engine: FileWatcherEngine
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.write("first", to: "f")
        let torn = Lock<[String]>([])
        let last = Recorder()
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let watch = watcher.watch(sandbox("f")) { event in
            let text = content(of: event.path)
            let signature = FileSignature(path: event.path)
            if event.signature?.size != 5 {
                torn.withLock { $0.append("event: \(String(describing: event.signature?.size))") }
            }
            if signature == event.signature, text?.utf8.count != 5 {
                torn.withLock { $0.append("text: \(text ?? "none")") }
            }
            last.record(event)
        }
        let script = "for i in 1 2 3 4 5 6 7 8 9; do printf other > f; printf new_$i > f; sleep 0.01; done"
        #expect(Shell.run(script, in: sandbox.path) == 0)
        #expect(last.wait { $0.last?.content == "new_9" })
        watch.cancel()
        #expect(torn.withLock { $0 } == [])
    }

    @Test(arguments: [FileWatcherEngine.kernel, .inotifyTools])
    func `a link that is removed and made again was never missing`(_ engine: FileWatcherEngine) throws {
        let sandbox = try Sandbox()
        #expect(
            Shell.run("mkdir d; printf old > d/old; printf new > d/new; ln -s d/old f", in: sandbox.path) == 0
        )
        let settling = FileSettling(quiet: .seconds(20), limit: .seconds(600), longQuiet: .seconds(60))
        let watcher = FileWatcher(engine: engine, settling: settling, safetyPoll: nil)
        let events = Recorder()
        let watch = watcher.watch(sandbox("f")) { events.record($0) }
        #expect(Shell.run("rm f; sleep 0.1; ln -s d/new f", in: sandbox.path) == 0)
        #expect(events.wait { $0.last?.content == "new" })
        watch.cancel()
        #expect(events.records.map(\.content) == ["new"])
    }
}
