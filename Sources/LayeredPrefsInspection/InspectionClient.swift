import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// Asks a running process about its preferences.
package struct InspectionClient {
    package let socket: InspectionSocket
    private let seconds: Int

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - socket: The socket of the process.
    ///   - seconds: The time that the process has for an answer.
    package init(_ socket: InspectionSocket, secondsToAnswer seconds: Int = 10) {
        self.socket = socket
        self.seconds = seconds
    }

    /// Returns the answer to a request.
    ///
    /// - Throws: ``PrefsError`` if the process cannot be reached or reports an error.
    package func ask(_ request: InspectionRequest) throws -> InspectionReply {
        var answer: InspectionReply?
        try follow(request) { reply in
            answer = reply
            return false
        }
        guard let answer else { throw failure("ended the connection without an answer", Errno(EPROTO)) }
        return answer
    }

    /// Calls `body` with each answer until it returns false or the process ends the connection, and `onIdle`
    /// from time to time while there is none.
    package func follow(
        _ request: InspectionRequest, onIdle: () -> Bool = { true },
        _ body: (InspectionReply) throws -> Bool
    ) throws {
        let connection: StreamSocket
        do {
            connection = try StreamSocket.connected(to: socket.path)
        } catch {
            throw failure("cannot be reached", error)
        }
        if request.request != .watch { connection.setTimeout(seconds: seconds) }
        var channel = LineChannel(connection)
        guard channel.write(try JSONEncoder().encode(request)) else {
            throw failure("cannot be reached", .last)
        }
        // Bounds the memory that a process which answers without end can take.
        while let line = channel.next(limit: 256 << 20) {
            if line.isEmpty {
                guard onIdle() else { return }
                continue
            }
            guard let reply = try? JSONDecoder().decode(InspectionReply.self, from: Data(line)) else {
                throw failure("answered in an unknown format", Errno(EPROTO))
            }
            if let error = reply.error { throw PrefsError(.unreadable, reason: "\(process): \(error)") }
            guard try body(reply) else { return }
        }
    }

    private var process: String { "process \(socket.pid) (\(socket.domain))" }

    private func failure(_ reason: String, _ error: Errno) -> PrefsError {
        PrefsError(
            .unreadable, origin: PrefsOrigin(file: socket.path),
            errno: error.code, reason: "\(process) \(reason): \(error.text)")
    }
}
