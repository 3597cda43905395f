import FoundationEssentials
import PrefsSystem

/// Notifications to systemd about the state of a service, as `sd_notify(3)` sends them.
///
/// If systemd did not start the service, they have no effect. A service of `Type=notify-reload` wraps its reload in
/// `reloading`: systemd sends SIGHUP and waits for both messages.
///
/// ```swift
/// import LayeredPrefsService
///
/// ServiceNotification.ready()
/// // … on SIGHUP:
/// ServiceNotification.reloading { storage.reload() }
/// ```
public enum ServiceNotification {
    /// Notifies systemd that the service has started.
    public static func ready() { send("READY=1") }

    /// Notifies systemd that the service is reloading, runs `body`, and notifies it that it is ready.
    ///
    /// The second notification is sent even if `body` throws.
    public static func reloading<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        sendReloading()
        defer { ready() }
        try body()
    }

    /// Notifies systemd that the service is reloading, awaits `body`, and notifies it that it is ready.
    ///
    /// The second notification is sent even if `body` throws. If `body` awaits `PrefsStack.settled()`,
    /// `systemctl reload` returns when the program has taken over the changes.
    public static func reloading<Failure: Error>(
        _ body: () async throws(Failure) -> Void
    ) async throws(Failure) {
        sendReloading()
        defer { ready() }
        try await body()
    }

    private static func sendReloading() {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int(now.tv_sec) * 1_000_000 + now.tv_nsec / 1000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// Sends systemd one line of text about the service's state, which `systemctl status` shows.
    public static func status(_ text: String) {
        send("STATUS=\(text.map { $0.isNewline ? " " : $0 }.reduce(into: "") { $0.append($1) })")
    }

    /// Notifies systemd that the service is about to stop.
    public static func stopping() { send("STOPPING=1") }

    /// Sends a message to the socket that `NOTIFY_SOCKET` names; a name that begins with `@` is in the
    /// abstract namespace.
    private static func send(_ message: String) {
        guard let name = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(message.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, bytes, bytes.count, 0, address, length)
            }
        }
    }
}
