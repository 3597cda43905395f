import LayeredPrefs
import PrefsSystem

/// Accepts connections on a socket and answers each on a thread of its own.
final class InspectionServer: Sendable {
    private struct State {
        var registration: EventLoop.Registration?
        var isClosed = false
        /// The connections of the current clients, so that they can be ended.
        var clients: [Int: StreamSocket] = [:]
        var count = 0
    }

    private let path: String
    /// The file of the socket as it was created; `nil` if it could not be examined.
    private let file: stat?
    private let answers: InspectionAnswers
    private let listener: StreamSocket
    private let state = Lock(State())

    private static let maximumClients = 8
    /// The maximum size of a request in bytes. The largest requests contain the variables of a shell.
    private static let maximumRequest = 262_144
    /// The number of seconds after which an idle client is disconnected.
    private static let timeout = 30

    init(path: String, answers: InspectionAnswers) throws {
        self.path = path
        self.answers = answers
        do {
            listener = try StreamSocket.listening(at: path)
        } catch {
            throw PrefsError(
                .unwritable, origin: PrefsOrigin(file: path),
                errno: error.code,
                reason: "cannot create the inspection socket: \(error.text)")
        }
        file = try? linkStatus(of: path)
        accept()
    }

    /// Starts to accept clients.
    private func accept() {
        state.withLock { state in
            if state.isClosed { return }
            // The event loop keeps the listener open until it has stopped waiting for it.
            state.registration = EventLoop.shared.register(listener.descriptor, for: Int16(POLLIN)) {
                [listener, weak self] in
                let connection = listener.acceptConnection()
                return { if let connection { self?.admit(connection) } else { self?.pause() } }
            }
        }
    }

    /// Accepts no clients for a second. If no descriptor is free, a waiting client would otherwise keep the event
    /// loop busy.
    private func pause() {
        guard let registration = state.withLock({ $0.registration.take() }) else { return }
        EventLoop.shared.deregister(registration)
        EventLoop.shared.run(after: .seconds(1)) { [weak self] in self?.accept() }
    }

    func close() {
        let (wasClosed, registration, clients) = state.withLock { state in
            defer { (state.registration, state.isClosed, state.clients) = (nil, true, [:]) }
            return (state.isClosed, state.registration, Array(state.clients.values))
        }
        if wasClosed { return }
        // The clients' threads then read the end of the input, or fail to write.
        for client in clients { client.shutDown() }
        answers.stop()
        if let registration { EventLoop.shared.deregister(registration) }
        // Another server may have taken over the path. The inode number identifies our file, because the open
        // listener keeps the number from being reused.
        guard let file, let present = try? linkStatus(of: path), present.isSameFile(as: file) else { return }
        unsafe unlink(path)
    }

    private func admit(_ connection: StreamSocket) {
        guard let peer = connection.peer, [geteuid(), 0].contains(peer.user) else { return }
        let number: Int? = state.withLock { state in
            guard !state.isClosed, state.clients.count < Self.maximumClients else { return nil }
            state.count += 1
            state.clients[state.count] = connection
            return state.count
        }
        guard let number else { return }
        // The thread keeps the daemon's own priority: many units forbid setpriority(2), and systemd by default
        // kills a process that calls it nevertheless.
        let started = BackgroundThread.start(named: "prefs-inspect") { [self] in
            serve(connection)
            state.withLock { $0.clients[number] = nil }
        }
        if !started { state.withLock { $0.clients[number] = nil } }
    }

    private func serve(_ connection: StreamSocket) {
        connection.setTimeout(seconds: Self.timeout)
        var channel = LineChannel(connection)
        while let line = channel.next(limit: Self.maximumRequest) {
            guard answers.answer(line, { channel.write($0) }) else { return }
        }
    }
}
