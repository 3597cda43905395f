#if Etcd
    import Foundation
    import PrefsSystem

    @testable import LayeredPrefsEtcd

    /// A TCP proxy on the loopback interface. Tests use it to cut connections.
    final class Proxy: Sendable {
        private struct State {
            var sockets: Set<Int32> = []
            var isCut = false
            var isFrozen = false
        }

        let port: UInt16
        private let listener: Int32
        private let target: UInt16
        private let state = Lock(State())

        var url: String { "http://127.0.0.1:\(port)" }

        init(to target: UInt16) throws {
            self.target = target
            (listener, port) = try FakeServer.listen()
            // The proxy and the thread live as long as the tests' process.
            Thread.detachNewThread { [self] in
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { return }
                    join(client)
                }
            }
        }

        /// Resets the connections, and rejects new ones until the cut is undone.
        func cut(_ isCut: Bool) {
            let sockets = state.withLock { state in
                state.isCut = isCut
                return isCut ? state.sockets : []
            }
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }

        /// Keeps the connections open, but delivers nothing until the freeze is undone.
        func freeze(_ isFrozen: Bool) { state.withLock { $0.isFrozen = isFrozen } }

        private func join(_ client: Int32) {
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
            address.sin_port = target.bigEndian
            let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe connect(server, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let isCut = state.withLock { state in
                if state.isCut || !isConnected { return true }
                state.sockets.formUnion([client, server])
                return false
            }
            if isCut {
                close(client)
                close(server)
                return
            }
            let remaining = Lock(2)
            let pair = Pair(remaining: remaining)
            for (source, destination) in [(client, server), (server, client)] {
                Thread.detachNewThread { [self] in
                    pump(from: source, to: destination)
                    shutdown(source, Int32(SHUT_RDWR))
                    shutdown(destination, Int32(SHUT_RDWR))
                    guard pair.end() else { return }
                    state.withLock { $0.sockets.subtract([client, server]) }
                    close(client)
                    close(server)
                }
            }
        }

        private func pump(from source: Int32, to destination: Int32) {
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = unsafe recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                // Wait until the test releases or cuts the connection.
                while state.withLock({ $0.isFrozen && !$0.isCut }) { usleep(2000) }
                guard FakeServer.write(Array(buffer.prefix(count)), destination) else { return }
            }
        }

        /// The two directions of a connection. The sockets are closed when both directions have ended.
        private final class Pair: Sendable {
            private let remaining: Lock<Int>

            init(remaining: consuming Lock<Int>) { self.remaining = remaining }

            func end() -> Bool {
                remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0
                }
            }
        }
    }
#endif
