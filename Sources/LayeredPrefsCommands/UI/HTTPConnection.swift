import PrefsSystem

/// The connection of a browser, closed when it is released.
final class HTTPConnection: Sendable {
    let descriptor: CInt

    init(adopting descriptor: CInt) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    deinit { close(descriptor) }

    /// Reads a request; `nil` if the client ends the connection or does not send one in time.
    func request() throws(HTTPRequest.Failure) -> HTTPRequest? {
        let deadline = ContinuousClock.now + .seconds(30)
        var received: [UInt8] = []
        var head: Int?
        while head == nil {
            guard received.count <= HTTPRequest.maximumHead else {
                throw HTTPRequest.Failure(431, "the head is too large")
            }
            let searched = max(received.count - 3, 0)
            guard read(into: &received, before: deadline) else { return nil }
            head = Self.end(of: received, from: searched)
        }
        guard let head else { return nil }
        guard head <= HTTPRequest.maximumHead else {
            throw HTTPRequest.Failure(431, "the head is too large")
        }
        var request = try HTTPRequest(head: received[..<head])
        let length = try request.contentLength
        while received.count < head + 4 + length {
            guard read(into: &received, before: deadline) else { return nil }
        }
        request.body = Array(received[(head + 4)...].prefix(length))
        return request
    }

    /// Sends bytes; returns false if the client is gone or does not read.
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            // Without SIGPIPE, which would end the command if the browser has gone.
            let count = unsafe rest.withUnsafeBytes {
                unsafe PrefsSystem.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends the answer, and waits for the client to read it: closing with unread input would discard it.
    func finish() {
        shutdown(descriptor, CInt(SHUT_WR))
        var rest: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(2)
        while rest.count < 1 << 20, read(into: &rest, before: deadline) {}
    }

    private func read(into received: inout [UInt8], before deadline: ContinuousClock.Instant) -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        let chunk = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
            guard case .success(let count) = unsafe readBytes(descriptor, into: buffer), count > 0 else {
                return [UInt8]()
            }
            return unsafe Array(buffer[..<count])
        }
        received += chunk
        return !chunk.isEmpty
    }

    /// Returns the index of the empty line's CR LF CR LF.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (start...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }
}
