import Testing

@testable import PrefsSystem

@Suite struct LoopWaitTests {
    @Test(arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max), .zero, .seconds(-Int64.max)])
    func `a wait of any length ends when another thread wakes it`(length: Duration) throws {
        let wakeup = try #require(Wakeup())
        defer { wakeup.close() }
        let time = SystemTime()
        wakeup.signal()
        let until = time.now + length.clamped
        let wait = LoopWait(wakeup: wakeup, sources: [], delay: time.delay(until: until))
        #expect(wait.wait() == [])
    }

    @Test func `a wait returns the sources that have events`() throws {
        let (quiet, ready) = (try #require(Wakeup()), try #require(Wakeup()))
        defer { for wakeup in [quiet, ready] { wakeup.close() } }
        ready.signal()
        let sources = [quiet, ready].enumerated().map { number, wakeup in
            LoopSource(
                number: UInt64(number), descriptor: wakeup.descriptor, events: Int16(POLLIN), handler: { nil }
            )
        }
        #expect(LoopWait(wakeup: nil, sources: sources, delay: nil).wait() == [1])
    }
}
