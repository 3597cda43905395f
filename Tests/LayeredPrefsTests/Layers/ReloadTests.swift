import Dispatch
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("reload()")
struct ReloadTests {
    /// When the test calls `reload()`, the watcher's thread may have read a drop-in without having notified
    /// its layer yet.
    @Test func `recheck commits what another thread has read before it returns`() async throws {
        let sandbox = try PrefsSandbox()
        let path = sandbox.vendor + ".d/10.plist"
        try sandbox.write("<plist>", to: path)
        let (began, begin) = AsyncStream<Void>.makeStream()
        let hasLooked = DispatchSemaphore(value: 0)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { diagnostic in
            guard diagnostic.severity == .recovered else { return }
            // The recovery is reported before the layer is notified. Block the watcher's thread in between.
            begin.yield()
            _ = hasLooked.wait(timeout: .now() + .seconds(5))
        }
        let place = PrefsFileLocations.System(path: sandbox.vendor)
        let storage = SystemPrefsStorage(locations: [place], options: options)
        let generation = try #require(storage.changeSource?.generation)
        try sandbox.write(["name": "ada"], to: path)
        for await _ in began { break }
        storage.reload()
        #expect(storage.changeSource?.generation != generation)
        #expect(storage.snapshot["name"] == "ada")
        hasLooked.signal()
    }
}
