import LayeredPrefsTesting
import Testing

@Suite("The recorder") struct RecorderTests {
    @Test func aWaitReturnsWhatIsRecordedOnceItsConditionHolds() async throws {
        let recorder = Recorder<Int>()
        async let both = recorder.wait { $0.count == 2 }
        async let one = recorder.wait { $0.count == 1 }
        recorder.record(1)
        #expect(try await one == [1])
        recorder.record(2)
        #expect(try await both == [1, 2])
    }

    @Test func aWaitThatIsOverdueThrowsAndDisturbsNoOther() async throws {
        let recorder = Recorder<Int>()
        async let patient = recorder.wait { $0.contains(1) }
        await #expect(throws: RecorderTimeout.self) {
            try await recorder.wait(within: .milliseconds(1)) { $0.contains(2) }
        }
        recorder.record(1)
        #expect(try await patient == [1])
    }

    @Test func aCancelledWaitEnds() async {
        let task = Task { try await Recorder<Int>().wait { !$0.isEmpty } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
