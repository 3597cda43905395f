import LayeredPrefsTesting
import Testing

@Suite("Recorder") struct RecorderTests {
    @Test func `a wait returns the recorded elements once its condition holds`() async throws {
        let recorder = Recorder<Int>()
        async let both = recorder.wait { $0.count == 2 }
        async let one = recorder.wait { $0.count == 1 }
        recorder.record(1)
        #expect(try await one == [1])
        recorder.record(2)
        #expect(try await both == [1, 2])
    }

    @Test func `a wait returns the elements of the moment at which its condition held`() async throws {
        let recorder = Recorder<Int>()
        let (checks, check) = AsyncStream<Void>.makeStream()
        async let one = recorder.wait { elements in
            check.yield()
            return elements.count == 1
        }
        // The wait has begun when it has checked its condition.
        for await _ in checks { break }
        recorder.record(1)
        recorder.record(2)
        #expect(try await one == [1])
    }

    @Test func `a wait that times out throws and does not affect others`() async throws {
        let recorder = Recorder<Int>()
        async let patient = recorder.wait { $0.contains(1) }
        await #expect(throws: RecorderTimeout.self) {
            try await recorder.wait(within: .milliseconds(1)) { $0.contains(2) }
        }
        recorder.record(1)
        #expect(try await patient == [1])
    }

    @Test func `a condition is checked once more when the time has passed`() async throws {
        let checks = Recorder<Int>()
        let elements = try await Recorder<Int>().wait(within: .milliseconds(1)) { _ in
            checks.record(1)
            return checks.elements.count == 2
        }
        #expect(elements.isEmpty)
    }

    @Test func `a cancelled wait ends`() async {
        let task = Task { try await Recorder<Int>().wait { !$0.isEmpty } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
