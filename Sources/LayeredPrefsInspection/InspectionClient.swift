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
    ///   - seconds: The time that the process has to answer.
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
        guard let answer else { throw ended }
        return answer
    }

    /// Calls `body` with each answer until it returns false or the process ends the connection. Calls `onIdle`
    /// from time to time while no answer comes. Only the first answer has a time limit.
    package func follow(
        _ request: InspectionRequest, onIdle: () -> Bool = { true },
        _ body: (InspectionReply) throws -> Bool
    ) throws {
        var deadline: ContinuousClock.Instant? = ContinuousClock.now + .seconds(seconds)
        let connection: StreamSocket
        do {
            connection = try StreamSocket.connected(to: socket.path, timeout: seconds)
        } catch {
            throw failure("cannot be reached", error)
        }
        try checkPeer(of: connection)
        try checkReceiver(of: request, connection)
        var channel = LineChannel(connection)
        guard channel.write(try JSONEncoder().encode(request)) else {
            throw failure("cannot be reached", .last)
        }
        // The limit bounds this process's memory if the other process sends an endless answer.
        while let line = channel.next(limit: 256 << 20, before: deadline) {
            if line.isEmpty {
                guard onIdle() else { return }
                continue
            }
            if deadline.take() != nil { connection.setTimeout(seconds: 0) }
            guard let reply = try? JSONDecoder().decode(InspectionReply.self, from: Data(line)) else {
                throw failure("answered in an unknown format", Errno(EPROTO))
            }
            if let error = reply.error { throw PrefsError(.unreadable, reason: "\(process): \(error)") }
            guard try body(reply) else { return }
        }
        // The kernel may end the wait slightly too early.
        if let deadline, .now + .milliseconds(10) >= deadline {
            throw failure("does not answer", Errno(ETIMEDOUT))
        }
    }

    /// Checks that the process that a socket is named after answers it. Only root asks other users' processes, and
    /// a user can place any socket in their own folder.
    private func checkPeer(of connection: StreamSocket) throws {
        var status = stat()
        guard unsafe lstat(socket.path, &status) == 0 else { throw failure("cannot be reached", .last) }
        let (peer, owner) = (connection.peer, status.st_uid)
        guard owner != geteuid(), peer != StreamSocket.Peer(pid: socket.pid, user: owner) else { return }
        let found = peer.map { "process \($0.pid) of user \($0.user)" } ?? "an unknown process"
        throw PrefsError(
            .untrusted, origin: PrefsOrigin(file: socket.path),
            reason: "\(process) does not answer: its socket is answered by \(found)")
    }

    /// Checks that no environment variables are sent to a process of another user. They belong to whoever asks,
    /// usually root, and any of them may be a secret.
    private func checkReceiver(of request: InspectionRequest, _ connection: StreamSocket) throws {
        guard request.environment != nil, connection.peer?.user != geteuid() else { return }
        throw PrefsError(
            .untrusted, origin: PrefsOrigin(file: socket.path),
            reason:
                "\(process) belongs to another user, who must not see the variables of this shell; run the command as"
                + " that user")
    }

    private var process: String { "process \(socket.pid) (\(socket.domain))" }

    /// The error if a process ends or does not want to answer.
    private var ended: PrefsError {
        let isGone = kill(socket.pid, 0) != 0 && errno == ESRCH
        return PrefsError(
            .unreadable, origin: PrefsOrigin(file: socket.path), errno: ECONNRESET,
            reason: isGone ? "\(process) has ended" : "\(process) ended the connection without an answer")
    }

    private func failure(_ reason: String, _ error: Errno) -> PrefsError {
        PrefsError(
            .unreadable, origin: PrefsOrigin(file: socket.path),
            errno: error.code, reason: "\(process) \(reason): \(error.text)")
    }
}
