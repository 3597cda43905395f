#if Etcd
    import Foundation
    import PrefsSystem
    import Testing

    @testable import LayeredPrefsEtcd

    /// An HTTP server on the loopback interface whose answers a test decides.
    final class FakeServer: Sendable {
        struct Request: Sendable {
            var path: String
            var headers: String
            var body: String
        }

        /// An answer to a request.
        enum Answer: Sendable {
            case body(String, status: Int = 200)
            /// Sends the pieces as chunks, and keeps the stream open until the server stops.
            case stream([String])
            /// Sends the pieces as chunks, and ends the stream.
            case endedStream([String])
            /// Sends the pieces that the test adds, until the test ends the feed.
            case feed(Feed)
            /// Sends raw bytes, and closes the connection.
            case raw([UInt8])
            /// Sends a chunk again and again until the client hangs up.
            case endless(String)
            /// Never answers.
            case silence
        }

        private struct State {
            var requests: [Request] = []
            var connections: [Int32] = []
            var isStopped = false
        }

        let port: UInt16
        private let listener: Int32
        private let state = Lock(State())
        private let answer: @Sendable (Request, Int) -> Answer

        var url: String { "http://127.0.0.1:\(port)" }

        /// The requests received so far.
        var requests: [Request] { state.withLock { $0.requests } }

        /// The number of open connections.
        var openConnections: Int { state.withLock { $0.connections.count } }

        /// - Parameter answer: Decides the answer to a request, given the number of requests received for its
        ///   path.
        init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
            self.answer = answer
            (listener, port) = try Self.listen()
            let (listener, server) = (listener, Weak(self))
            Thread.detachNewThread {
                // `stop()` must not close it: the number may then belong to another server's listener, and
                // this thread would accept that server's connections.
                defer { close(listener) }
                while true {
                    // Use `ps_accept`, because a process that a test starts meanwhile would keep the
                    // connection open otherwise.
                    let connection = ps_accept(listener)
                    guard connection >= 0 else { return }
                    Thread.detachNewThread {
                        server.value?.serve(connection)
                        close(connection)
                    }
                }
            }
        }

        deinit { stop() }

        func stop() {
            state.withLock { state in
                if state.isStopped { return }
                state.isStopped = true
                for socket in [listener] + state.connections { shutdown(socket, Int32(SHUT_RDWR)) }
            }
        }

        static func listen() throws -> (Int32, UInt16) {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe bind(listener, pointer, length) == 0 && Foundation.listen(listener, 64) == 0
                        && getsockname(listener, pointer, &length) == 0
                }
            }
            guard status else { throw POSIXError(.EADDRNOTAVAIL) }
            return (listener, UInt16(bigEndian: address.sin_port))
        }

        private func serve(_ connection: Int32) {
            let isStopped = state.withLock { state in
                state.connections.append(connection)
                return state.isStopped
            }
            defer { state.withLock { state in state.connections.removeAll { $0 == connection } } }
            if isStopped { return }
            var buffer: [UInt8] = []
            while let request = Self.read(connection, &buffer) {
                let count = state.withLock { state in
                    state.requests.append(request)
                    return state.requests.count { $0.path == request.path }
                }
                guard send(answer(request, count), to: connection) else { break }
            }
        }

        /// Sends an answer. Returns false if the connection can take no further request.
        private func send(_ answer: Answer, to connection: Int32) -> Bool {
            switch answer {
            case .body(let body, let status):
                return Self.write(
                    "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", connection)
            case .stream(let pieces):
                Self.stream(pieces, connection)
                Self.drain(connection)
            case .endedStream(let pieces):
                Self.stream(pieces, connection)
                return Self.write("0\r\n\r\n", connection)
            case .feed(let feed):
                Self.stream([], connection)
                while let piece = feed.next() { _ = Self.write(Self.chunk(piece), connection) }
            case .raw(let bytes): _ = Self.write(bytes, connection)
            case .endless(let piece):
                Self.stream([], connection)
                while Self.write(Self.chunk(piece), connection) {}
            case .silence: Self.drain(connection)
            }
            return false
        }

        private static func stream(_ pieces: [String], _ connection: Int32) {
            _ = write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", connection)
            for piece in pieces { _ = write(chunk(piece), connection) }
        }

        private static func chunk(_ piece: String) -> String {
            "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
        }

        /// Waits until the client hangs up.
        private static func drain(_ connection: Int32) {
            var byte: UInt8 = 0
            while unsafe recv(connection, &byte, 1, 0) > 0 {}
        }

        private static func write(_ text: String, _ connection: Int32) -> Bool {
            write(Array(text.utf8), connection)
        }

        static func write(_ bytes: [UInt8], _ connection: Int32) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe Foundation.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        private static func read(_ connection: Int32, _ buffer: inout [UInt8]) -> Request? {
            while true {
                if let request = parse(&buffer) { return request }
                var chunk = [UInt8](repeating: 0, count: 65536)
                let count = unsafe recv(connection, &chunk, chunk.count, 0)
                guard count > 0 else { return nil }
                buffer += chunk.prefix(count)
            }
        }

        private static func parse(_ buffer: inout [UInt8]) -> Request? {
            let text = String(decoding: buffer, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { return nil }
            let head = String(text[..<end.lowerBound])
            let length =
                head.split(separator: "\r\n").lazy
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
            let body = text[end.upperBound...].utf8
            guard body.count >= length else { return nil }
            buffer = []
            let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            return Request(
                path: path, headers: head, body: String(decoding: body.prefix(length), as: UTF8.self))
        }
    }

    /// A gate that opens once.
    final class Latch: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func open() { semaphore.signal() }

        func wait() { _ = semaphore.wait(timeout: .now() + 60) }
    }

    /// Waits at most a minute for a condition that no event announces.
    func eventually(_ condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while !condition() {
            if ContinuousClock.now > deadline { return false }
            usleep(1000)
        }
        return true
    }

    /// The pieces of a stream. The test decides when to send them.
    final class Feed: Sendable {
        private let pieces = Lock<[String]>([])
        private let arrived = DispatchSemaphore(value: 0)

        func send(_ piece: String) {
            pieces.withLock { $0.append(piece) }
            arrived.signal()
        }

        /// Ends the stream.
        func end() { arrived.signal() }

        fileprivate func next() -> String? {
            arrived.wait()
            return pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    private final class Weak: Sendable {
        private let storage: Lock<() -> FakeServer?>

        var value: FakeServer? { storage.withLock { $0() } }

        init(_ server: FakeServer) { storage = Lock({ [weak server] in server }) }
    }

    extension FakeServer {
        static let clusterID = "77"

        static func header(_ revision: Int, cluster: String = clusterID, term: Int = 2) -> String {
            #""header":{"cluster_id":"\#(cluster)","member_id":"1","revision":"\#(revision)","raft_term":"\#(term)"}"#
        }

        static func item(_ key: String, _ value: String, _ revision: Int) -> String {
            let (key, value) = (Array(key.utf8).base64, Array(value.utf8).base64)
            return #"{"key":"\#(key)","mod_revision":"\#(revision)","value":"\#(value)"}"#
        }

        static func range(_ revision: Int, _ items: [String], cluster: String = clusterID) -> Answer {
            let kvs = items.joined(separator: ",")
            return .body(
                #"{\#(header(revision, cluster: cluster)),"kvs":[\#(kvs)],"count":"\#(items.count)"}"#)
        }

        static func created(_ revision: Int, cluster: String = clusterID) -> String {
            #"{"result":{\#(header(revision, cluster: cluster)),"created":true}}"# + "\n"
        }

        static func put(_ key: String, _ value: String, _ revision: Int) -> String {
            #"{"result":{\#(header(revision)),"events":[{"kv":\#(item(key, value, revision))}]}}"# + "\n"
        }
    }

    extension FakeServer.Answer: CustomTestStringConvertible {
        /// Only the beginning, because some answers have millions of bytes.
        var testDescription: String { String("\(self)".prefix(100)) }
    }
#endif
