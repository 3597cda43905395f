import LayeredPrefsInspection
import PrefsSystem

/// A browser's connection.
struct HTTPConnection: Sendable {
    let socket: StreamSocket

    init(_ socket: StreamSocket) {
        self.socket = socket
        socket.setTimeout(seconds: 10)
    }

    /// Reads a request. Returns `nil` if the client ends the connection or does not send a request in time.
    func request() throws(HTTPRequest.Failure) -> HTTPRequest? {
        let deadline = ContinuousClock.now + .seconds(30)
        var received: [UInt8] = []
        var head: Int?
        repeat {
            let searched = max(received.count - 3, 0)
            guard read(into: &received, before: deadline) else { return nil }
            head = Self.end(of: received, from: searched)
            guard head ?? received.count <= HTTPRequest.maximumHead else {
                throw HTTPRequest.Failure(431, "the head is too large")
            }
        } while head == nil
        guard let head else { return nil }
        var request = try HTTPRequest(head: received[..<head])
        let length = try request.contentLength
        while received.count < head + 4 + length {
            guard read(into: &received, before: deadline) else { return nil }
        }
        request.body = Array(received[(head + 4)...].prefix(length))
        return request
    }

    /// Sends bytes. Returns false if the client is gone or does not read.
    func send(_ bytes: some Sequence<UInt8>) -> Bool { socket.send(bytes) }

    /// Ends the answer and waits until the client has read it. Closing the socket with unread input would discard
    /// the answer.
    func finish() {
        shutdown(socket.descriptor, CInt(SHUT_WR))
        var rest: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(2)
        while rest.count < 1 << 20, read(into: &rest, before: deadline) {}
    }

    private func read(into received: inout [UInt8], before deadline: ContinuousClock.Instant) -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        let chunk = socket.receive()
        received += chunk
        return !chunk.isEmpty
    }

    /// Returns the index of the CR LF CR LF that ends the head.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (start...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }
}
