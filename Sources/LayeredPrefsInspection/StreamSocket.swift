package import PrefsSystem

/// A stream socket. It is closed when this object is released.
package final class StreamSocket: Sendable {
    package let descriptor: CInt

    private init(adopting descriptor: CInt) { self.descriptor = descriptor }

    /// Creates a socket of an address family such as `AF_UNIX`.
    package init(_ family: CInt) throws(Errno) {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Creates a socket that listens at a path. From the first moment on, only this user may connect.
    /// ``acceptConnection()`` does not wait for a client.
    static func listening(at path: String) throws(Errno) -> StreamSocket {
        let socket = try StreamSocket(AF_UNIX)
        try unsafe socket.withAddress(path) { unsafe bind($0, $1, $2) }
        guard unsafe chmod(path, 0o600) == 0, fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) == 0,
            listen(socket.descriptor, 8) == 0
        else { throw .last }
        return socket
    }

    /// Connects to the socket at a path.
    ///
    /// - Parameter seconds: The time limit for connecting, and then for each read or write; `nil` for no limit.
    /// - Throws: The system's error; `ETIMEDOUT` if the other process does not accept the connection in time.
    static func connected(to path: String, timeout seconds: Int? = nil) throws(Errno) -> StreamSocket {
        let socket = try StreamSocket(AF_UNIX)
        if let seconds { socket.setTimeout(seconds: seconds) }
        do {
            try unsafe socket.withAddress(path) { unsafe PrefsSystem.connect($0, $1, $2) }
        } catch {
            throw error.code == EAGAIN ? Errno(ETIMEDOUT) : error
        }
        return socket
    }

    /// Accepts a connection; `nil` if the client has gone. The connection itself waits when it reads or writes.
    package func acceptConnection() -> StreamSocket? {
        let connection = ps_accept(descriptor)
        return connection < 0 ? nil : StreamSocket(adopting: connection)
    }

    /// Ends the connection in both directions, even if another thread is reading or writing.
    func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Sets the time limit of reads and writes; 0 for no limit.
    package func setTimeout(seconds: Int) { setTimeout(.seconds(seconds)) }

    /// Sets the time limit of reads and writes; zero for no limit.
    func setTimeout(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// A process and its user.
    struct Peer: Equatable {
        var pid: pid_t
        var user: uid_t
    }

    /// The process at the other end when it connected or began to listen; `nil` if the kernel does not know it.
    var peer: Peer? {
        // `struct ucred`, which Glibc's module does not export: pid, uid, gid.
        var credentials: (pid_t, uid_t, gid_t) = (0, .max, 0)
        var size = socklen_t(MemoryLayout<(pid_t, uid_t, gid_t)>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        return result == 0 ? Peer(pid: credentials.0, user: credentials.1) : nil
    }

    private func withAddress(
        _ path: String, _ call: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(Errno) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Errno(ENAMETOOLONG) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withSocketAddress(&address) { address, size in
            unsafe call(descriptor, address, size)
        }
        guard result == 0 else { throw .last }
    }

    /// Receives some bytes. Returns none at the end, after an error, and after a timeout.
    package func receive() -> [UInt8] {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
            guard case .success(let count) = unsafe readBytes(descriptor, into: buffer) else { return [] }
            return unsafe Array(buffer[..<count])
        }
    }

    /// Sends bytes. Returns false if the peer is gone or does not read.
    package func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            // Suppress SIGPIPE: it would end the program if the peer has gone.
            let sent = unsafe rest.withUnsafeBytes { bytes in
                retryingInterrupts {
                    unsafe PrefsSystem.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
            }
            guard case .success(let count) = sent, count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Calls `body` with an address of any family, in the form that the socket functions take.
package func withSocketAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
) -> Result {
    var size = socklen_t(MemoryLayout<Address>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &size) }
    }
}

/// Reads and writes lines on a socket.
struct LineChannel {
    private let socket: StreamSocket
    private var received: [UInt8] = []

    init(_ socket: StreamSocket) { self.socket = socket }

    /// Returns the next line without its end. Returns `nil` at the end, after an error or a timeout, if the line
    /// is longer than `limit`, or if it is incomplete at the deadline.
    mutating func next(limit: Int, before deadline: ContinuousClock.Instant? = nil) -> [UInt8]? {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return Array(received[..<end])
            }
            searched = received.count
            guard received.count <= limit else { return nil }
            if let deadline {
                let rest = ContinuousClock.now.duration(to: deadline)
                // A shorter time could be rounded to zero, which means no time limit.
                guard rest >= .milliseconds(1) else { return nil }
                socket.setTimeout(rest)
            }
            let chunk = socket.receive()
            guard !chunk.isEmpty else { return nil }
            received += chunk
        }
    }

    /// Writes a line. Returns false if the peer is gone or does not read.
    func write(_ line: some Sequence<UInt8>) -> Bool {
        socket.send(Array(line) + [UInt8(ascii: "\n")])
    }
}
