import LayeredPrefsInspection
import LayeredPrefs
import PrefsSystem

/// Accepts connections on the loopback interface, each answered on a thread of its own.
final class HTTPServer: Sendable {
    let port: UInt16
    private let listener: CInt
    private let connections = Lock([Peer: Int]())

    /// The users of whom connections are counted: this one, and all others, who can have no session here but could
    /// use up what this one needs.
    private enum Peer { case own, other }

    private static let limits: [Peer: Int] = [.own: 64, .other: 16]

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for one that is free.
    init(port: UInt16) throws {
        let listener = openListener()
        guard listener >= 0 else { throw Self.failure("cannot create a socket", port) }
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound else {
            let failure = Self.failure("cannot listen", port)
            close(listener)
            throw failure
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// Starts to accept connections, until the process ends.
    func start(_ answer: @escaping @Sendable (HTTPRequest, HTTPConnection) -> Void) throws {
        let isStarted = BackgroundThread.start(named: "prefs-ui") { [self] in
            while true {
                let descriptor = acceptConnection(on: listener)
                // Out of descriptors: the connections that end free some.
                guard descriptor >= 0 else {
                    usleep(10_000)
                    continue
                }
                serve(HTTPConnection(adopting: descriptor), answer)
            }
        }
        if !isStarted { throw Self.failure("cannot start a thread", port) }
    }

    private func serve(
        _ connection: HTTPConnection, _ answer: @escaping @Sendable (HTTPRequest, HTTPConnection) -> Void
    ) {
        let peer: Peer = LoopbackPeer(connection.descriptor)?.user == geteuid() ? .own : .other
        let isServed = connections.withLock { counts in
            guard counts[peer, default: 0] < Self.limits[peer, default: 0] else { return false }
            counts[peer, default: 0] += 1
            return true
        }
        guard isServed else {
            _ = connection.send(HTTPResponse(.init(503, "too many connections")).bytes)
            return
        }
        let isStarted = BackgroundThread.start(named: "prefs-ui-answer") { [self] in
            do throws(HTTPRequest.Failure) {
                if let request = try connection.request() { answer(request, connection) }
            } catch {
                _ = connection.send(HTTPResponse(error).bytes)
            }
            connection.finish()
            connections.withLock { $0[peer, default: 0] -= 1 }
        }
        if !isStarted { connections.withLock { $0[peer, default: 0] -= 1 } }
    }

    private static func failure(_ reason: String, _ port: UInt16) -> PrefsError {
        let code = errno
        return PrefsError(
            .unwritable, errno: code, reason: "\(reason) on 127.0.0.1:\(port): \(Errno(code).text)")
    }
}

private func openListener() -> CInt {
    #if os(Linux)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
        socket(AF_INET, SOCK_STREAM, 0)
    #endif
}
