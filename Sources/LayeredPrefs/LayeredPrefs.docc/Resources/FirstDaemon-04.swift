import Dispatch
import Glibc

/// Sends a greeting to each client.
actor Server {
    private let greet: @Sendable () -> String
    private var source: (any DispatchSourceRead)?

    init(greet: @escaping @Sendable () -> String) { self.greet = greet }

    /// Opens the new socket, then closes the old one. If the new one cannot be opened, the old one stays.
    func listen(on listener: Listener) async throws {
        let socket = try open(listener)
        let next = DispatchSource.makeReadSource(fileDescriptor: socket)
        next.setEventHandler { [greet] in
            let client = accept(socket, nil, nil)
            guard client >= 0 else { return }
            let text = greet() + "\n"
            _ = write(client, text, text.utf8.count)
            close(client)
        }
        next.activate()
        let last = source
        source = next
        if let last { await end(last) }
    }

    /// Returns when the socket is closed, so that its port is free.
    private func end(_ source: any DispatchSourceRead) async {
        await withCheckedContinuation { ended in
            source.setCancelHandler {
                close(Int32(source.handle))
                ended.resume()
            }
            source.cancel()
        }
    }

    private func open(_ listener: Listener) throws -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(listener.port).bigEndian
        guard inet_pton(AF_INET, listener.host, &address.sin_addr) == 1 else {
            throw Unusable(reason: "\(listener.host) is not an IPv4 address")
        }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(socket, 16) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw Unusable(reason: "\(listener.host):\(listener.port): \(reason)")
        }
        return socket
    }
}

struct Unusable: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
