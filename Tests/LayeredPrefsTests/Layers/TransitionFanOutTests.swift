import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct TransitionFanOutTests {
    private let received = Recorder<UInt64>()

    private func transition(_ generation: UInt64) -> PrefsTransition {
        PrefsTransition(
            old: PrefsSnapshot(generation: generation - 1, parts: []),
            new: PrefsSnapshot(generation: generation, parts: []), cause: .write, dirty: [PrefsPath("k")])
    }

    private func observer() -> TransitionObserver {
        let observer = TransitionObserver([PrefsPath("k")], on: nil, keepsEveryStep: false) { [received] in
            received.record($0.new.generation)
        }
        observer.queue.begin()
        return observer
    }

    @Test func `adding a transition posts nothing until the queue is drained`() async throws {
        let fanOut = TransitionFanOut(on: EventLoop(time: VirtualTime()))
        for _ in 0..<1000 { _ = fanOut.register(observer(), at: [PrefsPath("k")], after: 1) }
        fanOut.add(transition(2))
        #expect(received.elements.isEmpty)
        fanOut.drain()
        _ = try await received.wait { $0.count == 1000 }
    }

    @Test func `an observer receives the transitions after the generation it starts from`() async throws {
        let fanOut = TransitionFanOut(on: EventLoop(time: VirtualTime()))
        _ = fanOut.register(observer(), at: [PrefsPath("k")], after: 1)
        fanOut.add(transition(2))
        _ = fanOut.register(observer(), at: [PrefsPath("k")], after: 2)
        fanOut.add(transition(3))
        fanOut.drain()
        #expect(try await received.wait { $0.count == 3 }.sorted() == [2, 3, 3])
    }
}
