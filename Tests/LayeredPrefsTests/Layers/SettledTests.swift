import Dispatch
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("What settled() waits for")
struct SettledTests {
    /// The watcher's thread may have read a broken file, and not yet have said so, when somebody asks.
    @Test func whatWasReadIsReported() async throws {
        let sandbox = try PrefsSandbox()
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (order, hasSettled) = (Recorder<String>(), DispatchSemaphore(value: 0))
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnostics { _ in
            begin.yield()
            // Long enough for whoever does not wait to say so.
            _ = hasSettled.wait(timeout: .now() + .milliseconds(200))
            order.record("reported")
        }
        let storage = sandbox.standard(options: options)
        try sandbox.write("<plist>", to: sandbox.user)
        for await _ in began { break }
        await storage.settled()
        order.record("settled")
        hasSettled.signal()
        #expect(order.elements == ["reported", "settled"])
    }
}
