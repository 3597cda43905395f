import LayeredPrefsService
import LayeredPrefsTesting
import PrefsSystem
import Testing

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
    }
}

/// A socket like the one on which systemd receives notifications.
private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init?(path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0
            }
        }
        guard isBound else { return nil }
    }

    deinit { close(descriptor) }

    /// Returns a message that has arrived; sending blocks until it has.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
