import LayeredPrefsService
import LayeredPrefsTesting
import PrefsSystem
import Testing

extension NotifySocketTests {
    @Suite struct ServiceNotificationTests {
        @Test func `a service notifies its manager of a reload`() throws {
            let sandbox = try PrefsSandbox()
            let listener = try #require(NotifySocket(path: "\(sandbox.root)/notify"))
            unsafe setenv("NOTIFY_SOCKET", listener.path, 1)
            defer { unsafe unsetenv("NOTIFY_SOCKET") }
            var hasRun = false
            ServiceNotification.reloading { hasRun = true }
            #expect(hasRun)
            let first = try #require(listener.receive())
            #expect(first.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
            #expect(listener.receive() == "READY=1")
            ServiceNotification.stopping()
            #expect(listener.receive() == "STOPPING=1")
        }
    }
}
