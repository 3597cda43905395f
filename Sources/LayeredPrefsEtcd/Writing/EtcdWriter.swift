#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// Stores values on the server, on the calling thread.
    ///
    /// A transaction takes effect only if its keys still have the revisions that it was planned for. If its
    /// outcome is unknown, the writer lists the contents again, and repeats the transaction only if the contents
    /// lack the values.
    struct EtcdWriter: ~Copyable {
        /// Returns the changes that these contents need; none if they already are as they should be.
        typealias Plan = ([[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change]

        private let client: EtcdClient
        private let connection: EtcdConnection
        private let deadline: ContinuousClock.Instant
        private var endpoints: Endpoints
        /// True if a transaction was sent and its outcome is unknown.
        private var mayHaveWritten = false
        private var conflicts = 0

        /// etcd's limit on the operations of a transaction.
        private static let mostChanges = 128
        private static let mostConflicts = 16

        init(_ client: EtcdClient, _ connection: EtcdConnection) {
            (self.client, self.connection) = (client, connection)
            let settings = client.settings
            deadline = .now.advanced(by: settings.timing.write)
            let endpoint = client.state.withLock { $0.endpoint }
            endpoints = Endpoints(
                settings.endpoints, startingAt: settings.endpoints.firstIndex(of: endpoint) ?? 0,
                longestPause: .seconds(1))
            // Each endpoint gets a share of the time.
            connection.timeout = min(
                settings.timing.request, settings.timing.write / settings.endpoints.count)
            connection.deadline = deadline
        }

        /// Writes the changes of a plan, and waits until the values can be read.
        ///
        /// - Throws: ``PrefsError``. Its reason says whether the values may have been stored nevertheless.
        mutating func write(_ plan: Plan) throws(PrefsError) {
            // Do not trust the client's contents while it is not connected: they may be old.
            var present = client.state.withLock { $0.failure == nil ? $0.mirror : nil }
            var isListed = false
            while true {
                guard let mirror = present else {
                    present = try list()
                    isListed = true
                    continue
                }
                let changes = try plan(mirror.items)
                if changes.isEmpty {
                    if isListed { return try finish(plan, mirror.items, mirror.header) }
                    // The client may not yet have received another writer's change.
                    present = nil
                    continue
                }
                if let header = try commit(changes) {
                    return try finish(plan, mirror.items.applying(changes, header), header)
                }
                present = nil
            }
        }

        /// Lists the server's contents. Returns `nil` if another endpoint should be asked.
        private mutating func list() throws(PrefsError) -> EtcdMirror? {
            do throws(EtcdFailure) {
                let list = try connection.list(client.settings.ranges, at: endpoints.current)
                return EtcdMirror(items: list.items, header: list.header)
            } catch {
                try recover(from: error)
                return nil
            }
        }

        /// Sends the changes and returns the header after them. Returns `nil` if they must be planned again,
        /// because other writers have changed the keys or the outcome is unknown.
        private mutating func commit(_ changes: [EtcdRequests.Change]) throws(PrefsError) -> EtcdHeader? {
            guard changes.count <= Self.mostChanges else {
                let reason =
                    "etcd accepts \(Self.mostChanges) changes in a transaction, this has \(changes.count); change "
                    + "fewer keys at a time"
                throw PrefsError(.tooLarge, reason: reason)
            }
            do throws(EtcdFailure) {
                let request = EtcdRequests.transaction(changes)
                let body = try connection.call("/v3/kv/txn", request, at: endpoints.current)
                let answer = try EtcdTransactionAnswer(answer: body)
                if answer.succeeded { return answer.header }
            } catch {
                let isUnknown = [.unavailable, .protocolViolation, .answerTooLarge].contains(error.kind)
                if isUnknown, error.wasSent { mayHaveWritten = true }
                try recover(from: error)
                return nil
            }
            conflicts += 1
            guard conflicts <= Self.mostConflicts else {
                throw PrefsError(
                    .busy,
                    reason: "not written because other processes keep changing the same keys; try again")
            }
            return nil
        }

        /// Pauses before another endpoint is tried. Throws if every endpoint would give the same answer, or if no
        /// time is left.
        private mutating func recover(from failure: EtcdFailure) throws(PrefsError) {
            switch failure.kind {
            case .unavailable, .protocolViolation, .answerTooLarge: client.requestCheck()
            case .revision, .token: break
            case .tooLarge: throw error(.tooLarge, failure)
            case .permission, .credentials, .noSpace, .invalidRequest, .authenticationDisabled:
                throw error(.unwritable, failure)
            }
            let pause = min(endpoints.noteFailure(jitter: .random(in: 0...1)), .seconds(1))
            guard ContinuousClock.now.advanced(by: pause) < deadline else {
                throw error(.unwritable, failure)
            }
            connection.transport.poll(for: pause)
        }

        private func error(_ code: PrefsError.Code, _ failure: EtcdFailure) -> PrefsError {
            let outcome =
                mayHaveWritten ? "it is not known whether the change was stored" : "nothing was changed"
            return PrefsError(
                code, origin: client.settings.origin, errno: failure.kind.errno,
                reason: "\(endpoints.current): \(failure.message); \(outcome)")
        }

        /// Waits until the client has received the values, so that they can be read.
        ///
        /// - Parameters:
        ///   - items: The server's contents at the header's revision.
        private func finish(
            _ plan: Plan, _ items: [[UInt8]: EtcdItem], _ header: EtcdHeader
        ) throws(PrefsError) {
            if client.isFollowerThread {
                // An observer writes on this thread. The thread receives nothing until the observer returns.
                client.commit { $0.merge(items, header: header) }
                return
            }
            let isReadable = client.wait(until: deadline) { state in
                if state.unannounced > 0 { return false }
                if state.mirror.header.revision >= header.revision { return true }
                return (try? plan(state.mirror.items).isEmpty) ?? false
            }
            guard !isReadable else { return }
            throw PrefsError(
                .busy, origin: client.settings.origin,
                reason: "the change was stored at revision \(header.revision), but was not received back yet")
        }
    }

    extension [[UInt8]: EtcdItem] {
        /// Returns the items after a transaction.
        fileprivate func applying(_ changes: [EtcdRequests.Change], _ header: EtcdHeader) -> Self {
            var items = self
            for change in changes {
                items[change.key] = change.value.map {
                    EtcdItem(key: change.key, value: $0, revision: header.revision)
                }
            }
            return items
        }
    }
#endif
