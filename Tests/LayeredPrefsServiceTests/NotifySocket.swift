import Dispatch
import PrefsSystem
import Testing

/// The tests that set `NOTIFY_SOCKET`, which the whole process shares.
@Suite(.serialized) struct NotifySocketTests {}

/// A socket like the one that systemd receives notifications on.
final class NotifySocket: Sendable {
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

    /// Returns a message that has arrived. Sending blocks until it has arrived.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }

    /// Returns the next message, waiting as long as the whole suite may take.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&ready, 1, 1_200_000)
                continuation.resume(returning: receive())
            }
        }
    }
}
