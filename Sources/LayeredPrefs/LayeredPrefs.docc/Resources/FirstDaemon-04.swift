import Dispatch
import Glibc

/// Sends a greeting to each client.
actor Server {
    private let greet: @Sendable () -> String
    private var source: (any DispatchSourceRead)?

    init(greet: @escaping @Sendable () -> String) { self.greet = greet }

    /// Opens a socket for a new address. Its clients wait until it is used; the old socket goes on meanwhile.
    func open(_ listener: Listener, insteadOf old: Listener?) throws -> Int32 {
        // The same port at another host, such as 0.0.0.0 instead of 127.0.0.1: both sockets have to agree to share it.
        let isShared = old?.port == listener.port
        if isShared, let source { set(SO_REUSEPORT, to: 1, on: Int32(source.handle)) }
        return try bound(listener, isShared: isShared)
    }

    /// Serves clients at a new socket, then closes the old one.
    func use(_ socket: Int32) async {
        let next = DispatchSource.makeReadSource(fileDescriptor: socket)
        next.setEventHandler { [greet] in _ = serve(socket, greet) }
        next.activate()
        let last = source
        source = next
        if let last { await end(last) }
        set(SO_REUSEPORT, to: 0, on: socket)
    }

    /// Closes a socket that is not used after all.
    func discard(_ socket: Int32) {
        close(socket)
        if let source { set(SO_REUSEPORT, to: 0, on: Int32(source.handle)) }
    }

    /// Serves the clients that still wait, and returns when the socket is closed, so that its port is free.
    private func end(_ source: any DispatchSourceRead) async {
        await withCheckedContinuation { ended in
            source.setCancelHandler { [greet] in
                let socket = Int32(source.handle)
                while serve(socket, greet) {}
                close(socket)
                ended.resume()
            }
            source.cancel()
        }
    }

    private func bound(_ listener: Listener, isShared: Bool) throws -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(listener.port).bigEndian
        guard inet_pton(AF_INET, listener.host, &address.sin_addr) == 1 else {
            throw Unusable(reason: "\(listener.host) is not an IPv4 address")
        }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        set(SO_REUSEADDR, to: 1, on: socket)
        if isShared { set(SO_REUSEPORT, to: 1, on: socket) }
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(socket, 128) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw Unusable(reason: "\(listener.host):\(listener.port): \(reason)")
        }
        return socket
    }
}

/// Accepts a client, and greets it; returns false if none is waiting.
private func serve(_ socket: Int32, _ greet: () -> String) -> Bool {
    let client = accept(socket, nil, nil)
    guard client >= 0 else { return false }
    let text = greet() + "\n"
    _ = write(client, text, text.utf8.count)
    close(client)
    return true
}

private func set(_ option: Int32, to value: Int32, on socket: Int32) {
    var value = value
    setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
}

struct Unusable: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
