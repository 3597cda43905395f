#if os(Linux)
    import CPrefsSystem
#endif
import PrefsSystem

/// A Unix-domain stream socket, closed once.
struct UnixSocket: ~Copyable {
    let descriptor: CInt

    init(adopting descriptor: CInt) { self.descriptor = descriptor }

    private init() throws(Errno) {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .last }
    }

    deinit { close(descriptor) }

    /// Creates a socket that listens at a path. Only this user may connect from the first moment on.
    static func listening(at path: String) throws(Errno) -> UnixSocket {
        let socket = try UnixSocket()
        try unsafe socket.withAddress(path) { unsafe bind($0, $1, $2) }
        guard unsafe chmod(path, 0o600) == 0, listen(socket.descriptor, 8) == 0 else { throw .last }
        return socket
    }

    /// Connects to the socket at a path.
    static func connected(to path: String) throws(Errno) -> UnixSocket {
        let socket = try UnixSocket()
        try unsafe socket.withAddress(path) { unsafe connect($0, $1, $2) }
        return socket
    }

    /// Ends the connection in both directions, also for a thread that is reading or writing.
    func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Limits the time that a read or write waits.
    func setTimeout(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// The user at the other end; `nil` if the kernel does not say.
    var peer: uid_t? {
        #if os(Linux)
            // `struct ucred`, which Glibc's module does not export: pid, uid, gid.
            var credentials: (pid_t, uid_t, gid_t) = (0, .max, 0)
            var size = socklen_t(MemoryLayout<(pid_t, uid_t, gid_t)>.size)
            let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
            return result == 0 ? credentials.1 : nil
        #else
            var (user, group) = (uid_t.max, gid_t.max)
            return unsafe getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #endif
    }

    private func withAddress(
        _ path: String, _ call: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(Errno) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Errno(ENAMETOOLONG) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe call(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .last }
    }
}

/// Reads and writes lines on a socket. The caller keeps the socket open.
struct LineChannel {
    private let descriptor: CInt
    private var received: [UInt8] = []

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Returns the next line without its end; `nil` at the end, after an error or a timeout, and if the line
    /// is longer than `limit`.
    mutating func next(limit: Int) -> [UInt8]? {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return Array(received[..<end])
            }
            searched = received.count
            guard received.count <= limit else { return nil }
            let chunk = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
                guard case .success(let count) = unsafe readBytes(descriptor, into: buffer), count > 0 else {
                    return [UInt8]()
                }
                return unsafe Array(buffer[..<count])
            }
            guard !chunk.isEmpty else { return nil }
            received += chunk
        }
    }

    /// Writes a line; returns false if the peer is gone or does not read.
    func write(_ line: some Sequence<UInt8>) -> Bool {
        var rest = (Array(line) + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            // Without SIGPIPE, which would end the program if the client has gone.
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Accepts a connection; returns -1 if the client has gone.
package func acceptConnection(on listener: CInt) -> CInt {
    #if os(Linux)
        ps_accept(listener)
    #else
        unsafe accept(listener, nil, nil)
    #endif
}
