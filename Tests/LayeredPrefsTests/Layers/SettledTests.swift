import Dispatch
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("reloadAndSettle()")
struct SettledTests {
    /// When the test calls `reloadAndSettle()`, the watcher's thread may have read a broken file without
    /// having reported it yet.
    @Test func `settled waits for the diagnostics of files already read`() async throws {
        let sandbox = try PrefsSandbox()
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (order, hasSettled) = (Recorder<String>(), DispatchSemaphore(value: 0))
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in
            begin.yield()
            // This is long enough for `reloadAndSettle()` to return first if it does not wait.
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

    private struct Relay: Codable, Sendable { var limit = 1 }

    private func stack(
        _ sandbox: PrefsSandbox, _ report: @escaping @Sendable (PrefsDiagnostic) -> Void
    ) -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler(report)
        return .daemon("relay", root: sandbox.root, environment: [:], arguments: [], options: options)
    }

    @Test func `it waits for the decision of closures that take a while`() async throws {
        let sandbox = try PrefsSandbox()
        let storage = stack(sandbox) { _ in }
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.limit) { _, new in
            // This is long enough for `reloadAndSettle()` to return first if it does not wait.
            try await Task.sleep(for: .milliseconds(200))
            if new == 3 { throw CancellationError() }
        }
        for (limit, expected) in [(2, 2), (3, 2), (4, 4)] {
            try sandbox.write("limit = \(limit)", to: "\(sandbox.root)/etc/relay/relay.toml")
            await storage.reloadAndSettle()
            #expect(relay.current.limit == expected)
            #expect(storage.rejections.isEmpty == (limit == expected))
        }
        applying.cancel()
    }

    @Test func `it waits for the report of unknown keys`() async throws {
        let sandbox = try PrefsSandbox()
        let reports = Recorder<String>()
        let storage = stack(sandbox) { reports.record("\($0.error.key ?? "-"): \($0.error.reason)") }
        let relay = try Live(Relay(), storage)
        try sandbox.write("limi = 2", to: "\(sandbox.root)/etc/relay/relay.toml")
        await storage.reloadAndSettle()
        #expect(reports.elements == ["limi: unknown key; did you mean “limit”?"])
        #expect(relay.current.limit == 1)
    }

    @Test func `within a closure it reports an error, as waiting for the decision does`() async throws {
        let sandbox = try PrefsSandbox()
        let reports = Recorder<String>()
        let storage = stack(sandbox) { reports.record("\($0.severity): \($0.error.reason)") }
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.limit) { [weak storage] _, _ in
            await storage?.reloadAndSettle()
            await storage?.applied()
        }
        try sandbox.write("limit = 2", to: "\(sandbox.root)/etc/relay/relay.toml")
        await storage.reloadAndSettle()
        #expect(relay.current.limit == 2)
        #expect(
            reports.elements == [
                "error: an `apply` handler cannot reload the files; nothing was read again",
                "error: `applied()` waits until all `apply` handlers have returned, so it cannot be called within one; "
                    + "nothing was waited for",
            ])
        applying.cancel()
    }
}
