#if Etcd
    import PrefsSystem

    /// The requests of one thread. Like the transport, this class is not `Sendable`.
    final class EtcdConnection {
        let transport: HTTPTransport
        private let client: EtcdClient
        /// The time limit for one request.
        var timeout: Duration
        /// The deadline for all requests together; `nil` if there is none.
        var deadline: ContinuousClock.Instant?

        /// The maximum size of an answer to one request, in bytes.
        static let answerLimit = 64 << 20
        /// The maximum size of a stream's message, in bytes. etcd fragments messages above 1.5 MiB.
        static let streamLimit = 8 << 20

        /// - Parameter waker: Ends the waits of this connection.
        init?(_ client: EtcdClient, waker: Waker? = nil) {
            guard let transport = HTTPTransport(tls: client.settings.tls, waker: waker) else { return nil }
            (self.transport, self.client) = (transport, client)
            timeout = client.settings.timing.request
        }

        /// Sends a request and returns the body of the answer.
        ///
        /// If the server does not accept the token, logs in again, once.
        ///
        /// - Parameters:
        ///   - meanwhile: Called while the request waits for the answer, whenever another transfer may have
        ///     advanced.
        func call(
            _ path: String, _ body: String, at endpoint: String,
            meanwhile: () throws(EtcdFailure) -> Void = {}
        ) throws(EtcdFailure) -> [UInt8] {
            let headers = try headers(at: endpoint)
            do {
                return try send(path, body, headers, at: endpoint, meanwhile)
            } catch {
                guard error.kind == .token, client.settings.credentials != nil else { throw error }
                // Another thread may already have logged in again.
                client.state.withLock { if $0.login == headers { $0.login = nil } }
                return try send(path, body, try self.headers(at: endpoint), at: endpoint, meanwhile)
            }
        }

        /// Starts a stream that watches ranges of keys.
        func watch(_ ranges: [EtcdKeyRange], from revision: Int64, at endpoint: String) throws(EtcdFailure)
            -> HTTPTransfer
        {
            let headers = try headers(at: endpoint)
            return try transport.start(
                HTTPRequest(
                    url: endpoint + "/v3/watch", body: EtcdRequests.watch(ranges, from: revision),
                    // With this header, a member that is cut off from the others ends the stream.
                    headers: headers + ["Grpc-Metadata-hasleader: true"], timeout: nil,
                    connectTimeout: client.settings.timing.request / 2, limit: Self.streamLimit))
        }

        /// The headers that identify the user.
        private func headers(at endpoint: String) throws(EtcdFailure) -> [String] {
            guard let credentials = client.settings.credentials else { return [] }
            if let known = client.state.withLock({ $0.login }) { return known }
            let headers = try logIn(credentials, at: endpoint)
            client.state.withLock { $0.login = headers }
            return headers
        }

        private func logIn(
            _ credentials: EtcdPrefsStorage.Credentials, at endpoint: String
        ) throws(EtcdFailure) -> [String] {
            let password = try credentials.password()
            let request = EtcdRequests.authenticate(user: credentials.user, password: password)
            do {
                let answer = try send("/v3/auth/authenticate", request, [], at: endpoint)
                return ["Authorization: \(try EtcdToken(answer: answer).text)"]
            } catch {
                // The server has no users yet. If it gets some, requests fail because they have no token.
                guard error.kind == .authenticationDisabled else { throw error }
                return []
            }
        }

        private func send(
            _ path: String, _ body: String, _ headers: [String], at endpoint: String,
            _ meanwhile: () throws(EtcdFailure) -> Void = {}
        ) throws(EtcdFailure) -> [UInt8] {
            let timeout = min(timeout, deadline.map { ContinuousClock.now.duration(to: $0) } ?? timeout)
            let transfer = try transport.start(
                HTTPRequest(
                    url: endpoint + path, body: body, headers: headers, timeout: timeout,
                    connectTimeout: timeout / 2, limit: Self.answerLimit))
            defer { transport.close(transfer) }
            while !transfer.isFinished {
                if client.isStopped { throw EtcdFailure(.unavailable, "the storage was released") }
                transport.poll(for: .seconds(1))
                try meanwhile()
            }
            let answer = transfer.takeReceived()
            if let failure = transfer.failure { throw failure }
            guard transfer.status == 200 else { throw EtcdFailure(status: transfer.status, body: answer) }
            return answer
        }
    }

    extension EtcdConnection {
        /// The maximum number of items in one answer.
        static let pageSize = 1000
        /// The memory that an item takes in addition to its bytes.
        private static let itemOverhead = 128
        /// The maximum size of all items, in bytes of memory.
        static let contentsLimit = 256 << 20

        /// Lists all items of several ranges at one revision.
        ///
        /// - Parameter revision: The revision; 0 for the newest.
        func list(
            _ ranges: [EtcdKeyRange], at endpoint: String, pageSize: Int = EtcdConnection.pageSize,
            revision: Int64 = 0
        ) throws(EtcdFailure) -> (items: [EtcdItem], header: EtcdHeader) {
            var (items, size, header) = ([EtcdItem](), 0, EtcdHeader?.none)
            var limit = pageSize
            for range in ranges {
                var first = range.first
                while true {
                    let request = EtcdRequests.range(
                        from: first, to: range.end, limit: limit,
                        revision: revision > 0 ? revision : header?.revision ?? 0)
                    let page: EtcdRange
                    do throws(EtcdFailure) {
                        page = try EtcdRange(answer: try call("/v3/kv/range", request, at: endpoint))
                    } catch {
                        // A page of a thousand large values can exceed the maximum size of an answer.
                        guard limit > 1, error.kind == .answerTooLarge || error.kind == .tooLarge else {
                            throw error
                        }
                        limit = max(1, limit / 10)
                        continue
                    }
                    guard page.items.count <= limit else {
                        throw EtcdFailure(MalformedAnswer("more keys than asked for"))
                    }
                    if header == nil { header = page.header }
                    guard page.header.clusterID == header?.clusterID else {
                        throw EtcdFailure(.revision, "the endpoint now belongs to another cluster")
                    }
                    // Without this check, a faulty server could make the client list for ever.
                    guard page.items.areAscending(from: first, in: range) else {
                        throw EtcdFailure(.protocolViolation, "a list that is not in the order of its keys")
                    }
                    size += page.items.reduce(0) { $0 + $1.key.count + $1.value.count + Self.itemOverhead }
                    guard size <= Self.contentsLimit else {
                        throw EtcdFailure(.tooLarge, "contents of more than \(Self.contentsLimit >> 20) MiB")
                    }
                    items += page.items
                    guard page.hasMore, let last = page.items.last else { break }
                    first = last.key + [0]
                }
            }
            return (items, header ?? EtcdHeader())
        }
    }

    extension [EtcdItem] {
        fileprivate func areAscending(from first: [UInt8], in range: EtcdKeyRange) -> Bool {
            var lowest = first
            for item in self {
                guard range.contains(item.key), !item.key.lexicographicallyPrecedes(lowest) else {
                    return false
                }
                lowest = item.key + [0]
            }
            return true
        }
    }
#endif
