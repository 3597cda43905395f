import LayeredPrefsInspection
import LayeredPrefs
import PrefsSystem

/// Accepts connections on the loopback interface and answers each on a thread of its own.
final class HTTPServer: Sendable {
    let port: UInt16
    private let listener: StreamSocket
    private let connections = Lock([Peer: Int]())

    /// The user behind a connection: this user, or any other. Connections are counted separately for both. Other
    /// users cannot have a session here, but they could use up all connections.
    private enum Peer { case own, other }

    private static let limits: [Peer: Int] = [.own: 64, .other: 16]

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for a free port.
    init(port: UInt16) throws {
        do throws(Errno) {
            listener = try StreamSocket(AF_INET)
        } catch {
            throw Self.failure("cannot create a socket", port, error)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = unsafe withSocketAddress(&address) { [listener] address, size in
            unsafe bind(listener.descriptor, address, size) == 0 && listen(listener.descriptor, 64) == 0
                && getsockname(listener.descriptor, address, &size) == 0
        }
        guard isBound else { throw Self.failure("cannot listen", port, .last) }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Starts to accept connections. This goes on until the process ends.
    func start(_ answer: @escaping @Sendable (HTTPRequest, HTTPConnection) -> Void) throws {
        let isStarted = BackgroundThread.start(named: "prefs-ui") { [self] in
            while true {
                // This process is out of descriptors. Connections that end will free some.
                guard let connection = listener.acceptConnection() else {
                    usleep(10_000)
                    continue
                }
                serve(HTTPConnection(connection), answer)
            }
        }
        if !isStarted { throw Self.failure("cannot start a thread", port, .last) }
    }

    private func serve(
        _ connection: HTTPConnection, _ answer: @escaping @Sendable (HTTPRequest, HTTPConnection) -> Void
    ) {
        let peer: Peer = LoopbackPeer(connection.socket)?.user == geteuid() ? .own : .other
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

    private static func failure(_ reason: String, _ port: UInt16, _ error: Errno) -> PrefsError {
        PrefsError(
            .unwritable, errno: error.code, reason: "\(reason) on 127.0.0.1:\(port): \(error.text)")
    }
}
