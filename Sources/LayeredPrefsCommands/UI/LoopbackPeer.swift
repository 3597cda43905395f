import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The user at the other end of a loopback connection, according to the kernel's table of sockets.
struct LoopbackPeer {
    let user: uid_t

    /// Looks up the peer of a connection; `nil` if the peer is not in the table, or if there is no table.
    init?(_ socket: StreamSocket) {
        guard let near = unsafe Self.port(socket, getsockname),
            let far = unsafe Self.port(socket, getpeername)
        else {
            return nil
        }
        // The IPv6 table lists sockets that reach 127.0.0.1 as ::ffff:127.0.0.1.
        for (file, address) in [
            ("tcp", "0100007F"), ("tcp6", "0000000000000000FFFF00000100007F"),
        ] {
            guard let table = try? PrefsFileReader.read("/proc/net/\(file)") else { continue }
            let (local, remote) = ("\(address):\(far)", "\(address):\(near)")
            for line in table.bytes.split(separator: UInt8(ascii: "\n")) {
                let words = String(decoding: line, as: UTF8.self).split(separator: " ")
                guard words.count > 9, words[1] == local, words[2] == remote else { continue }
                // The table shows root as the owner of a socket that no process holds any more.
                guard words[9] != "0", let user = uid_t(words[7]) else { return nil }
                self.user = user
                return
            }
        }
        return nil
    }

    private typealias Call = (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt

    /// Returns a port as the table spells it.
    private static func port(_ socket: StreamSocket, _ call: Call) -> String? {
        var address = sockaddr_in()
        let result = unsafe withSocketAddress(&address) { unsafe call(socket.descriptor, $0, &$1) }
        guard result == 0 else { return nil }
        let digits = String(UInt16(bigEndian: address.sin_port), radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
