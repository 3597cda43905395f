import Dispatch
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("reloadAndSettle()")
struct SettledTests {
    /// The watcher's thread may have read a broken file, but not yet reported it, when the test calls
    /// reloadAndSettle().
    @Test func `settled waits for the diagnostics of files already read`() async throws {
        let sandbox = try PrefsSandbox()
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (order, hasSettled) = (Recorder<String>(), DispatchSemaphore(value: 0))
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnostics { _ in
            begin.yield()
            // Long enough for reloadAndSettle() to return first if it does not wait.
            _ = hasSettled.wait(timeout: .now() + .milliseconds(200))
            order.record("reported")
        }
        let storage = sandbox.standard(options: options)
        try sandbox.write("<plist>", to: sandbox.user)
        for await _ in began { break }
        await storage.reloadAndSettle()
        order.record("settled")
        hasSettled.signal()
        #expect(order.elements == ["reported", "settled"])
    }
}
