import CMeasuring
import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import Synchronization

/// Writes in memory while a client asks for every value again and again. The client must not delay the writer.
enum Inspecting {
    static var rows: [Row] {
        [
            Row(
                "publish.inspected", in: Writes.group, "One key of 100,000, while clients list all of them",
                unit: "µs", how: "wall-clock time of the writing thread, in loops of 2 ms", measure: inspected
            )
        ]
    }

    private static func inspected(_ turns: inout Turns) throws {
        let folder = try Folder()
        let storage = Writes.stack(of: 100_000)
        let inspection = try storage.serveInspection(domain: "bench", in: folder.path)
        let client = Client(of: inspection.path)
        var number = 0
        func writes(_ name: String, before prepare: @escaping () -> Void) -> Contender {
            Contender(name, .ours) {
                prepare()
                let count = 500
                let time = wallTime {
                    for _ in 0..<count {
                        number += 1
                        _ = try? storage.set(.subject, to: number, in: .overrides)
                    }
                }
                return time / Double(count) / 1000
            }
        }
        try turns.alternate([
            writes("idle") { client.pause() }, writes("while inspected") { client.resume() },
        ])
        client.stop()
        precondition(client.answers > 0, "no list was answered")
        turns.expect("while inspected", .atMost, 1.05, "idle", by: .median)
        inspection.close()
    }

    /// A thread that asks for all values until it is stopped.
    private final class Client: Sendable {
        private let isRunning = Mutex(false)
        private let isStopped = Atomic(false)
        private let answered = Atomic(0)

        init(of path: String) {
            Thread.detachNewThread { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    let didAnswer = isRunning.withLock { isRunning in
                        isRunning && bench_ask(path, "{\"request\":\"list\"}\n") > 1_000_000
                    }
                    if didAnswer { answered.add(1, ordering: .relaxed) } else { usleep(100) }
                }
            }
        }

        var answers: Int { answered.load(ordering: .relaxed) }

        /// Pauses. Returns when no request is being answered.
        func pause() { isRunning.withLock { $0 = false } }

        /// Resumes. When this returns, the client has most likely sent a request.
        func resume() {
            isRunning.withLock { $0 = true }
            usleep(20_000)
        }

        func stop() {
            pause()
            isStopped.store(true, ordering: .relaxed)
        }
    }
}
